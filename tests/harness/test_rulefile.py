"""Rules files are views: written when a person accepted them, kept true, and nobody else's text in them is touched."""

from __future__ import annotations

import pytest

from muniment.engine import amending, forgetting, projecting, reviewing, stating
from muniment.engine.core import Caller
from muniment.engine.forgetting import Target
from muniment.engine.ruling import Ruler
from muniment.engine.stating import Statement, add
from muniment.errors import RefusedError
from muniment.harness import rulefile
from muniment.model.event import Origin
from muniment.model.fact import Action

AGENT = Caller(Origin.AGENT)
TABS, TESTS, YAWN = "Use tabs in Go files", "Run the tests before a commit", "Yawn quietly"


@pytest.fixture
def path(engine):
    """AGENTS.md of the project."""
    return rulefile.os.path.join(engine.workspace.root, "AGENTS.md")


@pytest.fixture
def state(engine, person):
    """States rules as a person: what the project requires, or under a topic what the person prefers."""

    def say(text: str, caller: Caller = person, topic: str = "") -> str:
        verb, subject = ("prefers", "me") if topic else ("requires", "project")
        given = Statement("preference" if topic else "fact", text, subject, verb, topic)
        return add(engine, caller, given).ids[0]

    return say


def accept(engine, path, *leave):
    given = rulefile.offer(Ruler(engine), path, leave, proposes=True)
    rulefile.accept(Ruler(engine), given)
    return given


def raw(path) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def write(path, text: str | bytes) -> None:
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


OUTSIDE = [
    b"",
    b"# Mine\n\nKeep this.\n",
    b"# Mine\r\n\r\nKeep this.\r\n",
    b"no end of line",
    b"\xef\xbb\xbf# BOM\n",
    b"\n\n\n",
]


@pytest.mark.parametrize("before", OUTSIDE)
def test_every_byte_outside_of_the_section_stays(engine, path, state, clock, person, before):
    write(path, before)
    one = state(TABS)
    accept(engine, path)
    after = raw(path)
    assert after.startswith(before)
    tail = b"\r\nand behind\r\n" if b"\r\n" in before else b"\nand behind \t\n\n"
    write(path, after + tail)
    clock.forward(minutes=1)
    state(TESTS)
    accept(engine, path)
    clock.forward(minutes=1)
    stating.decide(engine, person, Action.RETRACT, one)
    (done,) = rulefile.refresh(Ruler(engine))
    assert done.what == "written"
    last = raw(path)
    assert last.startswith(before)
    assert last.endswith(tail)
    assert TABS.encode() not in last
    assert TESTS.encode() in last
    assert (b"\r\n" in before) == (b"\r\n" in last)
    inner = last[len(before) : -len(tail)]
    assert (b"\r\n" in before) or b"\r" not in inner


def test_nothing_is_written_before_a_person_accepted(engine, path, state):
    state(TABS)
    given = rulefile.offer(Ruler(engine), path)
    assert f"+- {TABS}" in given.difference
    assert not rulefile.os.path.exists(path)
    assert rulefile.refresh(Ruler(engine)) == []
    assert not rulefile.os.path.exists(path)


def test_only_what_a_person_stated_or_accepted_is_a_rule(engine, path, state, person, clock):
    mine, theirs = state(TABS), state(YAWN, AGENT)
    assert YAWN not in rulefile.offer(Ruler(engine), path).difference
    clock.forward(minutes=1)
    stating.decide(engine, person, Action.CONFIRM, theirs)
    assert YAWN in rulefile.offer(Ruler(engine), path).difference
    stating.decide(engine, person, Action.SUSPECT, mine)
    assert TABS not in rulefile.offer(Ruler(engine), path).difference


def test_what_came_later_waits_until_the_person_is_asked_again(engine, path, state):
    state(TABS)
    accept(engine, path)
    state(TESTS)
    (done,) = rulefile.refresh(Ruler(engine))
    assert (done.what, done.waiting) == ("same", 1)
    assert TESTS.encode() not in raw(path)
    accept(engine, path)
    assert TESTS.encode() in raw(path)


def test_a_superseded_rule_is_replaced_in_its_place_and_a_retracted_one_drops(engine, path, state, clock, person):
    state(TESTS)
    amending.pin(engine, person, state("tabs", topic="indent"))
    accept(engine, path)
    clock.forward(minutes=1)
    state("two blanks", topic="indent")
    rulefile.refresh(Ruler(engine))
    lines = [line for line in raw(path).decode().splitlines() if line.startswith("- ")]
    assert [line.partition(" <!--")[0] for line in lines] == ["- Prefer two blanks", f"- {TESTS}"]


def test_a_rule_that_a_command_replaced_by_another_is_replaced(engine, path, state, clock, person):
    old = state(TABS)
    accept(engine, path)
    clock.forward(minutes=1)
    new = state("Use blanks everywhere")
    stating.supersede(engine, person, old, new)
    rulefile.refresh(Ruler(engine))
    assert b"Use blanks everywhere" in raw(path)
    assert TABS.encode() not in raw(path)


def test_an_agent_cannot_put_its_own_words_in_the_place_of_a_rule(engine, path, state, clock):
    mine = state(TABS)
    accept(engine, path)
    clock.forward(minutes=1)
    theirs = state(YAWN, AGENT)
    with pytest.raises(RefusedError):
        stating.supersede(engine, AGENT, mine, theirs)
    rulefile.refresh(Ruler(engine))
    assert TABS.encode() in raw(path)
    assert YAWN.encode() not in raw(path)


