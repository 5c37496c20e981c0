"""What hooks need of the engine: a view in milliseconds, and small files where a hook leaves what it saw.

A hook never writes to a store. It leaves files under the home folder, and `index` takes them in later (`engine/spool.py`):

    spool/sessions/<harness>-<pid>.json       which session a running harness has: read by whoever is called from it
        {"v", "harness", "session", "transcript", "cwd", "pid", "started", "at"}
        `pid` is the nearest ancestor of the hook that is no shell, which is the harness; `started` is when that process began
        (the system's own count, null where it tells none), so that a number used again is not taken for it; `at` is UTC.
        `transcript` and `cwd` are null where the harness does not tell. Replaced whole at every event, removed at the end.
    spool/queue/<workspace>/<name>.json       a session with something new: {"v", "harness", "session", "transcript", "cwd",
                                              "moment", "agent_role", "at"}; one file a session, the last event in it
    spool/missed/<workspace>/<name>.json      a moment at which the view could not be given, and why; told once
    spool/claims/<name>                       empty: this moment of this session is taken, or this session was given the view
    journal/<workspace>.jsonl                 what was given to whom (`engine/deliveries.py`)

Nothing costly is imported here: a test holds the list.
"""

from __future__ import annotations

import os
import sys
import time

from muniment.model import notation
from muniment.model.ground import digest, ground

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from muniment.views.wake import Rendered

__all__ = [
    "BUDGET", "Hook", "Look", "append", "claim", "deliver", "ground", "is_released", "miss", "note", "release", "tidy", "wake",
    "was_given",
]  # fmt: skip

VERSION = 1
BUDGET = 4096
PURPOSE = "purpose.md"
JOURNAL, SPOOL = "journal", "spool"
SESSIONS, QUEUE, MISSED, CLAIMS = "sessions", "queue", "missed", "claims"
WINDOW_S = 3
"""Two files that register one hook run it within this time: the second of them is silent."""
_KEPT_DAYS = 30
_HASHED = 4 << 20
"""Bytes of files that one view may hash; the state of what is larger is not known to it."""
_SHELLS = frozenset(
    "sh bash dash zsh ksh ash fish busybox env timeout nice nohup setsid sudo su cmd cmd.exe powershell pwsh".split()
)
_DEPTH = 16


class Hook:
    """One event of a harness: which moment of which session it is, and who is told."""

    __slots__ = (
        "agent_role",
        "at_ms",
        "cwd",
        "harness",
        "moment",
        "pid",
        "session",
        "started",
        "transcript",
        "workspace",
    )

    def __init__(self, harness: str, moment: str, session: str, cwd: str, workspace: str, at_ms: int) -> None:
        self.harness, self.moment, self.session, self.cwd = harness, moment, session, cwd
        self.workspace, self.at_ms = workspace, at_ms
        self.transcript: str | None = None
        self.agent_role = "main"
        self.pid, self.started = harness_process()

    @property
    def name(self) -> str:
        """The session's name, or one that holds for as long as the harness runs."""
        return self.session or f"{self.harness}-{self.pid}"

    @property
    def key(self) -> str:
        """The session as part of a file's name."""
        return digest(self.name)


# --- the view ---------------------------------------------------------------------------------------------------------


def lend(home: str, key: Callable[[], str | None]) -> None:
    """Stores in this home are opened by that key from now on."""
    from muniment.storage.sqlite import encryption

    encryption.lend(home, key)


def wake(home: str, place: tuple[str, str, str, bool], now_ms: int, budget: int = BUDGET) -> Rendered:
    """The wake view of a workspace; a MunimentError says why there is none."""
    from muniment.engine.waking import Wake, purposes  # most hooks only leave a record
    from muniment.storage.sqlite.hot import Glance
    from muniment.views.wake import rendered

    identity, root, name, _ = place
    folder = os.path.join(home, "workspaces", identity)
    with Glance(os.path.join(folder, "memory.db")) as reads:
        view = Wake(reads, now_ms, local, Look(reads.path_state, root).mark)
        head = view.header(name, purposes(purpose_places(folder, root), local))
        return rendered(head, view.sections(), budget)


