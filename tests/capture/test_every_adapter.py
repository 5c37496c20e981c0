"""What holds for every registered adapter, whatever its harness writes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.capture.harnesses import HARNESSES, HERE, OLDER, found, golden, lay_out, read
from tests.capture.test_harnesses import survives

from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import OWN_MARK, OWN_SESSION, Adapter, Checkpoint, Cursor, Item, Reset
from muniment.model.event import Event, Kind, Origin, Role, Skipped

PLATFORMS = ("linux", "darwin", "win32")
TEXT = (".json", ".jsonl", ".md")
WRITES_AGAIN = frozenset({"gemini-cli"})
"""A message is written again, under its id, when its tools have answered: the later event is a revision of the first."""


@pytest.fixture(params=adapters(), ids=lambda adapter: str(adapter.name))
def adapter(request: pytest.FixtureRequest) -> Adapter:
    made: Adapter = request.param
    return made


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """The sources among all samples, by the adapter that takes them."""
    root, taken = tmp_path_factory.mktemp("samples"), dict[str, list[Path]]()
    for harness in [*HARNESSES, *sorted(OLDER - {"opencode"})]:
        for adapter, path in found(lay_out(harness, root)):
            taken.setdefault(adapter.name, []).append(path)
    return taken


def events(items: list[Item]) -> list[Event]:
    return [item for item in items if isinstance(item, Event)]


def prompts(items: list[Item]) -> list[Event]:
    return [event for event in events(items) if event.kind is Kind.PROMPT and event.origin is Origin.PERSON]


def test_each_has_a_name_of_its_own_and_a_sample(adapter: Adapter, samples: dict[str, list[Path]]) -> None:
    assert [other.name for other in adapters()].count(adapter.name) == 1
    assert adapter.name == "opencode" or samples[adapter.name]
    assert all(golden(harness).is_file() for harness in HARNESSES)
    assert all((HERE / "samples" / harness / "README.md").is_file() for harness in HARNESSES)


def test_it_says_where_it_looks_on_each_platform_and_what_it_was_checked_against(adapter: Adapter) -> None:
    home = Path("/home/somebody")
    found = {platform: list(adapter.places(home, {}, platform)) for platform in PLATFORMS}
    assert found == {platform: list(adapter.places(home, {}, platform)) for platform in PLATFORMS}
    assert all(place.is_absolute() for places in found.values() for place in places)
    assert any(found.values()) or adapter.name.endswith("-export")
    assert isinstance(adapter.checked, tuple)
    assert all(isinstance(version, str) for version in adapter.checked)


def test_a_place_that_is_empty_has_no_sources(adapter: Adapter, tmp_path: Path) -> None:
    assert [path for path in adapter.sources(tmp_path) if path.is_file()] == []


@pytest.mark.parametrize(
    "head", [b"", b"\n", b"{", b"[]", b"null", b"[[", b"\xff\xfe", b'{"type":7}', b"SQLite format 3\0", b"# x"]
)
def test_no_head_of_a_file_makes_it_raise(adapter: Adapter, head: bytes, tmp_path: Path) -> None:
    for name in ("x.json", "x.jsonl", "README.md", "state.db", "messages.jsonl", "events.jsonl"):
        assert adapter.recognises(tmp_path / name, head) in (True, False)
    assert not adapter.recognises(tmp_path / "README.md", head)


def test_it_reads_the_same_twice_and_no_two_events_are_one(adapter: Adapter, samples: dict[str, list[Path]]) -> None:
    for path in samples.get(adapter.name, []):
        items = read(adapter, path)
        assert read(adapter, path) == items
        named = Counter((event.session, event.native_id) for event in events(items) if event.native_id)
        assert adapter.name in WRITES_AGAIN or max(named.values(), default=1) == 1, path


def test_a_file_that_grows_is_read_as_if_it_had_been_there(
    adapter: Adapter, samples: dict[str, list[Path]], tmp_path: Path
) -> None:
    for path in samples.get(adapter.name, []):
        lines = path.read_bytes().splitlines(keepends=True)
        if path.suffix != ".jsonl" or len(lines) < 4 or adapter.name in WRITES_AGAIN:
            continue
        whole, growing = read(adapter, path), path.with_name(path.name)
        cursor, seen = None, list[Event]()
        for end in (len(lines) // 2, len(lines)):
            growing.write_bytes(b"".join(lines[:end]))
            items = read(adapter, growing, cursor, finished=end == len(lines))
            if any(isinstance(item, Reset) for item in items):
                seen = []
            seen += events(items)
            cursor = kept(items[-1])
        assert {event.seq: event for event in seen} == {event.seq: event for event in events(whole)}, path


def kept(item: Item) -> Cursor:
    """The cursor of a checkpoint as it comes back from the store."""
    assert isinstance(item, Checkpoint)
    return Cursor(*json.loads(json.dumps(item.cursor)))


def test_a_background_session_of_ours_is_not_captured(adapter: Adapter, samples: dict[str, list[Path]]) -> None:
    for path in changed(adapter, samples, f"{OWN_SESSION}>summarise</{OWN_SESSION[1:]}>"):
        items = read(adapter, path)
        assert all(OWN_SESSION not in event.text for event in events(items) if event.role is not Role.HARNESS), path
        assert any(isinstance(item, Skipped) and item.reason == "own" for item in items), path


def test_what_we_put_before_a_model_is_nobodys_prompt(adapter: Adapter, samples: dict[str, list[Path]]) -> None:
    for path in changed(adapter, samples, f"{OWN_MARK}-wake>we use uv</{OWN_MARK[1:]}-wake>"):
        assert all(OWN_MARK not in event.text for event in prompts(read(adapter, path))), path


def changed(adapter: Adapter, samples: dict[str, list[Path]], words: str) -> Iterator[Path]:
    """Samples in which the first prompt of the person says `words` instead; as they were afterwards."""
    for path in samples.get(adapter.name, []):
        said = prompts(read(adapter, path))
        if path.suffix not in TEXT or not said:
            continue
        before = path.read_bytes()
        for written in (
            json.dumps(said[0].text)[1:-1],
            json.dumps(said[0].text, ensure_ascii=False)[1:-1],
            said[0].text,
        ):
            if written.encode() in before and len(written) > 8:
                path.write_bytes(before.replace(written.encode(), json.dumps(words)[1:-1].encode()))
                yield path
                break
        path.write_bytes(before)


@pytest.mark.parametrize("harness", sorted(OLDER - {"opencode"}))
def test_damage_is_counted_by_the_older_ones_as_well(harness: str, tmp_path: Path) -> None:
    for seed in range(25):
        survives(harness, seed, tmp_path / str(seed))


def test_a_sub_agents_prompt_is_never_a_persons(adapter: Adapter, samples: dict[str, list[Path]]) -> None:
    for path in samples.get(adapter.name, []):
        assert all("/" not in event.session for event in prompts(read(adapter, path))), path