def test_a_line_written_by_hand_stays_and_becomes_a_proposal_of_a_person(engine, path, state, person, clock):
    state(TABS)
    accept(engine, path)
    write(path, raw(path).replace(b"<!-- muniment:rules:end", b"  * Never push on Fridays\n<!-- muniment:rules:end"))
    (done,) = rulefile.refresh(Ruler(engine))
    assert b"\n  * Never push on Fridays\n" in raw(path)
    (proposal,) = [p for p in reviewing.review(engine, everything=True).proposals if p.id in done.proposals]
    assert (proposal.origin, proposal.text) == ("person", "Never push on Fridays")
    assert proposal.evidence[0][1].startswith("AGENTS.md")
    (again,) = rulefile.refresh(Ruler(engine))
    assert (again.what, again.proposals) == ("same", done.proposals)
    clock.forward(minutes=1)
    reviewing.accept(engine, person, proposal.id)
    rulefile.refresh(Ruler(engine))
    (line,) = [each for each in raw(path).decode().splitlines() if "Fridays" in each]
    assert line.startswith("- Never push on Fridays <!-- ")


def test_a_declined_line_goes_and_does_not_come_back(engine, path, state, person, clock):
    state(TABS)
    accept(engine, path)
    write(path, raw(path).replace(b"<!-- muniment:rules:end", b"- Never push on Fridays\n<!-- muniment:rules:end"))
    (done,) = rulefile.refresh(Ruler(engine))
    clock.forward(minutes=1)
    reviewing.decline(engine, person, done.proposals[0])
    rulefile.refresh(Ruler(engine))
    assert b"Fridays" not in raw(path)


def test_a_changed_line_is_kept_as_it_was_changed_and_the_old_one_is_not_put_back(engine, path, state):
    state(TABS)
    accept(engine, path)
    write(path, raw(path).replace(b"tabs in Go", b"tabs in Go and C"))
    (done,) = rulefile.refresh(Ruler(engine))
    assert len(done.proposals) == 1
    assert b"Use tabs in Go and C files" in raw(path)
    assert f"- {TABS} ".encode() not in raw(path)
    accept(engine, path)
    assert f"- {TABS} ".encode() not in raw(path)


def test_a_line_taken_out_by_hand_stays_out(engine, path, state):
    state(TABS)
    state(TESTS)
    accept(engine, path)
    kept = [line for line in raw(path).splitlines(keepends=True) if TABS.encode() not in line]
    write(path, b"".join(kept))
    rulefile.refresh(Ruler(engine))
    accept(engine, path)
    assert TABS.encode() not in raw(path)
    assert TESTS.encode() in raw(path)


def test_a_section_taken_out_by_hand_is_not_put_in_again_unasked(engine, path, state):
    state(TABS)
    accept(engine, path)
    write(path, b"# Mine\n")
    (done,) = rulefile.refresh(Ruler(engine))
    assert done.what == "left"
    assert raw(path) == b"# Mine\n"
    assert rulefile.refresh(Ruler(engine)) == []


def test_taking_it_out_leaves_what_was_there_before(engine, path, state):
    write(path, b"# Mine\n\nKeep this.\n")
    state(TABS)
    accept(engine, path)
    assert rulefile.drop(Ruler(engine), path)
    assert raw(path).rstrip() == b"# Mine\n\nKeep this."
    assert not rulefile.drop(Ruler(engine), path)


def test_an_erased_rule_leaves_no_word_in_the_file_or_beside_it(engine, path, state, person):
    one = state("Whisper xylophone secrets")
    state(TESTS)
    accept(engine, path)
    forgetting.erase(engine, person, Target("id", one))
    rulefile.refresh(Ruler(engine))
    assert b"xylophone" not in raw(path)
    assert TESTS.encode() in raw(path)
    kept = raw(engine.settings.home / "setup" / "rules.json")
    assert b"xylophone" not in kept
    assert one.encode() not in kept


def test_words_cannot_break_out_of_their_line_or_section(engine, path, state):
    state("Say <!-- muniment:rules:end -->\nhello --> there")
    accept(engine, path)
    text = raw(path).decode()
    assert text.count("muniment:rules:end") == 1 + text.count("Say muniment:rules:end")
    rulefile.refresh(Ruler(engine))
    assert raw(path).decode() == text


def test_a_section_that_is_not_whole_is_left_alone(engine, path, state):
    state(TABS)
    accept(engine, path)
    broken = raw(path).replace(rulefile.END.encode(), b"")
    write(path, broken)
    with pytest.raises(RefusedError):
        rulefile.offer(Ruler(engine), path)
    (done,) = rulefile.refresh(Ruler(engine))
    assert done.what == "left"
    assert raw(path) == broken


def test_the_view_has_whole_lines_within_its_budget(engine, state):
    state(TABS)
    state(TESTS)
    whole = projecting.text(engine, "rules", 4096, {})
    assert {line.partition(" <!--")[0] for line in whole.splitlines()} == {f"- {TABS}", f"- {TESTS}"}
    for budget in range(len(whole.encode()) + 1):
        part = projecting.text(engine, "rules", budget, {})
        assert len(part.encode()) <= budget
        assert whole.startswith(part)
        assert not part or part.endswith("-->\n")