def purpose_places(folder: str, root: str) -> list[tuple[str, str, str]]:
    """Where a purpose may be written: in the home folder, which is the person's alone, else in the project."""
    own = (os.path.join(folder, PURPOSE), f"home:{PURPOSE}", "")
    return [own, (os.path.join(root, PURPOSE), PURPOSE, "origin:repository")]


def local(ms: int) -> str:
    """A time as clock and calendar of this machine show it: `2026-11-30 16:11:21+01:00`."""
    try:
        t = time.localtime(ms // 1000)
        offset = t.tm_gmtoff
    except (OverflowError, OSError, ValueError):
        t, offset = time.gmtime(0), 0
    sign, offset = "-" if offset < 0 else "+", abs(offset)
    zone = f"{sign}{offset // 3600:02}:{offset // 60 % 60:02}" + (f":{offset % 60:02}" if offset % 60 else "")
    return f"{t.tm_year:04}-{t.tm_mon:02}-{t.tm_mday:02} {t.tm_hour:02}:{t.tm_min:02}:{t.tm_sec:02}{zone}"


def stored(ms: int) -> str:
    """A time as it is stored."""
    t = time.gmtime(ms // 1000)
    day = f"{t.tm_year:04}-{t.tm_mon:02}-{t.tm_mday:02}"
    return f"{day}T{t.tm_hour:02}:{t.tm_min:02}:{t.tm_sec:02}.{ms % 1000:03}Z"


class Look:
    """Compares anchors with the files of a work tree as `engine.truth` does, within a bound on what it hashes."""

    def __init__(self, path_state: Callable[[int], tuple[Any, ...]], root: str) -> None:
        self._path_state, self._root = path_state, root
        self._left = _HASHED

    def mark(self, path: int, anchor: str, observed_ms: int) -> str | None:
        """None if the file is as it was, else `stale:<session>`, `stale:outside`, or `unchecked`."""
        key, written_ms, written_anchor, session = self._path_state(path)
        now = self._sha256(key if key.startswith("/") or key[1:2] == ":" else f"{self._root}/{key}")
        if now == anchor:
            return None
        if now == "unchecked":
            return now
        explained = written_ms is not None and written_ms > observed_ms and written_anchor in (None, now)
        from muniment.views.escapes import escaped

        return f"stale:{escaped(session or 'outside').replace(' ', '_') if explained else 'outside'}"

    def _sha256(self, full: str) -> str | None:
        try:
            at = os.stat(full)
            if at.st_mode & 0o170000 != 0o100000:
                return None
            if at.st_size > self._left:
                return "unchecked"
            self._left -= at.st_size
            return str(_sha256(_bytes(full)).hexdigest())
        except ValueError:
            return None
        except OSError as error:
            return (
                None
                if isinstance(error, FileNotFoundError | NotADirectoryError) or error.errno in _ABSENT
                else "unchecked"
            )


def _bytes(path: str) -> bytes:
    """A small file, at the least cost."""
    number, pieces = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0)), []
    try:
        while piece := os.read(number, _HASHED):
            pieces.append(piece)
    finally:
        os.close(number)
    return b"".join(pieces)


_ABSENT = (22, 36, 40)  # EINVAL, ENAMETOOLONG, ELOOP: no such file can be there


def _sha256(data: bytes) -> Any:
    """The interpreter's own: to load the library of hashes takes longer than to hash a few small files."""
    global _hash  # noqa: PLW0603 - found once
    if _hash is None:
        try:
            _hash = __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
        except ImportError:
            from hashlib import sha256 as _hash
    return _hash(data)


_hash: Any = None


# --- what a hook leaves -----------------------------------------------------------------------------------------------


