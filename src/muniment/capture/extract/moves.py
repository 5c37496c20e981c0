"""Renames and moves: from patches, from move calls, from `mv` and `git mv`, and from what git says.

The subject is the old path, the literal the new path, both as written. Where the literal is not yet the new path (a
target folder, a `cd` before the command, git's `{a => b}` short form) the context says it: `to:src/b.py`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from muniment.capture.extract import answers, patches, programs, shell
from muniment.capture.extract.answers import Answered, Outcome
from muniment.capture.extract.contract import Window
from muniment.model.entity import Entity, path_key
from muniment.model.event import Action, Call, Span
from muniment.model.fact import OBSERVED, Archived, Draft

_CONDITIONAL = frozenset("if for while until case select function".split())
_UNSURE_FLAGS = re.compile(r"-[a-zA-Z]*[nut][a-zA-Z]*|--(?:no-clobber|update|target-directory|dry-run)(?:=.*)?")
_COMPLAINTS = re.compile(r"^(?:mv|fatal|error|bash|sh|zsh): ", re.MULTILINE)
_COMMITTING = frozenset("commit merge pull cherry-pick revert".split())
_RENAME = re.compile(r" rename (.{1,1000}) \(\d+%\)")
_RENAMED = re.compile(r"\s+renamed: +(\S.{0,500}) -> (\S.{0,500})")
_SHORT = re.compile(r"R[ MD] (\S.{0,500}) -> (\S.{0,500})")
_BRACES = re.compile(r"([^{}]{0,500})\{([^{}]{0,500}) => ([^{}]{0,500})\}([^{}]{0,500})")


def moved_by(event: Archived, window: Window) -> Iterator[Draft]:
    """Every move that a successful call made, and every rename that git printed while committing or in a status."""
    for found in answers.answered(event, window, (Action.PATCH, Action.MOVE, Action.RUN)):
        if answers.went_well(found.result):
            yield from _MADE[found.call.action](event, found)
    for outcome in answers.outcomes(event, window, Action.RUN):
        yield from _printed(event, outcome)


def _draft(event: Archived, old: str, place: Span, to: str = "", witness: bytes | None = None) -> Draft:
    literal = answers.cut(event, place)
    context = f"to:{to}" if to and to != literal and not any(c.isspace() for c in to) else ""
    return Draft(
        "moved_by", Entity("path", old), place, literal=literal, rung=OBSERVED, witness=witness, context=context
    )


def _by_patch(event: Archived, found: Answered) -> Iterator[Draft]:
    patch = answers.argument(event, found.call, "patch")
    files = [] if patch is None else patches.changes(answers.cut(event, patch), patch.start)
    for file in files:
        if file.to is not None and answers.has_text(event, file.to):
            yield _draft(event, answers.cut(event, file.path), file.to, witness=found.witness)


def _by_call(event: Archived, found: Answered) -> Iterator[Draft]:
    old, new = answers.argument(event, found.call, "path"), answers.argument(event, found.call, "to")
    if old is not None and new is not None:
        yield _draft(event, answers.cut(event, old), new, witness=found.witness)


def _by_command(event: Archived, found: Answered) -> Iterator[Draft]:
    command = answers.argument(event, found.call, "command")
    if command is None or "mv" not in answers.cut(event, command):
        return
    base: str | None = _folder(event, found.call)
    segments = shell.segments(answers.cut(event, command), command.start)
    if _untellable(segments):
        return
    for index, segment in enumerate(segments):
        base = _entered(segment, base)
        move = _operands(segment.words) if base is not None and _happened(segments, index, found) else None
        if move is not None and base is not None:
            yield from _one_move(event, move, base, found.witness)


_MADE = {Action.PATCH: _by_patch, Action.MOVE: _by_call, Action.RUN: _by_command}


def _one_move(
    event: Archived, move: tuple[shell.Word, shell.Word, str], base: str, witness: bytes | None
) -> Iterator[Draft]:
    old, new, folder = move
    base = posixpath.join(base, folder)
    target = new.value + posixpath.basename(old.value.rstrip("/")) if new.value.endswith("/") else new.value
    if new.span is not None and answers.has_text(event, new.span):
        yield _draft(event, posixpath.join(base, old.value), new.span, posixpath.join(base, target), witness)


def _untellable(segments: list[shell.Segment]) -> bool:
    """Conditions, loops, alternatives: whether a command ran, and how often, is not in the words."""
    first = {segment.words[0].value for segment in segments}
    entered = first & {"cd", "pushd"} and any(segment.before == "(" for segment in segments)
    return bool(first & _CONDITIONAL or entered or any(segment.before == "||" for segment in segments))


def _happened(segments: list[shell.Segment], index: int, found: Answered) -> bool:
    """Did this command succeed, given that the whole line did? Later ones joined by `&&` prove it.

    After a `;` or a new line the whole line may succeed although the move did not: then it must not have complained.
    """
    after = [segment.after for segment in segments[index:-1]]
    if any(operator not in ("&&", ";") for operator in after[:1]):
        return False
    if all(operator == "&&" for operator in after):
        return True
    return not _COMPLAINTS.search(answers.tail(found.holder, found.result)[0])


def _operands(words: tuple[shell.Word, ...]) -> tuple[shell.Word, shell.Word, str] | None:
    """Old path, new path and the folder of `git -C` for `mv A B` and `git mv A B`; None for anything less plain."""
    words, folder = programs.stripped(words), ""
    git = programs.git_verb(words)
    if git is not None and git[0] == "mv":
        words, folder = git[1], git[2].value if git[2] is not None else ""
    elif words and programs.base_name(words[0]) == "mv":
        words = words[1:]
    else:
        return None
    plain = [word for word in words if not word.value.startswith("-")]
    unsure = any(_UNSURE_FLAGS.fullmatch(word.value) for word in words)
    if len(plain) != 2 or unsure or not all(word.fixed and word.value for word in plain):
        return None
    return plain[0], plain[1], folder


def _folder(event: Archived, call: Call) -> str:
    cwd = answers.argument(event, call, "cwd")
    written = "" if cwd is None else answers.cut(event, cwd)
    return "" if written == event.cwd else written


def _entered(segment: shell.Segment, base: str | None) -> str | None:
    """The folder after this segment; None once a `cd` cannot be followed."""
    words = programs.stripped(segment.words)
    if not words or words[0].value not in ("cd", "pushd", "popd"):
        return base
    if base is None or len(words) != 2 or not words[1].fixed or words[1].value.startswith(("-", "~")):
        return None
    return _short(posixpath.join(base, words[1].value))


def _short(folder: str) -> str:
    return "" if posixpath.normpath(folder) == "." else folder


def _printed(event: Archived, outcome: Outcome) -> Iterator[Draft]:
    """Renames in the output of a command line that commits, or asks for the status."""
    command = answers.argument(outcome.caller, outcome.call, "command")
    written = "" if command is None else answers.cut(outcome.caller, command)
    output, start = answers.tail(event, outcome.result)
    if "git" not in written or not (" => " in output or " -> " in output):
        return
    base: str | None = _folder(outcome.caller, outcome.call)
    verbs = set()
    for segment in shell.segments(written):
        base = _entered(segment, base)
        git = programs.git_verb(segment.words)
        verbs.update([git[0]] if git is not None and git[2] is None else [])
    if base is not None and verbs & (_COMMITTING | {"status"}) and not verbs & {"show", "log", "diff"}:
        yield from _rename_lines(event, output, start, base, verbs)


def _rename_lines(event: Archived, output: str, start: int, base: str, verbs: set[str]) -> Iterator[Draft]:
    for line in output.splitlines(keepends=True):
        bare = line.rstrip()
        if len(bare) <= 1100:
            if verbs & _COMMITTING and (stat := _RENAME.fullmatch(bare)) is not None:
                yield from _stat_line(event, stat, start, _root_of(event, base))
            elif "status" in verbs and (moved := _RENAMED.fullmatch(bare) or _SHORT.fullmatch(bare)) is not None:
                yield from _status_line(event, moved, start, base)
        start += len(line)


def _status_line(event: Archived, moved: re.Match[str], start: int, base: str) -> Iterator[Draft]:
    if '"' not in moved.group():  # git quotes odd names, and then they do not stand verbatim
        place = Span(start + moved.start(2), start + moved.end(2))
        yield _draft(event, posixpath.join(base, moved[1]), place, posixpath.join(base, moved[2]))


def _stat_line(event: Archived, stat: re.Match[str], start: int, base: str) -> Iterator[Draft]:
    short = _BRACES.fullmatch(stat[1])
    if short is not None:
        old, new = (_joined(short[1], short[i], short[4]) for i in (2, 3))
        place = Span(start + stat.start(1), start + stat.end(1))
    elif stat[1].count(" => ") == 1:
        old, new = stat[1].split(" => ")
        place = Span(start + stat.end(1) - len(new), start + stat.end(1))
    else:
        return
    if answers.has_text(event, place) and '"' not in stat[1]:
        yield _draft(event, posixpath.join(base, old), place, posixpath.join(base, new))


def _joined(head: str, middle: str, rest: str) -> str:
    return (head + middle + rest).replace("//", "/") if middle else head + rest.removeprefix("/")


def _root_of(event: Archived, base: str) -> str:
    """What git's own paths are relative to: the root of the workspace, or the folder that a `cd` named."""
    if event.root is None or (base == "" and event.cwd == event.root):
        return base
    inside = not path_key(base or ".", event.cwd, event.root).startswith(("/", "~")) if event.cwd else False
    return event.root if inside else base
