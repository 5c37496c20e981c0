"""The whole run, on small chats: through public names, each chat in a memory of its own, nothing left behind."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment import Memory
from muniment.errors import NotFoundError, NothingChangedError, UsageError
from muniment.evals import recall, run
from muniment.evals.recall import mine, table

Sample = Callable[[str], Path]


@pytest.mark.parametrize("form", ["locomo", "beam", "longmemeval", "madial"])
def test_every_form_is_measured_and_nothing_is_left(
    sample: Sample, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, room = sample(form), tmp_path / "temporary"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    found = run("recall", data=path)
    assert (found["bench"], found["parameters"]["format"]) == ("recall", form)
    metrics = found["metrics"]
    assert {"recall_at_10", "hit_at_10", "mrr", "all_at_10", "tokens_mean", "seconds", "search_p50_ms"} <= set(metrics)
    assert all(isinstance(value, float) for value in metrics.values())
    assert metrics["hit_at_10"] == 1.0
    assert list(room.iterdir()) == []
    assert any("all" in line for line in table.lines(found))


def test_the_same_run_twice_gives_the_same_figures(sample: Sample) -> None:
    def figures() -> dict[str, float]:
        found = run("recall", data=sample("locomo"), options={"baselines": True, "budgets": True})
        return {k: v for k, v in found["metrics"].items() if not k.endswith(("_ms", "seconds", "_per_s"))}

    assert figures() == figures()


def test_categories_baselines_and_budgets_stand_beside_the_main_figures(sample: Sample) -> None:
    found = run("recall", data=sample("locomo"), options={"baselines": True, "budgets": True})
    metrics = found["metrics"]
    assert metrics["bm25_hit_at_10"] == 1.0
    assert metrics["multi_hop_n"] == 1.0
    assert "without_adversarial_recall_at_10" in metrics
    assert metrics["budget_1024_recall"] <= metrics["budget_16384_recall"]
    assert metrics["whole_1024_recall"] <= metrics["whole_16384_recall"] <= 1.0
    assert 0.0 < metrics["whole_16384_tokens"] <= 4096
    assert metrics["foreign_n"] == 4.0
    told = "\n".join(table.lines(found))
    for title in ("baseline bm25", "baseline grep", "multi_hop", "abstention", "16384", "sessions"):
        assert title in told


def test_updates_contradictions_and_missing_answers_are_judged_where_they_are_labelled(sample: Sample) -> None:
    metrics = run("recall", data=sample("beam"))["metrics"]
    assert metrics["both_sides_at_10"] == 1.0
    assert metrics["current_before_stale_n"] == 1.0
    assert 0.0 <= metrics["near_miss_auc"] <= 1.0
    assert "abstain_auc" not in metrics  # there is no other chat to be foreign
    foreign = recall.run(data=sample("beam"), foreign=sample("locomo"))
    assert foreign["metrics"]["foreign_n"] == 2.0  # as many as it has of its own


def test_homes_that_are_kept_are_not_taken_in_again_and_give_the_same_figures(sample: Sample, tmp_path: Path) -> None:
    first = run("recall", data=sample("locomo"), options={"homes": tmp_path / "kept"})["metrics"]
    again = run("recall", data=sample("locomo"), options={"homes": tmp_path / "kept"})["metrics"]
    assert "ingest_turns_per_s" in first
    assert "ingest_turns_per_s" not in again
    assert again["turns_kept"] == first["turns_kept"]
    assert (again["mrr"], again["tokens_mean"]) == (first["mrr"], first["tokens_mean"])


def test_a_part_of_the_search_can_be_left_out_of_a_run(sample: Sample) -> None:
    plain = run("recall", data=sample("locomo"))
    found = run("recall", data=sample("locomo"), options={"without": ("said",), "fusion": "rrf"})
    assert (found["parameters"]["without"], found["parameters"]["fusion"]) == (["said"], "rrf")
    assert found["metrics"]["recall_at_10"] < plain["metrics"]["recall_at_10"]
    assert {"without", "fusion"}.isdisjoint(plain["parameters"])
    with pytest.raises(UsageError, match="no part 'luck'"):
        run("recall", data=sample("locomo"), options={"without": ("luck",)})


def test_the_order_alone_is_the_same_order(sample: Sample) -> None:
    whole = run("recall", data=sample("beam"))["metrics"]
    found = run("recall", data=sample("beam"), options={"order_only": True})
    alone = found["metrics"]
    assert "tokens_mean" not in alone
    assert {k: v for k, v in whole.items() if k in alone and not k.endswith("_per_s") and k != "seconds"} == {
        k: v for k, v in alone.items() if not k.endswith("_per_s") and k != "seconds"
    }
    assert any("all" in line for line in table.lines(found))


def test_limits_and_parts_say_what_they_took(sample: Sample) -> None:
    assert run("recall", data=sample("locomo"), options={"limit": 2})["metrics"]["questions"] == 2.0
    assert run("recall", size=1, data=sample("locomo"))["parameters"]["questions"] == 1
    with pytest.raises(UsageError, match="splits LoCoMo alone"):
        run("recall", data=sample("beam"), options={"part": "dev"})
    with pytest.raises(UsageError, match="no question"):
        run("recall", data=sample("locomo"), options={"part": "test"})


def test_without_data_it_says_which_there_are() -> None:
    with pytest.raises(UsageError, match="needs labelled questions") as caught:
        run("recall")
    assert "LongMemEval" in caught.value.hint


# --- one's own ------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> mine.Place:
    """A project with five turns in its memory."""
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    (project / ".muniment").touch()
    texts = [
        "The spare key is under the blue pot.",
        "The dentist is on Elm Street.",
        "We leave at nine.",
        "Bring a coat.",
        "Where did we park?",
    ]
    with Memory.open(project, home) as memory:
        memory.ingest([{"session": "c", "seq": n, "speaker": "Ana", "text": t} for n, t in enumerate(texts)])
    (store,) = (home / "workspaces").iterdir()
    return project, home, store


def ask(place: mine.Place, **more: Any) -> dict[str, Any]:
    """A run of `bench mine`."""
    return run("mine", options={"place": place, **more})


def test_a_label_is_kept_asked_again_and_its_figures_have_a_history(place: mine.Place) -> None:
    with pytest.raises(UsageError, match="no labelled questions yet"):
        ask(place)
    first = ask(place, question="Where is the spare key?", relevant=["conversation.c:0"])
    assert (first["metrics"]["questions"], first["metrics"]["recall_at_10"]) == (1.0, 1.0)
    ask(place, question="Where is the dentist?", relevant=["conversation.c:1"], category="places")
    third = ask(place)
    history = third["parameters"]["history"]
    assert [each["metrics"]["questions"] for each in history] == [1.0, 2.0, 2.0]
    assert set(history[0]) == {"at", "version", "metrics"}
    assert "2 questions, recall@10 100.0" in list(table.lines(third))[-1]


def test_a_label_can_be_given_by_the_id_of_a_fact_and_joined(place: mine.Place) -> None:
    with Memory.open(place[0], place[1]) as memory:
        fact = next(hit for hit in memory.query("p:asked") if hit.text == "Where did we park?")
    assert mine.keep(place, mine.Given("What was I looking for?", [fact.id])) == 1
    assert mine.keep(place, mine.Given("What was I looking for?", ["conversation.c:2"])) == 1
    with pytest.raises(NothingChangedError):
        mine.keep(place, mine.Given("What was I looking for?", ["conversation.c:2@0-2", "conversation.c:4"]))


def test_a_label_of_what_is_not_there_is_refused(place: mine.Place) -> None:
    with pytest.raises(NotFoundError):
        ask(place, question="Where?", relevant=["conversation.c:99"])
    with pytest.raises(UsageError):
        ask(place, question="Where?")
    with pytest.raises(UsageError, match="belong to a --question"):
        ask(place, relevant=["conversation.c:0"])
    assert not (place[2] / mine.LABELS).exists()


def test_labels_are_no_part_of_the_memory(place: mine.Place) -> None:
    with Memory.open(place[0], place[1]) as memory:
        before = memory.verify().digest
    ask(place, question="Where is the spare key?", relevant=["conversation.c:0"])
    with Memory.open(place[0], place[1]) as memory:
        assert memory.verify().digest == before


def test_candidates_are_what_a_person_chooses_from(place: mine.Place) -> None:
    found = mine.candidates(place, "where is the spare key")
    assert found[0][0] == "conversation.c:0"
    assert "spare key" in found[0][1]


def test_a_file_of_labels_is_asked_of_the_store(place: mine.Place, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    rows = [
        {"question": "Where is the spare key?", "relevant": ["conversation.c:0"]},
        {"question": "Where is the dentist?", "relevant": ["conversation.c:1", "conversation.c:77"]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = recall.run(data=path, place=place)
    assert (found["metrics"]["questions"], found["metrics"]["labels_not_found"]) == (2.0, 1.0)
    assert found["parameters"]["not_found"][0].startswith("conversation.c:77")
    with pytest.raises(UsageError, match="asked of a store"):
        recall.run(data=path)


def test_a_torn_file_of_labels_is_named_with_its_line(place: mine.Place) -> None:
    (place[2] / mine.LABELS).write_text('{"question": "x", "relevant": ["conversation.c:0"]}\n{', encoding="utf-8")
    with pytest.raises(UsageError, match="line 2"):
        ask(place)
