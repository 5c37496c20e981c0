"""`--explain` as text."""

from __future__ import annotations

from datetime import UTC

from muniment.recall.found import Explained, Placed
from muniment.views.explaining import ROWS, render

PLACED = (
    Placed("s:1", "s:1", 0.9, {"said": (1, 12.5), "time": (3, 1.0)}),
    Placed("0" * 26, "s:2@0-4", 0.5, {"facts": (1, 2.0)}, "near-copy:s:1"),
)
ACCOUNT = Explained(
    "who", ("who keeps it", "who pays"), ("keep", "pay"), ("zebra",), (("2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"),),
    {"said": 0.7, "facts": 0.3}, PLACED, {"superseded": 2}, {"coverage": 0.51234},
)  # fmt: skip


def test_every_side_of_the_account_has_its_line():
    assert render(ACCOUNT, UTC).splitlines() == [
        "shape      who",
        "parts      who keeps it; who pays",
        "words      keep pay",
        "unknown    zebra",
        "times      2026-03-01 00:00 to 2026-03-02 00:00",
        "weights    facts 0.3, said 0.7",
        "signals    coverage 0.512",
        "filtered   superseded 2",
        "fates      near-copy 1, shown 1",
        "",
        "rank  score   facts  said      time   fate           receipt  id",
        "1     0.9000  -      1 (12.5)  3 (1)  shown          s:1      -",
        f"2     0.5000  1 (2)  -         -      near-copy:s:1  s:2@0-4  {'0' * 26}",
    ]


def test_a_long_table_says_how_much_it_leaves_out():
    long = Explained("other", (), (), (), (), {}, PLACED[:1] * (ROWS + 5), {}, {})
    lines = render(long, UTC).splitlines()
    assert lines[-1] == "-- 5 more; --json has them"
    assert lines[0] == "shape      other"


def test_a_word_cannot_begin_a_line_of_its_own():
    account = Explained("other", ("a\nfates      shown 99",), (), (), (), {}, (), {}, {})
    assert len(render(account, UTC).splitlines()) == 4
