"""Every harness that has samples, by one set of rules: as recorded, nothing lost, nothing invented, damage survived."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.capture import harnesses
from tests.capture.harnesses import HARNESSES, counted, damage, facts, found, golden, lay_out, read

from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import Adapter, Checkpoint, Cursor
from muniment.model.event import Event, Origin, Role


@pytest.fixture(params=HARNESSES)
def harness(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_samples_read_as_recorded(harness: str, tmp_path: Path) -> None:
    rows = harnesses.shown(lay_out(harness, tmp_path))
    assert harnesses.as_text(rows) == golden(harness).read_text("utf-8")


def test_a_sample_is_taken_by_its_own_harness(harness: str, tmp_path: Path) -> None:
    taken = found(lay_out(harness, tmp_path))
    assert taken
    assert {adapter.name for adapter, _ in taken} <= harnesses.NAMES.get(harness, {harness})


def test_read_is_kept_and_skipped_and_a_receipt_names_one_record(harness: str, tmp_path: Path) -> None:
    for adapter, path in found(lay_out(harness, tmp_path)):
        items = read(adapter, path)
        kept, ordinal = counted(items)
        assert kept == ordinal, path
        assert isinstance(items[-1], Checkpoint)
        events = [item for item in items if isinstance(item, Event)]
        assert len({(event.session, event.seq) for event in events}) == len(events)


def test_a_second_read_of_an_unchanged_file_gives_nothing(harness: str, tmp_path: Path) -> None:
    for adapter, path in found(lay_out(harness, tmp_path)):
        last = read(adapter, path)[-1]
        assert isinstance(last, Checkpoint)
        cursor = Cursor(*json.loads(json.dumps(last.cursor)))
        assert [type(item) for item in read(adapter, path, cursor)] == [Checkpoint]


def test_nothing_of_ours_and_no_hooks_words_are_anybodys(harness: str, tmp_path: Path) -> None:
    for adapter, path in found(lay_out(harness, tmp_path)):
        for event in read(adapter, path):
            if isinstance(event, Event) and event.role is not Role.HARNESS:
                assert "-MARK" not in event.text, event.text
            if isinstance(event, Event) and event.origin is Origin.PERSON:
                assert event.role is Role.USER


def test_samples_with_tool_calls_give_facts(harness: str, tmp_path: Path) -> None:
    items = [item for adapter, path in found(lay_out(harness, tmp_path)) for item in read(adapter, path)]
    if any(isinstance(item, Event) and item.calls for item in items):
        assert facts(items, harness)


def test_damage_is_counted(harness: str, tmp_path: Path) -> None:
    for seed in range(25):
        survives(harness, seed, tmp_path / str(seed))


@pytest.mark.slow
def test_much_damage_is_counted(harness: str, tmp_path: Path) -> None:
    for seed in range(25, 500):
        survives(harness, seed, tmp_path / str(seed))


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("adapter", adapters(), ids=lambda adapter: adapter.name)
def test_every_adapter_declares_its_places_and_what_was_checked(adapter: Adapter, platform: str) -> None:
    places = list(adapter.places(Path("/home/dev"), {}, platform))
    elsewhere = adapter.name == "visualstudio-copilot" and platform != "win32"
    assert places or elsewhere or adapter.name.endswith("-export")
    assert adapter.checked
    assert all(place.is_absolute() for place in places)


def survives(harness: str, seed: int, tmp_path: Path) -> None:
    dice = random.Random(f"{harness} {seed}")
    root = lay_out(harness, tmp_path)
    sources = found(root)
    paths = [path for _, path in sources]
    beside = [path for path in sorted(root.rglob("*")) if path.is_file() and path not in paths]
    damage(dice.choice([*paths, *paths, *beside]), dice)
    for adapter, path in sources:
        items = read(adapter, path, finished=dice.random() < 0.5)
        kept, ordinal = counted(items)
        assert kept == ordinal, f"{harness} {seed} {path}"
        for event in items:
            if isinstance(event, Event):
                spans = [result.span for result in event.results]
                assert all(0 <= span.start <= span.end <= len(event.text) for span in spans)
