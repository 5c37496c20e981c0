"""What leaves the program: data on stdout, everything else on stderr, both UTF-8 whatever the locale."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any, TextIO

from muniment.errors import MunimentError

OK, INTERNAL, INTERRUPTED, READER_GONE = 0, 1, 130, 141
"""Exit codes beside those of the errors themselves (`MunimentError.exit_code`)."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


_REPORT_LOST = "what was asked for was done; only its report could not be printed"


class UnprintedError(MunimentError):
    """stdout takes no more (a full disk, say); what the command did before it spoke stays done."""

    code = "unprinted"


def set_up() -> None:
    """UTF-8 and bare line ends on both streams; what cannot be encoded is written out, so that printing never fails."""
    _fill_in()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _fill_in() -> None:
    """Stand-ins for streams that were closed before we began (`>&-`), and for their numbers.

    A file of ours that got number 1 would take in whatever something prints. A closed stdout is a reader that went
    away; a closed stderr loses what is said; a closed stdin is empty.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    sys.stdin = sys.stdin or _stream(os.open(os.devnull, os.O_RDONLY), "r")
    sys.stderr = sys.stderr or _stream(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        read_end, write_end = os.pipe()
        os.close(read_end)
        sys.stdout = _stream(write_end, "w")


def _stream(number: int, mode: str) -> TextIO:
    return open(number, mode, encoding="utf-8", closefd=False)  # type: ignore[return-value]


@contextlib.contextmanager
def printing(hint: str = _REPORT_LOST) -> Iterator[None]:
    """What fails in here is stdout and not the command. A reader that went away stays a BrokenPipeError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        abandon()
        raise UnprintedError(f"stdout: {problem.strerror or problem}", hint=hint, about="stdout") from problem


def data(text: str) -> None:
    """Exactly this text on stdout."""
    with printing():
        sys.stdout.write(text)


def line(text: str = "") -> None:
    """One line of data."""
    data(text + "\n")


def say(text: str) -> None:
    """One line for the person, on stderr. A stderr that takes nothing stops no command: nobody can be told."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        raise
    except OSError:
        abandon(sys.stderr)


def record(value: Mapping[str, Any]) -> None:
    """One JSON object on one line of stdout."""
    data(_json(value) + "\n")


def _json(value: Mapping[str, Any]) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def grouped(skipped: Mapping[str, int]) -> str:
    """Counts by reason in one line; what a harness calls its record types (`noise:...`) is left to --json."""
    groups: dict[str, int] = {}
    for reason, count in skipped.items():
        group = reason.split(":", 1)[0]
        groups[group] = groups.get(group, 0) + count
    return ", ".join(f"{name} {count}" for name, count in sorted(groups.items()))


def plain(value: Any) -> Any:
    """A value of ours as JSON takes it: whatever has named fields becomes an object."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def shown(text: str) -> str:
    """Recalled text for a terminal: its control characters are written out. What goes into a pipe is left verbatim."""
    return _CONTROL.sub(lambda m: f"\\u{ord(m.group()):04x}", text) if sys.stdout.isatty() else text


def error(problem: MunimentError, *, as_json: bool) -> int:
    """Say what went wrong, on stderr; the exit code."""
    if as_json:
        say(_json({"error": problem.as_dict()}))
        return problem.exit_code
    say(f"muniment: {problem.message}")
    if "\n" in problem.about:
        say(problem.about)
    if problem.hint:
        say(f"  {problem.hint}")
    return problem.exit_code


def close() -> None:
    """Flush; raises what stdout will not take here, where it is caught, and not at the end of the interpreter."""
    with printing():
        sys.stdout.flush()
    sys.stderr.flush()


def abandon(stream: IO[str] | None = None) -> None:
    """Nothing more can be written (to stdout, unless said otherwise), and the interpreter must not try at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, (stream or sys.stdout).fileno())
    os.close(null)
