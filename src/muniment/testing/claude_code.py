"""Claude Code transcripts, record for record in the shape that versions 2.1.197 and 2.1.328 leave on disk.

Checked against sessions of the real program (stub model, hooks on every event). The real program writes compact JSON.
Tools that those sessions did not call (Edit, Write, WebFetch, the task list) and thinking blocks follow the shapes known
from public descriptions.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from muniment.testing.claude_frame import HAND_BACK, HOOK, MODEL, RESUME, Frame
from muniment.testing.jsonl import START, Clock, Lines, encode, pace
from muniment.testing.lexicon import Dice, derive
from muniment.testing.steps import (
    Compact,
    Delegate,
    Edit,
    Fetch,
    Hunk,
    Prompt,
    Read,
    Run,
    Say,
    Step,
    Think,
    Todo,
    Write,
)
from muniment.testing.story import Story

TRAILER = 2_600
SMALLEST = 32 * 1024


class Session(Frame):
    """One transcript file being written, step by step; a sub-agent's shares clock and names with its parent's."""

    def step(self, step: Step) -> None:
        """Write one step of the story."""
        match step:
            case Prompt():
                self.ask(step.text)
            case Say():
                self.answer(
                    f'{{"type":"text","text":{encode(step.text)}}}',
                    len(step.text),
                    stop="end_turn" if step.final else "tool_use",
                    first=not self.pending,
                )
                self.pending = not step.final
                if step.final:
                    self.closing()
            case Think():
                signature = self.dice.blob(200 + len(step.text) // 2)
                self.answer(
                    f'{{"type":"thinking","thinking":{encode(step.text)},"signature":"{signature}"}}',
                    len(step.text),
                    stop="tool_use",
                    first=not self.pending,
                )
                self.pending = True
            case Read():
                self._read(step)
            case Edit() | Write():
                self._change(step)
            case Run():
                self._run(step)
            case Fetch():
                result = encode(step.text)
                self.call(
                    "WebFetch",
                    f'{{"url":{encode(step.url)},"prompt":{encode(step.question)}}}',
                    result,
                    f'{{"bytes":{len(step.text) * 7},"code":200,"codeText":"OK","result":{result},"durationMs":1834,"url":{encode(step.url)}}}',
                    ms=1840,
                )
            case Todo():
                self._todo(step)
            case Delegate():
                self._delegate(step)
            case Compact():
                self._compact(step)

    def _full(self, path: str) -> str:
        return encode(f"{self.cwd}/{path}")

    def _read(self, step: Read) -> None:
        path = self._full(step.path)
        given = (
            f'{{"file_path":{path}}}'
            if step.lines == step.total
            else f'{{"file_path":{path},"offset":{step.start},"limit":{step.lines}}}'
        )
        numbered = "\n".join([f"{n}\t{line}" for n, line in enumerate(step.content.split("\n"), step.start)])
        self.call(
            "Read",
            given,
            encode(numbered),
            f'{{"type":"text","file":{{"filePath":{path},"content":{encode(step.content)},"numLines":{step.lines},"startLine":{step.start},"totalLines":{step.total}}}}}',
        )

    def _change(self, step: Edit | Write) -> None:
        path, plain = self._full(step.path), f"{self.cwd}/{step.path}"
        patch = _patch(step.hunks)
        done = encode(f"The file {plain} has been updated successfully.")
        if isinstance(step, Edit):
            old, new, every = encode(step.old), encode(step.new), "true" if step.replace_all else "false"
            given = f'{{"file_path":{path},"old_string":{old},"new_string":{new},"replace_all":{every}}}'
            self.call(
                "Edit",
                given,
                done,
                f'{{"filePath":{path},"oldString":{old},"newString":{new},"originalFile":{encode(step.before)},"structuredPatch":{patch},"userModified":false,"replaceAll":{every}}}',
            )
            return
        kind, content = "create" if step.before is None else "update", encode(step.after)
        said = encode(f"File created successfully at: {plain}") if step.before is None else done
        self.call(
            "Write",
            f'{{"file_path":{path},"content":{content}}}',
            said,
            f'{{"type":"{kind}","filePath":{path},"content":{content},"structuredPatch":{patch},"originalFile":{encode(step.before)},"userModified":false}}',
        )

    def _run(self, step: Run) -> None:
        given = f'{{"command":{encode(step.command)},"description":{encode(step.description)}}}'
        both = "\n".join(part for part in (step.stdout, step.stderr) if part)
        ms = int(step.seconds * 1000) + 20
        if step.exit_code:
            shown = f"Exit code {step.exit_code}\n{both}".rstrip()
            self.call("Bash", given, encode(shown), encode(f"Error: {shown}"), error=True, ms=ms)
            return
        shown = both.strip("\n")
        silent = "true" if not shown else "false"
        self.call(
            "Bash",
            given,
            encode(shown or "(Bash completed with no output)"),
            f'{{"stdout":{encode(step.stdout)},"stderr":{encode(step.stderr)},"interrupted":false,"isImage":false,"noOutputExpected":{silent}}}',
            ms=ms,
        )

    def _todo(self, step: Todo) -> None:
        text, state = step.items[step.changed]
        if not self.modern:
            items = [{"content": text, "status": state, "activeForm": text} for text, state in step.items]
            old = [{**item, "status": "pending"} if n == step.changed else item for n, item in enumerate(items)]
            said = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable"
            self.call("TodoWrite", encode({"todos": items}), encode(said), encode({"oldTodos": old, "newTodos": items}))
            return
        number = str(step.changed + 1)
        if step.created:
            self.call(
                "TaskCreate",
                encode({"subject": text, "description": text, "activeForm": text}),
                encode(f"Task #{number} created successfully: {text}"),
                encode({"task": {"id": number, "subject": text}}),
            )
            return
        before = "pending" if state == "in_progress" else "in_progress"
        self.call(
            "TaskUpdate",
            encode({"taskId": number, "status": state}),
            encode(f"Updated task #{number} status"),
            encode(
                {
                    "success": True,
                    "taskId": number,
                    "updatedFields": ["status"],
                    "statusChange": {"from": before, "to": state},
                }
            ),
        )

    def _delegate(self, step: Delegate) -> None:
        agent, begun = f"a{self.dice.hex(16)}", self.clock.ms
        call_count = sum(1 for inner in step.steps if isinstance(inner, (Read, Run)))
        with Lines(self.folder / f"agent-{agent}.jsonl") as lines:
            child = Session(
                lines,
                self.story,
                self.dice,
                self.clock,
                cwd=self.cwd,
                session=self.session,
                version=self._version,
                hooks=self.hooks / 2,
                api_requests=False,
                agent=agent,
            )
            child.prompt_id = self.prompt_id
            for inner in (Prompt(step.prompt), *step.steps, Say(step.report, final=True)):
                child.step(inner)
            self.children += lines.written
        passed = max(1, (self.clock.ms - begun) % 400_000)
        spent = f"<usage>subagent_tokens: {child.tokens}\ntool_uses: {call_count}\nduration_ms: {passed}</usage>"
        footer = f"agentId: {agent} (use SendMessage with to: '{agent}', summary: '<5-10 word recap>' to continue this agent)\n{spent}"
        given = {
            "description": step.description,
            "prompt": step.prompt,
            "subagent_type": "general-purpose",
            "run_in_background": False,
        }
        if self.modern:
            indented = step.report.replace("\n", "\n  ")
            content = [{"type": "text", "text": f"{HAND_BACK}  {indented}\n{footer}"}]
        else:
            content = [{"type": "text", "text": step.report}, {"type": "text", "text": footer}]
        outcome = {
            "status": "completed", "prompt": step.prompt, "agentId": agent, "agentType": "general-purpose", "content": [{"type": "text", "text": step.report}],
            "resolvedModel": MODEL, "totalDurationMs": passed, "totalTokens": child.tokens, "totalToolUseCount": call_count,
            "toolStats": {"readCount": 0, "searchCount": 0, "bashCount": call_count, "editFileCount": 0, "linesAdded": 0, "linesRemoved": 0, "otherToolCount": 0},
        }  # fmt: skip
        self.call("Agent", encode(given), encode(content), encode(outcome))
        meta = {
            "agentType": "general-purpose",
            "isBuiltIn": True,
            "description": step.description,
            "spawnDepth": 1,
            "model": MODEL,
            "finished": True,
        }
        with Lines(self.folder / f"agent-{agent}.meta.json") as lines:
            lines.add(encode(meta))
            self.children += lines.written

    def _compact(self, step: Compact) -> None:
        dice, last, before = self.dice, self.parent, self.tokens
        boundary, summary = dice.uuid4(), dice.uuid4()
        self._slug = self._slug or f',"slug":"{dice.pick(self.story.words.nouns)}-{dice.pick(self.story.words.nouns)}"'
        self._settle_tail()
        self.tokens = len(step.summary) // 4 + 2_000
        kept = f'{{"anchorUuid":"{summary}","uuids":[{last}],"allUuids":[{last}]}}'
        trigger = "auto" if step.automatic else "manual"
        self.lines.add(
            f'{{"parentUuid":null,"logicalParentUuid":{last},"isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,'
            f'"timestamp":"{self.clock.tick(9_000)}","uuid":"{boundary}","level":"info","compactMetadata":{{"trigger":"{trigger}","preTokens":{before},"durationMs":{dice.between(700, 90_000)},'
            f'"preservedSegment":{{"headUuid":{last},"anchorUuid":"{summary}","tailUuid":{last}}},"preservedMessages":{kept},"postTokens":{self.tokens},"cumulativeDroppedTokens":{max(0, before - self.tokens)}}},{self._tail}'
        )
        place = f'"turnPosition":{{"promptIndex":0,"turnIndex":{self.turns}}},' if self.modern else ""
        where = f"/home/dev/.claude/projects/{slug(self.cwd)}/{self.session}.jsonl"
        self.lines.add(
            f'{{"parentUuid":"{boundary}","isSidechain":false,"promptId":"{dice.uuid4()}","type":"user","message":{{"role":"user","content":{encode(RESUME.format(step.summary, where))}}},'
            f'"isVisibleInTranscriptOnly":true,"isCompactSummary":true,"uuid":"{summary}","timestamp":"{self.clock.tick(1)}",{place}{self._tail}'
        )
        self.lines.add(f'{{"type":"mode","mode":"normal",{self._id}}}')
        self.parent = f'"{summary}"'
        if not step.automatic:
            self._typed(
                "<local-command-caveat>The command below was run directly in Claude Code, not sent to you as a request, and its output goes straight to the user. It's recorded here as context for later messages.</local-command-caveat>",
                '"isMeta":true,',
            )
            self._typed(
                "<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args></command-args>",
                "",
            )
            self._typed("<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>", "")
        self.opening()
        self.hook("SessionStart", dice.uuid4(), "compact")

    def _typed(self, text: str, flag: str) -> None:
        head, uuid = self._told()
        self.lines.add(
            f'{head}"type":"user","message":{{"role":"user","content":{encode(text)}}},{flag}"uuid":"{uuid}","timestamp":"{self.clock.tick(1)}",{self._tail}'
        )

    def closing(self) -> None:
        """The end of a turn."""
        if self.agent:
            return
        if self.modern:
            head, uuid = self._link()
            self.lines.add(
                f'{head}"type":"system","subtype":"stop_hook_summary","hookCount":1,"hookInfos":[{{"command":"{HOOK}Stop","durationMs":{self.dice.between(20, 200)}}}],"hookErrors":[],"failedHookErrorIndexes":[],'
                f'"hookAdditionalContext":[],"preventedContinuation":false,"stopReason":"","hasOutput":false,"level":"suggestion","timestamp":"{self.clock.tick(60)}","uuid":"{uuid}","toolUseID":"{self.dice.uuid4()}",{self._tail}'
            )
            self.cost += self.tokens
            self.lines.add(
                f'{{"type":"cost-state",{self._id},"totalCostUSD":{self.cost * 3 // 1000 / 1000},"totalAPIDuration":{self.cost // 9},"totalAPIDurationWithoutRetries":{self.cost // 10},"totalToolDuration":{self.cost // 20},"totalLinesAdded":0,"totalLinesRemoved":0,'
                f'"totalDuration":{self.cost // 5},"startTime":{self.clock.ms - self.cost // 5},"modelUsage":{{"{MODEL}":{{"inputTokens":{self.cost},"outputTokens":{self.cost // 40},"thinkingTokens":0,"cacheReadInputTokens":0,"webSearchRequests":0}}}},"hasUnknownModelCost":false}}'
            )
        self.marks()


def _patch(hunks: tuple[Hunk, ...]) -> str:
    parts = [
        f'{{"oldStart":{h.old_start},"oldLines":{h.old_lines},"newStart":{h.new_start},"newLines":{h.new_lines},"lines":{encode(h.lines)}}}'
        for h in hunks
    ]
    return f"[{','.join(parts)}]"


def slug(cwd: str) -> str:
    """The name of a project's folder: every character other than ASCII letters, digits and - becomes -."""
    return "".join(c if c.isascii() and (c.isalnum() or c == "-") else "-" for c in cwd)


