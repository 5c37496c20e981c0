"""The verdict: only what stands in a request counts, in the right one, and the prompt's own words prove nothing."""

from __future__ import annotations

from typing import Any

from muniment.harness.probing import RECIPES, judged
from muniment.harness.probing.scenario import Words, turns
from muniment.harness.probing.verdict import Place, found, tools_seen

WORDS = Words("ab12")
CODEX = RECIPES["codex"]
VIEW = f'<muniment view="wake" workspace="p">\n- me prefers {WORDS.fact} [cli-1:0@0-3 ID]\n</muniment>'


def request(number: int, *said: str, tools: bool = True, role: str = "developer") -> dict[str, Any]:
    items = [{"role": role, "content": [{"type": "input_text", "text": text}]} for text in said]
    offered = [{"type": "function", "name": "shell"}] if tools else []
    return {"number": number, "method": "POST", "path": "/v1/responses", "body": {"input": items, "tools": offered}}


def step(name: str, since: int, until: int) -> dict[str, Any]:
    return {"name": name, "ended": "exit 0", "since": since, "until": until}


STEPS = [step("tools", 0, 2), step("resumed", 2, 3), step("compacted", 3, 5), step("behind", 5, 6)]


def test_a_place_is_the_request_the_path_and_the_role() -> None:
    bodies = [request(4, "nothing"), request(5, "before", f"so {WORDS.mark} then")]
    assert found(bodies, WORDS.mark) == Place(5, "$.input[1].content[0].text", "developer")
    assert found(bodies, WORDS.mark, "absent") is None


def test_the_view_counts_in_the_first_request_of_its_turn_and_in_no_later_one() -> None:
    late = [request(0, "hi"), request(1, VIEW), request(2, VIEW)]
    verdict = judged(CODEX, WORDS, STEPS, late)
    assert verdict.wake["start"] is None
    assert verdict.wake["resume"] == Place(2, "$.input[0].content[0].text", "developer")


def test_a_side_call_without_tools_is_not_the_first_request_of_a_turn() -> None:
    asked = [request(0, "a title, please", tools=False), request(1, VIEW)]
    assert judged(CODEX, WORDS, STEPS, asked).wake["start"] == Place(1, "$.input[0].content[0].text", "developer")


def test_the_view_after_a_compaction_is_looked_for_behind_the_summary_alone() -> None:
    summary, again = request(3, VIEW, CODEX.summary), VIEW.replace("ID", "again")
    kept = judged(CODEX, WORDS, STEPS, [request(0, VIEW), summary, request(4, "went on", again)])
    lost = judged(CODEX, WORDS, STEPS, [request(0, VIEW), summary, request(4, "went on"), request(5, again)])
    stale = judged(CODEX, WORDS, STEPS, [request(0, VIEW), summary, request(4, "went on", VIEW)])
    assert kept.wake["compact"] == Place(4, "$.input[1].content[0].text", "developer")
    assert kept.compacted
    assert lost.wake["compact"] is None
    assert stale.wake["compact"] is None, "it is what the start gave"
    marked = request(4, VIEW, f"{WORDS.point}-SessionStart-compact;")
    assert judged(CODEX, WORDS, STEPS, [request(0, VIEW), summary, marked]).wake["compact"] is not None
    assert judged(CODEX, WORDS, STEPS, [request(0, VIEW)]).wake["compact"] is None


def test_a_view_that_was_given_before_does_not_show_that_hooks_are_trusted() -> None:
    later = VIEW.replace('workspace="p"', 'workspace="p" at="later"')
    old = judged(CODEX, WORDS, STEPS, [request(0, VIEW), request(5, VIEW, "one more")])
    fresh = judged(CODEX, WORDS, STEPS, [request(0, VIEW), request(5, VIEW, later, "one more")])
    assert old.wake["trusted"] is None
    assert fresh.wake["trusted"] == Place(5, "$.input[1].content[0].text", "developer")


def test_the_planted_fact_outside_the_frame_of_the_view_is_not_the_view() -> None:
    assert judged(CODEX, WORDS, STEPS, [request(0, f"uses {WORDS.mark}")]).wake["start"] is None


def test_marks_of_one_event_are_told_apart_by_their_source() -> None:
    points = judged(CODEX, WORDS, STEPS, [request(0, f"{WORDS.point}-SessionStart-startup;")]).points
    assert points["SessionStart-startup"] is not None
    assert points["SessionStart-resume"] is None


def test_the_prompts_of_a_probe_prove_nothing_by_themselves() -> None:
    for recipe in RECIPES.values():
        asked = [request(n, turn.prompt, role="user") for n, turn in enumerate(turns(recipe, WORDS))]
        verdict = judged(recipe, WORDS, STEPS, asked)
        assert not any((*verdict.points.values(), *verdict.rules.values(), *verdict.wake.values())), recipe.harness
        assert verdict.queried is None, recipe.harness
        assert verdict.asserted is None, recipe.harness


def test_our_tools_are_known_by_their_names_in_the_list_of_tools() -> None:
    body = {"tools": [{"function": {"name": "muniment-memory_query"}}, {"name": "x", "description": "memory_read"}]}
    assert tools_seen([{"body": body}]) == ("muniment-memory_query",)


def test_what_was_to_be_seen_and_was_not_is_named() -> None:
    missing = judged(CODEX, WORDS, STEPS, []).missing
    assert {"point PreToolUse", "rule AGENTS.md", "wake compact", "a request", "query", "assert", "own turn"} <= set(
        missing
    )