def note(home: str, hook: Hook) -> None:
    """Leave a record of the session and a request to read its transcript. OSError if the home takes no files."""
    about = {
        "v": VERSION,
        "harness": hook.harness,
        "session": hook.session,
        "transcript": hook.transcript,
        "cwd": hook.cwd,
    }
    record = os.path.join(home, SPOOL, SESSIONS, f"{hook.harness}-{hook.pid}.json")
    if hook.moment == "end":
        _remove(record)
        tidy(home)
    elif hook.session:
        _put(record, {**about, "pid": hook.pid, "started": hook.started, "at": stored(hook.at_ms)})
    queued = os.path.join(home, SPOOL, QUEUE, hook.workspace, f"{hook.harness}-{hook.key}.json")
    _put(queued, {**about, "moment": hook.moment, "agent_role": hook.agent_role, "at": stored(hook.at_ms)})


def miss(home: str, hook: Hook, why: str) -> None:
    """Leave word that nothing could be given at this moment, and why."""
    told = {"v": VERSION, "harness": hook.harness, "session": hook.session, "moment": hook.moment, "why": why}
    path = os.path.join(home, SPOOL, MISSED, hook.workspace, f"{hook.key}-{hook.moment}.json")
    _put(path, {**told, "at": stored(hook.at_ms)})


def claim(home: str, hook: Hook, *, for_good: bool = False) -> bool:
    """Is this hook the first at its moment of its session (`for_good`: the first that gives this session anything)?

    A harness that is run again within the window is another: its session comes back without what the last run was given.
    """
    folder = os.path.join(home, SPOOL, CLAIMS)
    _make(folder)
    if for_good:
        _remove(os.path.join(folder, f"{hook.key}-again"))  # what a compaction took is back: the next prompt needs none
        return _is_first(os.path.join(folder, f"{hook.key}-given"))
    now = hook.at_ms // 1000
    name = f"{hook.key}-{hook.moment}-{hook.pid}"
    before = os.path.join(folder, f"{name}-{now // WINDOW_S - 1}")
    if time.time() - _written(before) < WINDOW_S:
        return False
    return _is_first(os.path.join(folder, f"{name}-{now // WINDOW_S}"))


def was_given(home: str, hook: Hook) -> bool:
    """Was this session given the view, and has it still, as far as hooks can tell?"""
    return os.path.exists(os.path.join(home, SPOOL, CLAIMS, f"{hook.key}-given"))


def release(home: str, hook: Hook) -> None:
    """What this session was given is about to leave its context: its next prompt is to be given it again."""
    folder = os.path.join(home, SPOOL, CLAIMS)
    _make(folder)
    _remove(os.path.join(folder, f"{hook.key}-given"))
    _is_first(os.path.join(folder, f"{hook.key}-again"))


def is_released(home: str, hook: Hook) -> bool:
    """Is this the prompt after that? True once."""
    try:
        os.unlink(os.path.join(home, SPOOL, CLAIMS, f"{hook.key}-again"))
    except FileNotFoundError:
        return False
    return True


def deliver(home: str, hook: Hook, given: Rendered, surface: str = "hook") -> None:
    """Write what is about to be given into the journal. OSError if it cannot be: then nothing may be given."""
    facts = [entry.id for entry in given.entries if entry.id]
    _make(os.path.join(home, JOURNAL))
    _journal(home, hook, surface, "wake", facts, len(given.text.encode("utf-8", "replace")))


def forget_given(home: str, hook: Hook) -> None:
    """A compaction takes from a session what it was given: from here on all of it counts as not received."""
    if os.path.exists(_journal_of(home, hook)):
        _journal(home, hook, "hook", "", [], 0)


def _journal_of(home: str, hook: Hook) -> str:
    return os.path.join(home, JOURNAL, f"{hook.workspace}.jsonl")


def _journal(home: str, hook: Hook, surface: str, query: str, facts: list[str], size: int) -> None:
    told = {
        "v": VERSION, "session": hook.name, "at": stored(hook.at_ms), "surface": surface, "moment": hook.moment,
        "agent_role": hook.agent_role, "query": query, "fact_ids": facts, "events": [], "bytes": size, "arm": None,
        "harness": hook.harness,
    }  # fmt: skip
    append(_journal_of(home, hook), notation.write_ascii(_kept(told)).encode("ascii"))


