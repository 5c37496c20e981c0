"""The life of a belief and the account of a fact as text."""

from __future__ import annotations

from datetime import UTC

from muniment.model.belief import Decision, History, Link, Rank, Step, Support, Why
from muniment.views import story

JANUARY, FEBRUARY = "2026-01-10T00:00:00.000Z", "2026-02-10T00:00:00.000Z"
DECISION = Decision("retract", "person", FEBRUARY, "a\nslip", "cli-2:0", ("B",))


def test_a_history_tells_each_saying_its_time_and_its_verdicts():
    ends = (Link("B", "supersedes", "A"),)
    held = ((JANUARY, FEBRUARY),)
    steps = (
        Step("A", JANUARY, "user", "person", "Postgres", "superseded", "cli-1:0@0-8", held, (), (), ends, False),
        Step(
            "B", FEBRUARY, "assistant", "agent", "Lite\x1b", "retracted", "s1:4@0-4",
            (), ("contested",), (DECISION,), ends, True,
        ),
    )  # fmt: skip
    assert story.history(History("B", "uses", "database", "project", True, steps), UTC) == (
        "project uses.database: 2 statements\n"
        "- 2026-01-10 00:00:00+00:00 Postgres (user, origin person) [cli-1:0@0-8 A]\n"
        "    superseded; held 2026-01-10 00:00:00+00:00 to 2026-02-10 00:00:00+00:00\n"
        "    B supersedes this\n"
        "> 2026-02-10 00:00:00+00:00 Lite\\u001b (assistant, origin agent) [s1:4@0-4 B]\n"
        "    retracted (contested)\n"
        '    retract by person 2026-02-10 00:00:00+00:00: "a\\nslip" [cli-2:0]\n'
        "    supersedes A\n"
    )  # fmt: skip


def test_the_account_of_a_fact_shows_the_sum_that_ranks_it():
    day = 86_400_000
    told = Why(
        id="A", predicate="ran", topic="", subject="s1", value="make", receipt="s1:1@5-9", witness="s1:2",
        method="commands.ran@1", precision_interval=(0.97, 1.0), sample=165, role="tool", origin="tool", authority=2,
        stated="confirmed", standing="suspect", said_at=JANUARY, newest_at=FEBRUARY, intervals=((JANUARY, None),),
        marks=("exit:0",), rank=Rank(0.8, 1, 1.0, 7 * day, 7 * day, 42, 0.8), shown_by="C",
        supports=(Support("C", FEBRUARY, "user", "person", "s2:0@0-4"),), verdicts=(DECISION,),
        links=(Link("A", "supports", "C"),), tags=("code.build",), evidence=(("file", "Makefile"),),
        checks=(("file:Makefile", "unknown", None, ""),),
    )  # fmt: skip
    assert story.why(told, UTC) == (
        "A s1 ran make\n"
        "receipt    s1:1@5-9, witness s1:2\n"
        "said       2026-01-10 00:00:00+00:00 by tool, origin tool (authority 2)\n"
        "method     commands.ran@1, precision 1.00 (0.97 to 1.00 on 165 labels)\n"
        "standing   suspect (exit:0); held 2026-01-10 00:00:00+00:00 to now; stated as confirmed\n"
        "rank       0.8000 = 0.8 role × (1 + 1 rung) × 1.00 precision × 2^(-7.00 / 7 days); key 42\n"
        "newest     2026-02-10 00:00:00+00:00\n"
        "shown by   C, which says the same with more authority or earlier\n"
        'verdict    retract by person 2026-02-10 00:00:00+00:00: "a\\nslip" [cli-2:0]\n'
        "support    C 2026-02-10 00:00:00+00:00 user, origin person [s2:0@0-4]\n"
        "link       supports C\n"
        "tags       code.build\n"
        "evidence   file:Makefile: unknown, nobody looked yet\n"
    )  # fmt: skip
