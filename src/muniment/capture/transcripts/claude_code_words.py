"""Who says what in the user's turns of Claude Code: the person, another agent, or the harness."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from muniment.capture.transcripts.contract import OWN_SESSION
from muniment.capture.transcripts.pieces import obj, texts
from muniment.capture.transcripts.words import COMMAND, NOTE, PROMPT, Spoken, Who, without_injected
from muniment.model.event import Kind, Origin, Role, TextBuilder

_TEAM: Who = (Role.USER, Origin.AGENT, Kind.PROMPT)

_NAME = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGS = re.compile(r"<command-args>(.*)</command-args>", re.DOTALL)
_BASH = re.compile(r"\s*<bash-input>(.*)</bash-input>", re.DOTALL)
_COMMAND_TAGS = ("<command-name>", "<command-message>", "<command-args>")
_INTERRUPTED = "[Request interrupted by user"
_TEAM_TAG = "<teammate-message"


def spoken(pieces: list[str], aside: bool) -> Spoken:
    """Whose words these are. `aside`: the record itself says that they are not the user's."""
    whole = "\n".join(pieces)
    begin = whole[:64].lstrip()
    if begin.startswith(OWN_SESSION):
        return Spoken(NOTE, whole, own=True)
    if aside:
        return Spoken(NOTE, whole, ("injected",))
    if begin.startswith(_INTERRUPTED):
        return Spoken(NOTE, whole, ("interrupted",))
    if begin.startswith(_TEAM_TAG):
        return Spoken(_TEAM, whole)
    if begin.startswith(_COMMAND_TAGS):
        return _command(whole)
    if typed := _BASH.match(whole):
        return Spoken(COMMAND, typed[1])
    return _prompt(pieces)


def _command(whole: str) -> Spoken:
    """A slash command, as it was typed: name and arguments."""
    name, arguments = _NAME.search(whole), _ARGS.search(whole)
    line = TextBuilder()
    if name:
        line.add(name[1].strip())
    if arguments and arguments[1].strip():
        line.add(arguments[1].strip(), " ")
    return Spoken(COMMAND, line.text) if line.parts else Spoken(NOTE, whole, ("injected",))


def _prompt(pieces: list[str]) -> Spoken:
    into = TextBuilder()
    for piece in pieces:
        for own in without_injected(piece) if "<" in piece else (piece,):
            into.add(own)
    if any(part.strip() for part in into.parts):
        return Spoken(PROMPT, into.text)
    return Spoken(NOTE, "\n".join(pieces), ("injected",) if pieces else ())


def strings(holder: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The words of an attachment: the texts under these keys, also one object deeper."""
    into = TextBuilder()
    for key in keys:
        value = holder.get(key)
        value = value.get("content", value.get("file", value)) if isinstance(value, dict) else value
        for text in texts(obj(value).get("content", value)):
            if text:
                into.add(text)
    return into.text
