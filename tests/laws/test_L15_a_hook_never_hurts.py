"""L15. A hook never hurts the host: exit 0, well-formed or empty output, a hard deadline, no network, no model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.laws.mutants import Check, Mutant, Mutants, World, rejects, replaced
from tests.support import archive, ran, said

from muniment.engine import hot, waking
from muniment.errors import MunimentError
from muniment.surfaces.hook import answering, event, table
from muniment.views.wake import Rendered

HOSTILE = (
    b"", b"{", b"[]", b"null", b"{}\0", b'{"cwd":"\\u0000"}', b"\xff\xfe", b'{"session_id":{},"cwd":7,"source":[]}', b"[" * 100_000,
)  # fmt: skip
STATES = ("sound", "rubbish", "missing", "a folder", "no spool")


def _remembered(world: World) -> Path:
    engine = world.engine()
    archive(
        engine, [said("s1", 0, "2026-03-05 10:00", "Keep it short"), *ran("s1", 1, "2026-03-05 10:01", "make", "", 2)]
    )
    engine.close()
    return engine.path


def _served(world: World, store: Path, data: bytes, harness: str = "claude-code", name: str = "") -> tuple[int, bytes]:
    """Exit code and output of a hook that runs here."""
    home = store.parent.parent.parent
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
        source.write(data)
        source.seek(0)
        words = [harness, *([name] if name else [])]
        code = answering.serve(words, {"MUNIMENT_HOME": str(home)}, sys.platform, source.fileno(), sink.fileno())
        sink.seek(0)
        return code, sink.read()


def _is_sound(harness: str, out: bytes) -> bool:
    """Empty, or one whole answer in a shape of the harness, of a length that no host cuts."""
    if not out or table.HARNESSES[harness]["answer"] == table.PLAIN:
        return len(out.decode()) <= 9_000
    try:
        return isinstance(json.loads(out), dict) and len(out.decode()) <= 9_000
    except ValueError:
        return False


def _start(world: World, store: Path, session: str, **told: object) -> bytes:
    folder = str(store.parent.parent.parent.parent / "project")
    names = {"hook_event_name": "SessionStart", "source": "startup", "session_id": session, "cwd": folder}
    return json.dumps({**names, **told}).encode()


def check_whatever_comes_in_it_ends_well(world: World) -> None:
    store = _remembered(world)
    for harness in table.HARNESSES:
        for number, data in enumerate((*HOSTILE, _start(world, store, f"{harness}-x"))):
            for name in ("", *list(table.HARNESSES[harness]["events"])[:2]):
                code, out = _served(world, store, data, harness, name)
                assert code == 0, (harness, number, name)
                assert _is_sound(harness, out), (harness, number, out)


def check_whatever_the_store_is_it_ends_well(world: World) -> None:
    store = _remembered(world)
    for state in STATES:
        _bring(store, state)
        code, out = _served(world, store, _start(world, store, state))
        assert code == 0, state
        assert _is_sound("claude-code", out), state
        assert bool(out) == (state == "sound"), state


def _bring(store: Path, state: str) -> None:
    if state == "rubbish":
        store.write_bytes(b"\xa5" * 9_000)
    elif state == "missing":
        store.unlink()
    elif state == "a folder":
        store.mkdir()
    elif state == "no spool":
        spool = store.parent.parent.parent / "spool"
        spool.rename(spool.with_name("old"))
        spool.write_text("")


def check_a_defect_of_ours_ends_well_too(world: World) -> None:
    """Whatever part of us breaks, at the start or in the middle."""
    store = _remembered(world)
    parts = (
        (hot, "wake"),
        (hot, "note"),
        (hot, "deliver"),
        (event, "Event"),
        (waking, "last_of"),
        (answering, "received"),
    )
    for target, name in parts:
        for problem in (RuntimeError("x"), MunimentError("x"), OSError(5, "x"), MemoryError(), KeyboardInterrupt()):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(target, name, _raising(problem))
                code, out = _served(world, store, _start(world, store, f"{name}-{type(problem).__name__}"))
            assert (code, out) == (0, b""), (name, problem)


def _raising(problem: BaseException):
    def raises(*_: object, **__: object) -> None:
        raise problem

    return raises


def check_it_has_a_deadline_below_a_second_and_needs_no_network(world: World) -> None:
    assert answering.DEADLINE_S + 0.1 < 1
    begun = _ends(answering.DEADLINE_S)
    assert begun == 0
    before = set(sys.modules)
    store = _remembered(world)
    _served(world, store, _start(world, store, "n"))
    assert not (set(sys.modules) - before) & {"socket", "_socket", "ssl", "_ssl", "http", "urllib", "subprocess"}


def _ends(deadline: float) -> int:
    """The exit code of a process whose only way out is the deadline."""
    here = Path(answering.__file__).parents[3]
    script = (
        f"import sys; sys.path.insert(0, {str(here)!r}); from muniment.surfaces.hook import answering as a;"
        f"a.DEADLINE_S = {min(deadline, 5)!r}; a.start_new_thread(a._end_in_time, ()); input(); sys.exit(3)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE) as waiting:
        return waiting.wait(30)


CHECKS: tuple[Check, ...] = (
    check_whatever_comes_in_it_ends_well,
    check_whatever_the_store_is_it_ends_well,
    check_a_defect_of_ours_ends_well_too,
    check_it_has_a_deadline_below_a_second_and_needs_no_network,
)


def _lets_through(arguments, variables, platform, source=0, sink=1):
    """The hook without its last line of defence."""
    try:
        os.write(sink, answering.answer(arguments, variables, platform, source))
    except BaseException:  # noqa: BLE001 - what Python would make of it
        return 1
    return 0


def _bare(self, shape, text):
    return text.encode() + b"\n{" if text else b"{"


def _dials(path):
    import socket

    del socket
    return hot_ground(path)


def _forgets_socket(patch: pytest.MonkeyPatch) -> None:
    for name in ("socket", "_socket"):
        patch.delitem(sys.modules, name, raising=False)
    patch.setattr(hot, "ground", _dials)


hot_ground = hot.ground

MUTANTS: Mutants = {
    "an error ends the process with 1": Mutant(CHECKS[2], replaced(answering, "serve", _lets_through)),
    "a damaged store gives what it has": Mutant(
        CHECKS[1], replaced(hot, "wake", lambda *_: Rendered("<muniment>\n</muniment>\n"))
    ),
    "half an object is an answer": Mutant(CHECKS[0], replaced(event.Event, "shaped", _bare)),
    "no limit on what is said": Mutant(
        CHECKS[0], replaced(event.Event, "fitted", lambda s, shape, view, most: b"{}" * 5_000)
    ),
    "an hour's patience": Mutant(CHECKS[3], replaced(answering, "DEADLINE_S", 3600)),
    "it looks for a server": Mutant(CHECKS[3], _forgets_socket),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
