"""On a server."""

from tests.engine.test_trajectories import *  # noqa: F403 - the tests themselves
