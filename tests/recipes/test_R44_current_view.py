"""R44: subjects that were each corrected three times: no closed row in any answer, all four in the history."""

from __future__ import annotations

import pytest
from tests.support import state

from muniment.engine import history, stating, upkeep
from muniment.engine.asking import query

VALUES = ("alpha", "beta", "gamma", "delta")


def corrected(engine, person, clock, subjects):
    """Each subject said once and corrected three times, in rounds; the id of its last fact."""
    last = {}
    for round_, value in enumerate(VALUES):
        clock.set(f"2026-0{round_ + 1}-10")
        for n in range(subjects):
            content = f"port {value}{n}"
            if round_ == 0:
                last[n] = state(engine, content, "is", topic="port", subject=f"host:h{n:04d}").ids[0]
            else:
                last[n] = stating.correct(engine, person, last[n], content, "moved").ids[0]
    clock.set("2026-06-01")
    return last


def check(engine, last, subjects):
    """No closed row in the first fifty of any question, and every life has four steps in order."""
    asked = ["", "p:is", "topic:port", "type:fact", "port", "since:2026-01-01", "kind:host", "role:user", "source:told"]
    asked += [f"s:h{n:04d}" for n in range(0, subjects, max(1, subjects // 50))]
    asked += [f"{value}{n}" for value in VALUES for n in range(0, subjects, max(1, subjects // 20))]
    seen = 0
    for question in asked:
        hits = query(engine, question, 8192).hits[:50]
        assert all(h.text.startswith("port delta") for h in hits), question
        seen += len(hits)
    assert seen > subjects // 4
    for n in range(0, subjects, max(1, subjects // 25)):
        steps = history.history(engine, last[n]).steps
        assert [s.value for s in steps] == [f"port {value}{n}" for value in VALUES]
        assert [s.standing for s in steps] == ["retracted"] * 3 + ["confirmed"]


def test_a_hundred_subjects_corrected_three_times(engine, person, clock):
    last = corrected(engine, person, clock, 100)
    check(engine, last, 100)
    assert len(query(engine, "p:is", 1_000_000)) == 100


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_subjects_corrected_three_times(engine, person, clock):
    last = corrected(engine, person, clock, 1000)
    check(engine, last, 1000)
    assert len(query(engine, "p:is", 1_000_000)) == 1000
    assert upkeep.verify(engine, rebuild=True).ok
    check(engine, last, 1000)