def write_claude_code(
    path: Path, *, seed: int, size_bytes: int | None = None, turns: int | None = None, cwd: str = "/home/dev/demo", session: str | None = None,
    version: str = "2.1.328", start: datetime = START, hooks: float = 0.25, api_requests: bool = False, dialect: int = 0,
) -> None:  # fmt: skip
    """Write one session and its sub-agents (`<path without suffix>/subagents/`), by turns or by size of all files together.

    `hooks` is the share of tool calls around which hooks ran. Raises ValueError unless exactly one of size and turns is
    given, or when the size is below 32 KiB.
    """
    if (size_bytes is None) == (turns is None):
        raise ValueError("give either size_bytes or turns")
    if size_bytes is not None and size_bytes < SMALLEST:
        raise ValueError(f"size_bytes must be at least {SMALLEST}")
    if version not in ("2.1.197", "2.1.328"):
        raise ValueError(f"no shape known for version {version!r}")
    dice = Dice(derive("claude-code", seed))
    story = Story(seed, dialect=dialect)
    with Lines(path) as lines:
        made = Session(
            lines,
            story,
            dice,
            Clock(start),
            cwd=cwd,
            session=session or dice.uuid4(),
            version=version,
            hooks=hooks,
            api_requests=api_requests,
        )
        made.folder = path.with_suffix("") / "subagents"
        if size_bytes is None:
            for _ in range(turns or 0):
                for step in story.turn():
                    made.step(step)
            return
        until(story, made, size_bytes)


def until(story: Story, made: Session, size: int) -> None:
    """Tell the story until only the last words are missing, then make those as long as needed."""
    while True:
        for step in story.turn():
            left = size - made.lines.written - made.children
            if left < 80_000 and isinstance(step, (Compact, Delegate)):
                continue
            if left < 9_000 and not (isinstance(step, Prompt) and made.turns == 0):
                last = max(20, left - (TRAILER if made.modern else 1_300) - len(made.prompt[:200]))
                made.step(Say(story.filler(last), final=True))
                return
            made.step(step)
            story.limit = pace(made.lines.written + made.children, size)
