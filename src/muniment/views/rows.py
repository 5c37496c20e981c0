"""The row of a fact: `predicate[.topic]  subject  object  rung  role  receipt  valid_from  id  marks`, tab separated.

Values are data: control characters are escaped, so that no value can forge a row, a frame or a terminal command.
"""

from __future__ import annotations

import re

from muniment.model.ids import show
from muniment.model.stored import StoredFact

VALUE_CAP = 600
"""Characters of a value that a row shows; what is cut is marked `cut:+N` and one `read` away."""
NAME_CAP = 200
"""Characters of a subject, a topic or the measured details: one row must fit where a few are asked for."""
COLUMNS = ("predicate", "subject", "object", "rung", "role", "receipt", "valid_from", "id", "marks")

_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\\\\\ud800-\udfff\U000e0000-\U000e007f]"
)
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
QUIET_ORIGINS = frozenset({"person", "tool"})
"""Origins that go without saying; every other is shown with the row."""


def escaped(text: str) -> str:
    """The text with everything that could break a row, or a terminal, written out."""
    if text.isprintable() and "\\" not in text:
        return text
    return _CONTROL.sub(lambda m: _NAMED.get(m.group()) or f"\\u{ord(m.group()):04x}", text)


def marks_of(fact: StoredFact, standing: str, extra: tuple[str, ...] = ()) -> list[str]:
    """The marks that do not depend on when the row is read."""
    marks = [standing] if standing != "confirmed" else []
    marks.extend(extra)
    if fact.row.origin not in QUIET_ORIGINS:
        marks.append(f"origin:{fact.row.origin}")
    if fact.row.context:
        marks.extend(escaped(fact.row.context[:NAME_CAP]).split(" "))
    return marks


def line(fact: StoredFact, rung: int, valid_from: str, marks: list[str]) -> str:
    """One row, without the marks that a reader adds and without a line end."""
    row = fact.row
    subject, value, topic = row.subject.key[:NAME_CAP], row.value[:VALUE_CAP], row.topic[:NAME_CAP]
    cut = len(row.subject.key) + len(row.value) + len(row.topic) - len(subject) - len(value) - len(topic)
    if cut:
        marks = [*marks, f"cut:+{cut}"]
    verb = f"{row.predicate}.{topic}" if topic else row.predicate
    receipt = f"{fact.session}:{fact.seq}@{row.span_start}-{row.span_end}"
    cells = (verb, subject, value, str(rung), row.role, receipt, valid_from, show(row.id), " ".join(marks))
    return "\t".join([escaped(c) for c in cells])
