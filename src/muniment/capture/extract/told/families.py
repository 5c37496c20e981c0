"""The families of what people tell, each with the predicates that it draws. Small: what reads them loads when a turn comes."""

from __future__ import annotations

from typing import Final

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "identity": ("named", "is", "member_of", "located_in", "speaks", "noted"),
    "stack": ("uses", "requires", "avoids"),
    "preference": ("prefers", "avoids"),
    "procedure": ("practises",),
    "project": ("building", "is", "requires", "targets", "migrating", "noted"),
    "decision": ("decided", "rejected"),
    "because": ("because",),
    "remember": ("noted",),
    "correction": ("corrected", "uses", "avoids"),
}