def append(path: str, line: bytes) -> None:
    """A line of its own, also behind one that a crash left without its end; in one write."""
    number = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        end = os.lseek(number, 0, os.SEEK_END)
        os.lseek(number, max(end - 1, 0), os.SEEK_SET)
        is_torn = end > 0 and os.read(number, 1) != b"\n"
        data = (b"\n" if is_torn else b"") + line + b"\n"
        while data:
            data = data[os.write(number, data) :]
    finally:
        os.close(number)


def _put(path: str, value: dict[str, Any]) -> None:
    """Replace a small file whole: whoever reads it sees the old one or the new one."""
    folder = os.path.dirname(path)
    fresh = f"{path}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    try:
        number = os.open(fresh, flags, 0o600)
    except FileNotFoundError:
        _make(folder)
        number = os.open(fresh, flags, 0o600)
    try:
        os.write(number, notation.write_ascii(_kept(value)).encode("ascii") + b"\n")
    finally:
        os.close(number)
    os.replace(fresh, path)


def _kept(told: dict[str, Any]) -> dict[str, Any]:
    """What may be kept of it: a name or a folder may hold a secret."""
    return {key: covered(value) if isinstance(value, str) else value for key, value in told.items()}


def covered(text: str) -> str:
    """The text without secrets. What finds one is loaded where there may be one, which is seldom."""
    if _is_plain(text):
        return text
    from muniment.gate.masks import mask

    return str(mask(text)[0])


def _is_plain(text: str) -> bool:
    """Is it made of words, numbers and ids as harnesses and people write them, none of which can be a secret?"""
    low = text.lower()
    if any(sign in low for sign in _SIGNS):
        return False
    for mark in "/\\._-:; ,'()\t\r\n\"!?":
        text = text.replace(mark, " ")
    fours = 0
    for piece in text.split():
        fours = fours + 1 if len(piece) == 4 and piece.isdigit() else 0
        is_word = len(piece) < 10 or (piece.isalpha() and (piece.islower() or len(piece) < 20))
        if fours > 2 or not (is_word or (len(piece) <= 12 and not piece.strip(_HEX))):
            return False
    return True


_SIGNS = ("=", "@", "<", "passw", "passphr", "pwd", "secret", "token", "key", "authorization", "cookie", "bearer", "iban", "ssn",
          "social security", "cpf", "fiscale")  # fmt: skip
_HEX = "0123456789abcdef"


def _make(folder: str) -> None:
    """Make a folder of the home, and what is missing above it, for nobody else to read."""
    if not os.path.isdir(folder):
        if (above := os.path.dirname(folder)) != folder:
            _make(above)
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            return  # another hook was faster


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _is_first(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def tidy(home: str) -> None:
    """Let go of claims and records: most claims are needed for seconds, the rest for as long as a session lasts."""
    now = time.time()
    for kind in (CLAIMS, SESSIONS):
        folder = os.path.join(home, SPOOL, kind)
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            lasts = kind == SESSIONS or name.endswith(("-given", "-again"))
            if now - _written(os.path.join(folder, name)) > (_KEPT_DAYS * 86_400 if lasts else 60):
                _remove(os.path.join(folder, name))


def _written(path: str) -> float:
    """When a file was written; 0 where there is none."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


# --- the process around a hook ----------------------------------------------------------------------------------------


def harness_process() -> tuple[int, str | None]:
    """The harness that runs this hook: the nearest ancestor that is no shell, and when it began."""
    number = first = os.getppid()
    for _ in range(_DEPTH):
        told = process(number)
        if told is None:
            break
        name, parent, started = told
        if name not in _SHELLS:
            return number, started
        if parent <= 1:
            break
        number = parent
    return first, None


def process(number: int) -> tuple[str, int, str] | None:
    """(name, parent, when it began) of a process; None where the system does not show it."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    return (name, int(fields[1]), fields[19]) if len(fields) > 19 else None
