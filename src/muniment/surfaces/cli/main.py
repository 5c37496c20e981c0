"""The command line's frame: words in, one command run, one exit code out, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from muniment.errors import MunimentError
from muniment.surfaces.cli import output

_CHANGING = frozenset(
    (
        "index add confirm suspect retract restore supersede correct update expire pin unpin review load verify init "
        "mask forget pages"
    ).split()
)
"""Commands after which files that show what is remembered are rendered again."""


def entry() -> None:
    """What the installed program calls."""
    _speak_utf8()
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit code."""
    output.set_up()
    try:
        return _guarded(arguments)
    except BrokenPipeError:
        output.abandon()
        output.abandon(sys.stderr)
        return output.READER_GONE
    except KeyboardInterrupt:
        output.say("muniment: interrupted; what was committed stays")
        return output.INTERRUPTED


def _guarded(arguments: Sequence[str]) -> int:
    as_json = "--json" in arguments
    try:
        code = _run(arguments)
        output.close()
        return code
    except MunimentError as problem:
        return output.error(problem, as_json=as_json)
    except BrokenPipeError:
        raise
    except OSError as problem:
        return output.error(_system(problem), as_json=as_json)
    except Exception as problem:  # the last line of defence: said in one line, shown whole on demand
        if os.environ.get("MUNIMENT_DEBUG", "") not in ("", "0"):
            raise
        return output.error(_unexpected(problem), as_json=as_json)


def _run(arguments: Sequence[str]) -> int:
    from muniment.surfaces.cli.parser import parse

    try:
        words = parse(arguments)
    except SystemExit:  # --help or --version; they were only printed into the buffer
        output.close()
        raise
    from muniment.surfaces.cli.invocation import Invocation

    invocation = Invocation(words)
    try:
        module, _, function = words.run.partition(":")
        code = getattr(import_module(f"muniment.surfaces.cli.{module}"), function)(invocation)
        invocation.tell_caller()
        if words.command in _CHANGING:
            from muniment.surfaces.cli import refreshing

            refreshing.after(invocation)
        return int(code or output.OK)
    finally:
        invocation.close()


def _system(problem: OSError) -> MunimentError:
    where = str(problem.filename or "")
    return MunimentError(
        f"{problem.strerror or problem}{f': {where}' if where else ''}",
        hint="nothing was written by this step",
        about=where,
    )


def _unexpected(problem: Exception) -> MunimentError:
    told = " ".join(f"{type(problem).__name__}: {problem}".split())
    return MunimentError(
        f"unexpected: {told[:300]}", hint="a defect of ours: MUNIMENT_DEBUG=1 shows where; please report it"
    )


def _speak_utf8() -> None:
    """Start again in UTF-8 mode where the locale would garble arguments and names of files (never on Windows)."""
    if os.name == "posix" and not sys.flags.utf8_mode and sys.getfilesystemencoding().lower() not in ("utf-8", "utf8"):
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - ourselves again
