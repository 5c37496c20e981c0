"""What leaves the program: data on stdout, everything else on stderr, both UTF-8 whatever the locale."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import IO, Any

from muniment.errors import MunimentError

OK, INTERNAL, INTERRUPTED, READER_GONE = 0, 1, 130, 141
"""Exit codes beside those of the errors themselves (`MunimentError.exit_code`)."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def set_up() -> None:
    """UTF-8 and bare line ends on both streams; what cannot be encoded is written out, so that printing never fails."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def data(text: str) -> None:
    """Exactly this text on stdout."""
    sys.stdout.write(text)


def line(text: str = "") -> None:
    """One line of data."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """One line for the person, on stderr."""
    sys.stderr.write(text + "\n")


def record(value: Mapping[str, Any]) -> None:
    """One JSON object on one line of stdout."""
    _json(sys.stdout, value)


def _json(stream: IO[str], value: Mapping[str, Any]) -> None:
    import json

    stream.write(json.dumps(value, ensure_ascii=False) + "\n")


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
        _json(sys.stderr, {"error": problem.as_dict()})
        return problem.exit_code
    say(f"muniment: {problem.message}")
    if "\n" in problem.about:
        say(problem.about)
    if problem.hint:
        say(f"  {problem.hint}")
    return problem.exit_code


def close() -> None:
    """Flush; raises BrokenPipeError here, where it is caught, and not at the end of the interpreter."""
    sys.stdout.flush()
    sys.stderr.flush()


def abandon() -> None:
    """The reader went away: nothing more can be written, and the interpreter must not try."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
