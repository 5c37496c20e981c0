"""Trains the zstd dictionary that the archive ships, on generated transcripts only, never on anybody's text.

    python -m muniment.testing.dictionary src/muniment/archive/dictionary.zstd

The same arguments and the same release of zstandard give the same bytes (release 0.25.0 made the one in the package).
Several dialects take part, so that sentences do not repeat and only formats and common words are worth their place.
64 KiB is the smallest size beyond which records of the real programs gained less than 3 %; plain text lost from there.
`--report` prints what the dictionary gains on generated records of a dialect that it never saw.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import zstandard

from muniment.testing.jsonl import encode
from muniment.testing.lexicon import Dice, lexicon
from muniment.testing.steps import Edit, Prompt, Read, Run, Say, Think
from muniment.testing.story import Story
from muniment.testing.transcripts import bytes_of, write_claude_code, write_codex

LEVEL = 3
LONGEST = 6_000
DIALECTS = range(20, 28)
UNSEEN = 99
SEGMENT, DMER = 1024, 8
TALK = (
    "I think |you should |we could |it looks like |let me know |thank you |thanks for |I don't know |there is |there are |that's |it's |I'm |I've |I'll |"
    "can you |could you please |would you like to |how do I |what do you think about |why is the |where is the |when I was |have you ever |do you have |"
    "I was wondering if |the other day |last week |next month |this morning |a couple of |a lot of |one of the |as well as |in order to |because of the |"
    "instead of |for example, |however, |by the way, |at the moment |on the other hand |make sure that |it turns out that |going to be |has been |have been |"
    "should be |would be |could be |will be |want to |need to |used to |trying to |looking forward to |working on the |talking about the |"
    "the problem is that |the reason is |it doesn't work |doesn't matter |not sure whether |really |actually |probably |maybe |definitely |something |anything |"
    "everything |someone |people |time |year |day |week |work |family |friend |home |project |company |different |important |interesting |great |good |better |"
    "happy |already |always |another |before |after |again |around |through |without |between |against |together |since |while |though |although |enough |"
    "Let me check |Let me look at |I'll start by |Now I'll |Now let me |The tests pass |All tests pass now. |Here is what I changed:\n\n|I found the issue. |"
    "The issue is that |This is because |Looking at the code, |Next, |First, |Finally, |In summary, |Should I |Would you like me to |No changes were needed. "
).split("|")
CODE = (
    'import os\n|import sys\n|import json\n|import re\n|from pathlib import Path\n|from typing import Any\n|if __name__ == "__main__":\n    main()\n|'
    "def __init__(self, |        self.|    return |        return None\n|    if not |    for | in range(|    with open(|    try:\n|    except Exception as e:\n|"
    "        raise ValueError(|isinstance(|    assert |@property\n    def |@pytest.fixture\ndef |class |lambda |not None|is None:\n|elif |else:\n|    pass\n|"
    "const |let |function |export default |export const |return (\n|=> {\n|});\n|useState(|async |await |console.log(|import React from 'react';\n|: string;\n|"
    "if err != nil {\n\t\treturn nil, err\n\t}\n|func (|:= |fmt.Errorf(|package main\n|type |struct {\n|pub fn |impl |let mut |-> Result<|.unwrap()|use std::|"
    '#include <stdio.h>\n|int main(void)\n{\n|static |void |printf("|SELECT | FROM | WHERE |INSERT INTO |CREATE TABLE IF NOT EXISTS |PRIMARY KEY |NOT NULL|'
    'https://github.com/|http://localhost:|/usr/local/lib/python3.12/site-packages/|node_modules/|Traceback (most recent call last):\n  File "|, line '
).split("|")


def records(dialect: int, size: int) -> Iterator[bytes]:
    """Raw records of both harnesses, cut where they are very long."""
    with tempfile.TemporaryDirectory() as folder:
        for n, version in enumerate(("2.1.328", "2.1.328", "2.1.197", "codex", "codex")):
            path = Path(folder) / f"{n}.jsonl"
            if version == "codex":
                write_codex(
                    path,
                    seed=dialect * 10 + n,
                    size_bytes=size,
                    dialect=dialect,
                    hooks=0.1,
                    cwd=f"/home/dev/{lexicon(dialect).nouns[n]}",
                )
            else:
                write_claude_code(
                    path,
                    seed=dialect * 10 + n,
                    size_bytes=size,
                    dialect=dialect,
                    version=version,
                    hooks=0.1,
                    cwd=f"/home/dev/{lexicon(dialect).nouns[n]}",
                )
            for file in sorted(Path(folder).rglob("*.jsonl")):
                with file.open("rb") as lines:
                    yield from (line[:-1][:LONGEST] for line in lines)
                file.unlink()


def texts(dialect: int, size: int) -> Iterator[bytes]:
    """What an archive holds beside raw records: the words and outputs of events."""
    story, left = Story(dialect, dialect=dialect), size
    while left > 0:
        for step in story.turn():
            match step:
                case Prompt() | Say() | Think():
                    text = step.text
                case Run():
                    text = f"{step.command}\n{step.stdout}{step.stderr}"
                case Read():
                    text = step.content
                case Edit():
                    text = "\n".join(step.hunks[0].lines)
                case _:
                    continue
            left -= len(text)
            yield text.encode()[:LONGEST]


def others(dialect: int, count: int) -> Iterator[bytes]:
    """Events of Copilot CLI and parts of OpenCode: their formats around generated values."""
    dice, words, story = Dice(dialect), lexicon(dialect), Story(dialect + 1, dialect=dialect)
    runs = [step for _ in range(count // 4) for step in story.turn() if isinstance(step, Run)]
    for n in range(count):
        run, text, ms = (
            runs[n % len(runs)],
            words.prose(dice, dice.between(40, 500)),
            1_796_050_000_000 + dice.below(9**9),
        )
        stamp, call, turn = "2026-11-30T14:53:32.139Z", f"call_{dice.name(12)}", dice.uuid4()
        tail = {"id": dice.uuid4(), "timestamp": stamp, "parentId": dice.uuid4()}
        usage = {
            "model": "gpt-4.1",
            "inputTokens": dice.below(90_000),
            "outputTokens": dice.below(900),
            "cacheReadTokens": dice.below(90_000),
            "cacheWriteTokens": 0,
            "cost": 0.0,
            "duration": dice.below(9_000),
            "initiator": "user",
            "finishReason": "tool_calls",
        }
        request = {
            "toolCallId": call,
            "name": "bash",
            "arguments": {"command": run.command, "description": run.description},
            "type": "function",
        }
        for kind, data in (
            ("user.message", {"content": text, "transformedContent": f"<current_datetime>{stamp}</current_datetime>\n\n{text}", "messageId": dice.uuid4(), "delivery": "idle", "interactionId": turn, "turnId": "0"}),
            ("assistant.message", {"messageId": dice.uuid4(), "model": "gpt-4.1", "content": text, "toolRequests": [request], "interactionId": turn, "turnId": "0"}),
            ("tool.execution_start", {"toolCallId": call, "toolName": "bash", "arguments": {"command": run.command}, "turnId": "0"}),
            ("tool.execution_complete", {"toolCallId": call, "model": "gpt-4.1", "interactionId": turn, "success": run.exit_code == 0, "result": {"content": run.stdout[:2_000], "detailedContent": run.stdout[:2_000]}, "turnId": "0"}),
            ("hook.start", {"hookInvocationId": turn, "hookType": "preToolUse", "input": {"sessionId": dice.uuid4(), "timestamp": ms, "cwd": "/home/dev/demo"}}),
            ("hook.end", {"hookInvocationId": turn, "hookType": "preToolUse", "success": True, "output": {"additionalContext": text}}),
            ("session.usage_record", {"usage": usage}),
        ):  # fmt: skip
            yield encode({"type": kind, "data": data, **tail}).encode()
        place = {"id": f"prt_{dice.name(13)}", "sessionID": f"ses_{dice.name(13)}", "messageID": f"msg_{dice.name(13)}"}
        tokens = {
            "total": dice.below(90_000),
            "input": dice.below(90_000),
            "output": dice.below(900),
            "reasoning": 0,
            "cache": {"write": 0, "read": dice.below(90_000)},
        }
        state = {
            "status": "completed",
            "input": {"command": run.command},
            "output": run.stdout[:2_000],
            "metadata": {"output": run.stdout[:2_000], "exit": run.exit_code, "truncated": False},
            "title": run.command,
            "time": {"start": ms, "end": ms + 90},
        }
        parts: tuple[dict[str, object], ...] = (
            {"type": "text", "text": text, "time": {"start": ms, "end": ms + 40}}, {"type": "tool", "tool": "bash", "callID": call, "state": state},
            {"snapshot": dice.hex(40), "type": "step-start"}, {"reason": "tool-calls", "snapshot": dice.hex(40), "type": "step-finish", "tokens": tokens, "cost": 0},
        )  # fmt: skip
        for part in parts:
            yield encode({**part, **place}).encode()
        yield encode(
            {
                "parentID": place["messageID"],
                "role": "assistant",
                "mode": "build",
                "agent": "build",
                "path": {"cwd": "/home/dev/demo", "root": "/home/dev/demo"},
                "cost": 0,
                "tokens": tokens,
                "modelID": "stub-model",
                "providerID": "stub",
                "time": {"created": ms, "completed": ms + 900},
                "finish": "tool-calls",
            }
        ).encode()


def sayings(dialect: int, count: int) -> Iterator[bytes]:
    """Turns of speech and of code that no grammar of ours makes, in random order."""
    dice = Dice(dialect)
    for n in range(count):
        yield "".join(dice.choices(CODE if n % 3 == 0 else TALK, k=24)).encode()


def samples() -> list[bytes | bytearray | memoryview]:
    """Everything the dictionary learns from, about 16 MB, always in the same order."""
    made: list[bytes | bytearray | memoryview] = []
    for dialect in DIALECTS:
        made += records(dialect, 250_000)
        made += texts(dialect, 400_000)
        made += others(dialect, 25)
        made += sayings(dialect, 100)
    return [sample for sample in made if len(sample) >= 16]


def train(size: int) -> bytes:
    """A dictionary of at most `size` bytes."""
    return zstandard.train_dictionary(size, samples(), k=SEGMENT, d=DMER, level=LEVEL, threads=0).as_bytes()


def ratios(data: bytes, held_out: list[bytes]) -> tuple[float, float]:
    """How many times smaller single records become, without and with the dictionary."""
    raw = sum(map(len, held_out))
    shared = zstandard.ZstdCompressionDict(data)
    plain, helped = zstandard.ZstdCompressor(level=LEVEL), zstandard.ZstdCompressor(level=LEVEL, dict_data=shared)
    return raw / sum(len(plain.compress(one)) for one in held_out), raw / sum(
        len(helped.compress(one)) for one in held_out
    )


def unseen() -> list[bytes]:
    """Generated records of half a kilobyte to four, of a dialect that took no part in training."""
    return [record for record in records(UNSEEN, 600_000) if 512 <= len(record) <= 4096 and record.endswith(b"}")]


def main(arguments: list[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m muniment.testing.dictionary", description="Train the archive's zstd dictionary."
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--size", type=bytes_of, default=bytes_of("64K"))
    parser.add_argument("--report", action="store_true", help="measure the dictionary at PATH instead of writing one")
    given = parser.parse_args(arguments)
    if not given.report:
        given.path.parent.mkdir(parents=True, exist_ok=True)
        given.path.write_bytes(train(given.size))
    data = given.path.read_bytes()
    without, with_it = ratios(data, unseen())
    found = {"bytes": len(data), "ratio": round(without, 2), "ratio_with_dictionary": round(with_it, 2)}
    sys.stdout.write(f"{json.dumps(found)}\n")


if __name__ == "__main__":
    main()
