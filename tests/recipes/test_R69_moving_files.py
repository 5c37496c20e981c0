"""R69: a file that grows, shrinks, is replaced, renamed and rewritten between passes: every record once, none lost."""

from __future__ import annotations

import os
import random

import pytest
from tests.recipes.support import Says, claude_records, codex_records, line, name_of, read_in

SESSION = name_of("claude-code")


class Moving:
    """A transcript that somebody works on, and what every pass must have seen of it."""

    def __init__(self, folder, root, rng):
        self.folder, self.root, self.rng = folder, root, rng
        self.path = folder / f"{SESSION}.jsonl"
        self.lines: list[bytes] = []
        self.half = b""
        self.made = 0
        self.seen: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        self.save()

    def record(self) -> bytes:
        self.made += 1
        made = next(
            iter(claude_records(SESSION, self.root, [Says(f"record {self.made} " + "x" * self.rng.randint(0, 120))]))
        )
        return line(made | {"uuid": f"{self.made:08x}-0000-4000-8000-000000000000"})

    def save(self) -> None:
        """In place, as an editor does that truncates and writes."""
        self.path.write_bytes(b"".join(self.lines) + self.half)

    def append(self) -> None:
        new = [self.record() for _ in range(self.rng.randint(1, 4))]
        with self.path.open("ab") as file:
            if self.half:
                file.write(self.whole[len(self.half) :])
                self.lines.append(self.whole)
                self.half = b""
            file.write(b"".join(new))
        self.lines += new

    def begin(self) -> None:
        """Half a line, as a harness leaves it that is still writing."""
        if not self.half:
            self.whole = self.record()
            self.half = self.whole[: self.rng.randint(1, len(self.whole) - 2)]
            with self.path.open("ab") as file:
                file.write(self.half)

    def truncate(self) -> None:
        del self.lines[self.rng.randint(0, len(self.lines)) :]
        self.half = b""
        os.truncate(self.path, sum(map(len, self.lines)))

    def replace(self) -> None:
        """Another file takes its name."""
        self.lines = [self.record() for _ in range(self.rng.randint(0, 5))]
        self.half = b""
        other = self.path.with_suffix(".new")
        other.write_bytes(b"".join(self.lines))
        other.replace(self.path)

    def rename(self) -> None:
        new = self.folder / f"{SESSION[:-4]}{self.rng.randint(0, 9999):04d}.jsonl"
        self.path.rename(new)
        self.path = new

    def rewrite(self) -> None:
        """Some record becomes another, in place."""
        if self.lines:
            at = self.rng.choice([0, len(self.lines) - 1])
            self.lines[at] = self.record()
            self.save()

    def rewind(self) -> None:
        """Back to an earlier state, and on from there."""
        keep = self.rng.randint(0, len(self.lines))
        self.lines, self.half = [*self.lines[:keep], self.record()], b""
        self.save()

    def touch(self) -> None:
        os.utime(self.path)

    def index(self, engine):
        report = read_in(engine, self.folder)
        self.seen.update(f"{self._number(row):08x}-0000-4000-8000-000000000000" for row in self.lines)
        return report

    def _number(self, row: bytes) -> int:
        return int(row.split(b'"uuid":"')[1][:8], 16)


OPERATIONS = ("append", "begin", "truncate", "replace", "rename", "rewrite", "rewind", "touch")


def play(make_engine, tmp_path, seed):
    rng = random.Random(seed)
    engine = make_engine(home=tmp_path / f"home{seed}")
    file = Moving(tmp_path / f"t{seed}", engine.workspace.root, rng)
    played = []
    for _ in range(8):
        played.append(rng.choice(OPERATIONS))
        getattr(file, played[-1])()
        if rng.random() < 0.7:
            file.index(engine)
    file.index(engine)
    rows = engine.store().db.rows("SELECT native_id, count(*) FROM events GROUP BY native_id")
    assert {r[0] for r in rows} == file.seen, played
    assert {r[1] for r in rows} <= {1}, played
    shown = engine.store().db.rows("SELECT e.native_id FROM shown h JOIN events e ON e.n = h.event")
    assert len(shown) == len(file.seen), played
    assert read_in(engine, file.folder).new_events == 0, played
    full = make_engine(home=tmp_path / f"full{seed}")
    read_in(full, file.folder)
    now = {r[0] for r in full.store().db.rows("SELECT native_id FROM events")} if file.lines else set()
    assert now <= file.seen, played
    engine.close()
    full.close()


