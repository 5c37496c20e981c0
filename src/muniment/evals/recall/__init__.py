"""`bench recall`: is what answers a question among what is found? No model judges; the labels of the data set do."""

from muniment.evals.recall.run import run

__all__ = ["run"]
