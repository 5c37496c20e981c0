"""One event in, an answer or nothing out, exit code 0 whatever happens."""

from __future__ import annotations

import gc
import os
import sys
import time
from _thread import start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NoReturn

    from muniment.engine.hot import Hook
    from muniment.surfaces.hook.event import Event

DEADLINE_S = 0.8
"""From the first line of ours; with the interpreter's start the whole stays under a second."""
MOST_CHARACTERS = 9_000
_MOST_BYTES = 4 << 20
_CHUNK = 1 << 16
_USAGE = (
    "usage: muniment-hook HARNESS [EVENT] < event.json   (for hooks of agent harnesses; people use `muniment wake`)\n"
)


def run() -> NoReturn:
    """Answer the event on stdin and end the process, in time whatever hangs."""
    gc.disable()
    start_new_thread(_end_in_time, ())
    _fill_gaps()
    os._exit(serve(sys.argv[1:], os.environ, sys.platform))


def serve(arguments: Sequence[str], variables: Mapping[str, str], platform: str, source: int = 0, sink: int = 1) -> int:
    """Answer one event; the exit code, which is 0. A hook never hurts its host: what goes wrong is told on demand alone."""
    out = b""
    try:
        out = answer(arguments, variables, platform, source)
    except BaseException as problem:  # noqa: BLE001 - the last line of defence; `_looked_up` has left word of it
        _tell(problem, variables)
    try:
        while out:
            out = out[os.write(sink, out) :]
    except OSError:
        return 0  # nobody listens
    return 0


def answer(arguments: Sequence[str], variables: Mapping[str, str], platform: str, source: int = 0) -> bytes:
    """The answer to the event that can be read from the file number `source`."""
    from muniment.surfaces.hook.table import HARNESSES

    row = HARNESSES.get(arguments[0]) if arguments else None
    if row is None:
        os.write(2, _USAGE.encode())
        return b""
    from muniment.surfaces.hook import event as events

    event = events.Event(row, arguments[0], list(arguments[1:]), received(source), variables)
    given = _respond(_home(variables, platform), row, event)
    return event.shaped(row["quiet"], "") if given is None else given


def _respond(home: str, row: Mapping[str, Any], event: Event) -> bytes | None:
    """Leave a record; the answer if this is a moment at which something is given and something is there."""
    from muniment.engine import hot

    if event.is_foreign:
        return None
    now_ms = time.time_ns() // 1_000_000
    place = hot.ground(event.cwd)
    hook = hot.Hook(event.harness, event.moment, event.session, event.cwd, place[0], now_ms)
    hook.transcript, hook.agent_role = event.transcript, event.agent
    try:
        hot.note(home, hook)
        if hook.moment == "before-compact":
            hot.forget_given(home, hook)
            if row.get("again"):
                hot.release(home, hook)
        is_due = _is_due(home, row, hook)
    except OSError:
        return None  # where the home takes no file nothing can be recorded, and so nothing is given
    return _looked_up(home, row, event, hook, place) if is_due else None


def _is_due(home: str, row: Mapping[str, Any], hook: Hook) -> bool:
    """Is this a moment at which the view is given, and this the first hook that it runs?"""
    from muniment.engine import hot

    if hook.moment in row["gives"]:
        return hot.claim(home, hook)
    if hook.moment != "prompt":
        return False
    if row.get("again") and hot.is_released(home, hook):
        hook.moment = "compact"
        return True
    return bool(row.get("first")) and not hot.was_given(home, hook) and hot.claim(home, hook)


def _looked_up(
    home: str, row: Mapping[str, Any], event: Event, hook: Hook, place: tuple[str, str, str, bool]
) -> bytes | None:
    """The answer, and the journal's line before it: what cannot be recorded is not given."""
    from muniment.engine import hot
    from muniment.errors import EncryptedStoreError, MunimentError, NotFoundError

    try:
        try:
            view = hot.wake(home, place, hook.at_ms)
        except EncryptedStoreError:  # the few who encrypt pay for finding the key
            _lend_key(home)
            view = hot.wake(home, place, hook.at_ms)
        out = event.fitted(row["answer"], view, MOST_CHARACTERS)
        if out:
            hot.deliver(home, hook, view)
            hot.claim(home, hook, for_good=True)
        return out or None
    except NotFoundError:
        return None  # nothing is remembered of this project
    except Exception as problem:
        hot.miss(
            home, hook, str(problem) if isinstance(problem, MunimentError) else f"unexpected {type(problem).__name__}"
        )
        raise


def _lend_key(home: str) -> None:
    from pathlib import Path

    from muniment import config
    from muniment.engine import hot

    hot.lend(home, lambda: config.key(Path(home), os.environ))


def received(source: int = 0) -> str:
    """The event: all that comes, up to its end, or to what is one whole object. Empty where it is longer than any event."""
    data, chunk = bytearray(), b""
    while len(data) <= _MOST_BYTES:
        try:
            chunk = os.read(source, _CHUNK)
        except OSError:
            break
        data += chunk
        if not chunk or (len(chunk) < _CHUNK and _is_whole(data)):
            return data.decode("utf-8", "replace")
    while chunk:
        chunk = os.read(source, _CHUNK)  # a host that is still writing must not meet a closed pipe
    return ""


def _is_whole(data: bytearray) -> bool:
    """Some hosts leave the pipe open behind the event."""
    from muniment.model import notation

    if not data.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(notation.read(data.decode("utf-8", "replace")), dict)
    except ValueError:
        return False


def _home(variables: Mapping[str, str], platform: str) -> str:
    """As `config` finds it, without its price."""
    if chosen := variables.get("MUNIMENT_HOME"):
        return os.path.abspath(chosen)
    user = os.path.expanduser("~")
    if platform == "win32":
        base = variables.get("LOCALAPPDATA") or os.path.join(user, "AppData", "Local")
    elif platform == "darwin":
        base = os.path.join(user, "Library", "Application Support")
    else:
        given = variables.get("XDG_DATA_HOME") or ""
        base = given if os.path.isabs(given) else os.path.join(user, ".local", "share")
    return os.path.join(base, "muniment")


def _end_in_time() -> None:
    """Whatever hangs (a disk, a lock, a pipe that nobody fills), the host goes on."""
    time.sleep(DEADLINE_S)
    os._exit(0)


def _fill_gaps() -> None:
    """A host may start us with closed streams: a file that we open must not get their numbers, and so our answer."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _tell(problem: BaseException, variables: Mapping[str, str]) -> None:
    if variables.get("MUNIMENT_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exception(problem)