@pytest.mark.parametrize("seed", range(40))
def test_after_any_eight_operations_every_record_is_archived_once(make_engine, tmp_path, seed):
    play(make_engine, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_after_any_eight_operations_in_300_sequences(make_engine, tmp_path):
    for seed in range(1000, 1300):
        play(make_engine, tmp_path, seed)


def test_a_pass_over_what_did_not_change_reads_nothing(make_engine, tmp_path):
    engine = make_engine()
    file = Moving(tmp_path / "t", engine.workspace.root, random.Random(1))
    file.append()
    first = file.index(engine)
    assert (first.kept, file.index(engine).read) == (len(file.lines), 0)
    file.append()
    assert file.index(engine).kept == len(file.lines) - first.kept


def test_the_same_file_by_two_roads_is_one_source(engine, tmp_path, monkeypatch):
    file = Moving(tmp_path / "t", engine.workspace.root, random.Random(1))
    file.append()
    (tmp_path / "link").symlink_to(tmp_path / "t")
    (tmp_path / "t" / "twin.jsonl").symlink_to(file.path)
    roads = [
        file.path,
        tmp_path / "t" / ".." / "t" / file.path.name,
        tmp_path / "link" / file.path.name,
        tmp_path / "link",
    ]
    report = read_in(engine, *roads)
    assert (report.kept, len(engine.store().sources.all())) == (len(file.lines), 1)
    for road in roads:
        assert read_in(engine, road).read == 0
    monkeypatch.chdir(tmp_path)
    assert read_in(engine, file.path.relative_to(tmp_path)).read == 0
    assert list(engine.store().sources.all()) == [str(file.path)]
    assert engine.store().db.rows("SELECT DISTINCT source_uri FROM sessions") == [(file.path.as_uri(),)]


def test_what_was_read_before_a_file_turned_out_torn_is_void(engine, tmp_path):
    """Records that were yielded since the last checkpoint do not count when the file changed under the reader."""
    from muniment.capture.transcripts.adapters import adapters
    from muniment.engine import indexing

    file = Moving(tmp_path / "t", engine.workspace.root, random.Random(1))
    file.append()
    before = list(file.lines)
    claude = next(a for a in adapters() if a.name == "claude-code")

    class Shrinking:
        """The file is replaced while it is read."""

        name = claude.name

        def read(self, source, cursor):
            changed = False
            for item in claude.read(source, cursor):
                yield item
                if not changed:
                    changed = True
                    file.lines = [file.record()]
                    file.save()

    report = indexing.index(engine, [(Shrinking(), file.path)], named=True)
    assert report.read == report.kept + report.skipped.total() == 1
    found = {r[0] for r in engine.store().db.rows("SELECT native_id FROM events")}
    assert found == {f"{file.made:08x}-0000-4000-8000-000000000000"}
    assert len(before) >= 1
    state = next(iter(engine.store().sources.all().values()))
    assert (state.read, state.kept) == (1, 1)


def test_records_without_names_of_their_own_are_known_again_by_place_and_words(engine, tmp_path):
    path = tmp_path / "rollout-x.jsonl"
    records = [
        line(r) for r in codex_records(name_of("codex"), engine.workspace.root, [Says(f"m{n}") for n in range(6)])
    ]
    for count in (3, 7, 2, 5, 7):
        path.write_bytes(b"".join(records[:count]))
        read_in(engine, path)
    assert engine.store().transfer.counts()["events"] == 7
