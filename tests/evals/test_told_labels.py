"""The labelled turns are sound, the checker sees what is not, and the match is fair to a longer wording."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "told"


def _loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    path, sys.modules[name] = list(sys.path), module  # check.py imports its neighbour by this name
    spec.loader.exec_module(module)
    sys.path[:] = path
    return module


match = _loaded("match")
check = _loaded("check")

FACT: dict[str, Any] = {
    "category": "stack",
    "type": "fact",
    "literal": "Vitest 2",
    "key": "Vitest",
    "topic": "test_runner",
    "tags": ["tools.testing"],
    "polarity": "+",
    "outcome": "confirmed",
    "scope": "workspace",
}
ITEM: dict[str, Any] = {
    "id": "dev-1",
    "origin": "written",
    "licence": "Apache-2.0",
    "split": "dev",
    "role": "user",
    "text": "we run Vitest 2 for everything",
    "facts": [FACT],
    "kind": "stack",
}


def _draft(literal: str, predicate: str = "uses", **more: Any) -> dict[str, Any]:
    return {"type": "fact", "predicate": predicate, "literal": literal, "tags": [], **more}


def test_the_labelled_turns_are_sound_and_enough() -> None:
    items = [item for split in check.SPLITS for item in check.load(split)]
    assert check.problems(items) == []
    assert len(items) >= 640
    assert 0.4 <= sum(not item["facts"] for item in items) / len(items) <= 0.6


def test_the_test_half_has_enough_facts_of_each_category() -> None:
    facts = [fact for item in check.load("test") for fact in item["facts"] if not fact.get("optional")]
    assert all(sum(fact["category"] == name for fact in facts) >= 25 for name in match.CATEGORIES)


def test_a_message_of_a_chat_is_in_one_half_only() -> None:
    messages = [{i["origin"] for i in check.load(s) if i["origin"].startswith("BEAM")} for s in check.SPLITS]
    assert all(messages)
    assert not messages[0] & messages[1]


def test_a_hundred_test_turns_are_labelled_twice_and_the_page_is_up_to_date() -> None:
    items = [item for split in check.SPLITS for item in check.load(split)]
    second = check.load("second")
    assert len({item["id"] for item in second}) == 100
    assert {item["id"] for item in second} <= {item["id"] for item in items}
    assert check.report(items, second) in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"text": "we run Jest"}, "does not stand in the text"),
        ({"text": "<private>we run Vitest 2</private> fix it"}, "does not stand in the text"),
        ({"facts": [FACT | {"key": "Jest"}]}, "does not hold its key"),
        ({"facts": [FACT | {"tags": ["misc"]}]}, "unknown root"),
        ({"facts": [FACT | {"scope": "world"}]}, "strange scope"),
        ({"facts": [FACT, FACT]}, "one fact stands twice"),
        ({"split": "test"}, "do not fit"),
        ({"licence": ""}, "is empty"),
    ],
)
def test_the_checker_names_a_bad_item(change: dict[str, Any], complaint: str) -> None:
    assert complaint in " ".join(check.problems([ITEM | change]))


def test_the_checker_finds_near_copies_and_double_ids() -> None:
    twin = ITEM | {"text": "we run Vitest 2 for everything here"}
    assert len(check.problems([ITEM, twin])) == 2


@pytest.mark.parametrize(
    ("draft", "fits"),
    [
        (_draft("Vitest"), True),
        (_draft("Vitest 2 for everything, not Jest"), True),
        (_draft("2"), False),
        (_draft("Jest"), False),
        (_draft("not Vitest"), False),
        (_draft("Vitest", "rejected"), False),
        (_draft("Vitest", "prefers"), False),
        (_draft("Vitest", "prefers", tags=["tools.testing"]), True),
        (_draft("one two three four five six seven eight nine Vitest ten"), False),
    ],
)
def test_a_draft_matches_by_family_words_and_polarity(draft: dict[str, Any], fits: bool) -> None:
    assert match.matches(FACT, draft) is fits


def test_a_negation_may_not_be_lost() -> None:
    rule = FACT | {
        "category": "procedure",
        "type": "procedure",
        "literal": "deploy on fridays",
        "key": "fridays",
        "polarity": "-",
    }
    assert match.matches(rule, _draft("never deploy on fridays", "practises"))
    assert not match.matches(rule, _draft("deploy on fridays", "practises"))
    kept = rule | {"literal": "I can't eat nuts", "key": "can't eat nuts", "polarity": "+", "category": "remember"}
    assert match.matches(kept, _draft("can't eat nuts", "noted"))
    assert match.matches(kept, _draft("eat nuts", "avoids"))
    assert not match.matches(kept, _draft("eat nuts", "noted"))


def test_a_second_draft_on_a_label_is_passed_over_and_a_third_is_false() -> None:
    tally = match.of_item([FACT], [_draft("Vitest"), _draft("Vitest 2"), _draft("Vitest", "depends_on")])
    assert (len(tally.hits), len(tally.false), len(tally.missed)) == (1, 1, 0)


def test_an_optional_label_is_neither_a_hit_nor_a_mistake() -> None:
    maybe = FACT | {"optional": True}
    assert match.of_item([maybe], []).missed == []
    tally = match.of_item([maybe], [_draft("Vitest")])
    assert (tally.hits, tally.false) == ([], [])


def test_agreement_is_whole_with_oneself_and_falls_where_labels_differ() -> None:
    bare = ITEM | {"id": "dev-2", "facts": []}
    assert check.agreement([ITEM, bare], [ITEM, bare]) == {"items": 2, "same": 1.0, "kappa": 1.0, "f1": 1.0}
    other = check.agreement([ITEM, bare], [ITEM | {"facts": []}, bare | {"facts": [FACT]}])
    assert (other["same"], other["kappa"], other["f1"]) == (0.0, -1.0, 0.0)
