"""`bench staleness`: are the facts found whose evidence changed, and only those?

Facts cite lines and definitions at one commit; then a history goes on. For written histories the truth is the script of edits
(each line has an identity that moves go with), for those that happened it is `git blame`: never a comparison of ours. In the
same run and on the same truth: what pruning by age, an index that is behind HEAD and the hash of whole files would have said.
"""

from __future__ import annotations

from muniment.evals.staleness.run import run

__all__ = ["run"]
