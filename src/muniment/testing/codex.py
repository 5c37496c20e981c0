"""Codex rollouts, record for record in the shape that version 0.171.0 leaves on disk.

Checked against sessions of the real program (stub model, hooks on every event). `apply_patch`, `update_plan`,
`spawn_agent` and reasoning did not occur in those sessions and follow the shapes of the program's public source; a
sub-agent leaves its calls here but no rollout of its own.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from muniment.testing import steps
from muniment.testing.jsonl import START, Clock, Lines, encode, pace
from muniment.testing.lexicon import Dice, derive, lexicon
from muniment.testing.story import Story

VERSION = "0.171.0"
MODEL = "gpt-5.1-codex"
WINDOW = 258_400
SUMMARY = (
    "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state "
    "of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. "
    "Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:\n"
)
KEPT_TOKENS = 10_000
TRAILER = 4_000
SMALLEST = 48 * 1024
LIMITS = '"rate_limits":{"limit_id":"codex","limit_name":null,"primary":null,"secondary":null,"credits":null,"individual_limit":null,"spend_control_reached":null,"plan_type":null,"rate_limit_reached_type":null}'


class Rollout:
    """One rollout being written."""

    def __init__(
        self, lines: Lines, story: Story, dice: Dice, clock: Clock, *, cwd: str, session: str, hooks: float
    ) -> None:
        self.lines, self.story, self.dice, self.clock = lines, story, dice, clock
        self.cwd, self.session, self.hooks = cwd, session, hooks
        self.ordinal = self.history = self.sampled = self.order = self.turns = 0
        self.turn = self.prompt = ""
        self.begun = 0
        self.total = (0, 0, 0)
        self.turn_total = self.last = (0, 0, 0)
        self.window = dice.uuid7(clock.ms)
        self.context = 6_000
        self.open = False  # an answer of the model has begun and its usage is not written yet
        self._meta()

    def record(self, kind: str, payload: str, metadata: str = "", ms: int = 2) -> None:
        """One line; `payload` is JSON text."""
        self.lines.add(
            f'{{"timestamp":"{self.clock.tick(ms)}","ordinal":{self.ordinal},"type":"{kind}","payload":{payload}{metadata}}}'
        )
        self.ordinal += 1

    def item(self, body: str, *, extra: str = "", ms: int = 2) -> None:
        """A response_item with its place in the history; `extra` is JSON text of further metadata, with a comma behind."""
        self.history += 1
        self.record(
            "response_item",
            body,
            f',"metadata":{{"history_sequence":{self.history},"sampled_through_sequence":{self.sampled},{extra}"model_search_state":"unused"}}',
            ms,
        )

    def event(self, body: str, ms: int = 2) -> None:
        """An event_msg; `body` is JSON text."""
        self.record("event_msg", body, "", ms)

    def completed(self, item: str, took: int = 0) -> None:
        """An item_completed event; `item` is JSON text."""
        now = self.clock.ms
        self.event(
            f'{{"type":"item_completed","thread_id":"{self.session}","turn_id":"{self.turn}","item":{item},"started_at_ms":{now - took},"completed_at_ms":{now}}}'
        )

    def _passthrough(self, kinds: str = "", provenance: str = "") -> str:
        ms = self.clock.ms
        made = f',"create_time":{ms // 1000}.{ms % 1000:03d}{self.dice.between(1, 9999)}'
        known = f',"content_item_kinds":[{kinds}],"content_item_metadata":[{provenance}]' if kinds else ""
        return f'"internal_chat_message_metadata_passthrough":{{"turn_id":"{self.turn}"{made}{known}}}'

    def message(
        self, role: str, content: str, kinds: str, provenance: str, extra: str = '"client_authored":false,'
    ) -> str:
        """A message that the harness puts in front of the model; returns its id."""
        name = f"msg_{self.dice.uuid7(self.clock.ms)}"
        self.item(
            f'{{"type":"message","id":"{name}","role":"{role}","content":{content},{self._passthrough(kinds, provenance)}}}',
            extra=extra.replace("{id}", name),
        )
        return name

    def hook(self) -> None:
        """A hook gave context: a developer message."""
        context = encode(self.dice.pick(self.story.words.openings))
        self.message(
            "developer",
            f'[{{"type":"input_text","text":{context}}}]',
            '"hooks.additional_context"',
            '{"provenance":{"type":"harness","hook":true}}',
        )

    def _meta(self) -> None:
        own, words = Dice(171), lexicon(0)  # what every rollout of a version repeats is the same in all of them
        self._base, self._skills, self._agents = (
            encode(words.prose(own, 9_000)),
            encode(f"<skills_instructions>\n{words.bullets(own, 1_600)}\n</skills_instructions>"),
            encode(self.story.project.compose("AGENTS.md", 900)),
        )
        self.record("session_meta", (
            f'{{"account_scoped":true,"session_id":"{self.session}","id":"{self.session}","timestamp":"{self.clock.tick(1)}","cwd":{encode(self.cwd)},"runtime_workspace_roots":[{encode(self.cwd)}],'
            f'"originator":"codex_exec","cli_version":"{VERSION}","source":"exec","thread_source":"user","model_provider":"openai","base_instructions":{{"text":{self._base},"provenance":{{"type":"model","model":"{MODEL}"}}}},'
            f'"history_mode":"paginated","context_window":{{"window_id":"{self.window}"}},"git":{{"commit_hash":"{self.dice.hex(40)}","branch":"main"}}}}'
        ))  # fmt: skip

    def _world(self) -> None:
        self.record("world_state", (
            f'{{"full":true,"state":{{"agents_md":{{"directory":{encode(self.cwd)},"text":{self._agents}}},"apps_instructions":false,"collaboration_mode":{{"mode":"default","model":"{MODEL}"}},"context_window_guidance":"",'
            f'"environments":{{"environments":{{"local":{{"cwd":{encode(self.cwd)},"status":"available","shell":"bash"}}}},"current_date":"{self.clock.day}","timezone":"Etc/UTC"}},"host_skills":{{"body":{self._skills},"includeInstructions":true}},'
            f'"model":"{MODEL}","permissions":{{"approved_command_prefixes":[]}},"realtime":{{"active":false}}}}}}'
        ))  # fmt: skip

    def _settings(self) -> None:
        mode = f'"collaboration_mode":{{"mode":"default","settings":{{"model":"{MODEL}","reasoning_effort":null,"developer_instructions":null}}}}'
        self.record(
            "turn_context",
            f'{{"turn_id":"{self.turn}","root_turn_id":"{self.turn}","disabled_plugin_ids":[],"cwd":{encode(self.cwd)},"approval_policy":"never","approvals_reviewer":"user","permission_profile":{{"type":"disabled"}},"model":"{MODEL}",{mode},"multi_agent_version":"v1","realtime_active":false,"summary":"none","sandbox_policy":{{"type":"danger-full-access"}}}}',
        )
        self.event(
            f'{{"type":"thread_settings_applied","thread_id":"{self.session}","thread_settings":{{"model":"{MODEL}","model_provider_id":"openai","approval_policy":"never","approvals_reviewer":"user","requested_approvals_reviewer":"user","permission_profile":{{"type":"disabled"}},"cwd":{encode(self.cwd)},"runtime_workspace_roots":[{encode(self.cwd)}],{mode},"disabled_plugin_ids":[]}}}}'
        )

    def ask(self, text: str) -> None:
        """The person's prompt with everything around it."""
        clock, dice = self.clock, self.dice
        clock.tick(dice.lognormal(40_000, 900_000, 40_000_000))
        self.turn, self.begun, self.turn_total, self.turns, self.prompt = (
            dice.uuid7(clock.ms),
            clock.ms,
            (0, 0, 0),
            self.turns + 1,
            text,
        )
        self.event(
            f'{{"type":"task_started","turn_attribution":{{"turn_id":"{self.turn}","turn_trigger":"exec","parent_turn_id":null,"initiating_agent_path":null,"root_turn_id":"{self.turn}"}},"turn_id":"{self.turn}","root_turn_id":"{self.turn}","started_at":{clock.ms // 1000},"model_context_window":{WINDOW},"collaboration_mode_kind":"default"}}'
        )
        if self.turns == 1:
            rules = encode(
                "<permissions instructions>\nFilesystem sandboxing defines which files can be read or written. Approval policy is currently never.\n</permissions instructions>"
            )
            self.message(
                "developer",
                f'[{{"type":"input_text","text":{self._skills}}},{{"type":"input_text","text":{rules}}}]',
                '"host_skills.instructions","permissions.instructions"',
                '{"provenance":{"type":"skills"}},{"provenance":{"type":"harness","hook":false}}',
            )
            agents = (
                encode(f"# AGENTS.md instructions for {self.cwd}\n\n<INSTRUCTIONS>\n")[:-1]
                + self._agents[1:-1]
                + '\\n</INSTRUCTIONS>"'
            )
            world = encode(
                f"<environment_context>\n  <cwd>{self.cwd}</cwd>\n  <shell>bash</shell>\n  <current_date>{clock.day}</current_date>\n  <timezone>Etc/UTC</timezone>\n</environment_context>"
            )
            self.message(
                "user",
                f'[{{"type":"input_text","text":{agents}}},{{"type":"input_text","text":{world}}}]',
                '"agents_md.instructions","environments.environment_context"',
                '{"provenance":{"type":"agents_md"}},{"provenance":{"type":"harness","hook":false}}',
            )
            self._world()
        self._settings()
        if self.turns == 1 or dice.chance(self.hooks):
            self.hook()
        said = encode(text)
        kept = f'"retained_source":{{"id":{{"message_id":"{{id}}","turn_id":"{self.turn}","role":"user"}},"revision":"retained_{dice.uuid7(clock.ms)}","complete":true}},"client_authored":false,"user_input_order":{self.order},"mcp_attribution":{{"status":"none"}},'
        self.message(
            "user", f'[{{"type":"input_text","text":{said}}}]', '"user.text"', '{"provenance":{"type":"user"}}', kept
        )
        self.completed(
            f'{{"type":"UserMessage","id":"{dice.uuid7(clock.ms)}","content":[{{"type":"text","text":{said},"text_elements":[]}}]}}'
        )
        self.order += 1
        if dice.chance(self.hooks):
            self.hook()

    def _usage(self, size: int) -> None:
        """The model's answer is complete: count it."""
        self.open = False
        self.sampled = self.history
        self.context += size // 4
        spent = (self.context, self.context - self.context % 1024, size // 4 + 7)
        self.last = spent
        self.turn_total = (self.turn_total[0] + spent[0], self.turn_total[1] + spent[1], self.turn_total[2] + spent[2])
        self.total = (self.total[0] + spent[0], self.total[1] + spent[1], self.total[2] + spent[2])
        self.record(
            "token_usage_record",
            f'{{"thread_id":"{self.session}","turn_id":"{self.turn}","session_id":"{self.session}","root_turn_id":"{self.turn}","response_id":"resp_{self.dice.hex(50)}","usage":{_tokens(spent)},"turn_token_usage":{_tokens(self.turn_total)},"thread_token_usage":{_tokens(self.total)}}}',
        )

    def _count(self) -> None:
        self.event(
            f'{{"type":"token_count","info":{{"total_token_usage":{_tokens(self.total)},"last_token_usage":{_tokens(self.last)},"last_usage_includes_reasoning":false,"model_context_window":{WINDOW}}},{LIMITS}}}'
        )

    def say(self, text: str, *, final: bool) -> None:
        """A message of the model; the last one ends the turn."""
        said, name = encode(text), f"msg_{self.dice.hex(50)}"
        self.completed(f'{{"type":"AgentMessage","id":"{name}","content":[{{"type":"Text","text":{said}}}]}}')
        kept = f'"retained_source":{{"id":{{"message_id":"{name}","turn_id":"{self.turn}","role":"assistant"}},"revision":"retained_{self.dice.uuid7(self.clock.ms)}","complete":true}},"client_authored":false,"user_input_order":{self.order},'
        self.item(
            f'{{"type":"message","status":"completed","id":"{name}","role":"assistant","content":[{{"type":"output_text","text":{said},"annotations":[]}}],"internal_chat_message_metadata_passthrough":{{"turn_id":"{self.turn}","content_item_kinds":["unknown"]}}}}',
            extra=kept,
            ms=20 + len(text),
        )
        self.order += 1
        self.open = True
        if final:
            self._usage(len(text))
            self._count()
            self.event(
                f'{{"type":"task_complete","root_turn_id":"{self.turn}","turn_id":"{self.turn}","last_agent_message":{said},"started_at":{self.begun // 1000},"completed_at":{self.clock.ms // 1000},"duration_ms":{self.clock.ms - self.begun},"time_to_first_token_ms":{self.dice.between(200, 4000)}}}'
            )

    def call(self, name: str, given: str, output: str, item: str = "", *, ms: int = 20, custom: bool = False) -> None:
        """A tool call, its item (a template with the call's id as {id}) and its output; all but the name are JSON text."""
        dice, call = self.dice, f"call_{self.dice.name(12)}"
        kind, field, prefix = ("custom_tool_call", "input", "ctc") if custom else ("function_call", "arguments", "fc")
        self.item(
            f'{{"type":"{kind}","status":"completed","id":"{prefix}_{dice.hex(50)}","name":"{name}","{field}":{given},"call_id":"{call}","internal_chat_message_metadata_passthrough":{{"turn_id":"{self.turn}"}}}}',
            extra=f'"client_authored":false,"user_input_order":{self.order},',
            ms=30 + len(given) // 2,
        )
        self.order += 1
        self._usage(len(given))
        hooked = dice.chance(self.hooks * 2)
        if hooked:
            self.hook()
        self.clock.tick(ms)
        if item:
            self.completed(item.replace("{id}", call, 1), ms)
        if hooked:
            self.hook()
        self.item(
            f'{{"type":"{kind}_output","id":"{prefix}o_{dice.uuid7(self.clock.ms)}","call_id":"{call}","output":{output},{self._passthrough()}}}',
            extra='"client_authored":false,"fallback_token_limit_override":3000,',
        )
        self.context += len(output) // 4
        self._count()

    def execute(self, command: str, printed: str, exit_code: int, seconds: float, kind: str = "unknown") -> None:
        """A shell command; what the model sees is cut in the middle, what the item holds is not."""
        shown, full, ms = encode(command), encode(printed), int(seconds * 1000)
        tokens, body = len(printed) // 4, printed
        if tokens > KEPT_TOKENS:
            half = KEPT_TOKENS * 2
            body = f"Total output lines: {printed.count(chr(10)) + 1}\n\n{printed[:half]}…{tokens - KEPT_TOKENS} tokens truncated…{printed[-half:]}"
        output = f"Chunk ID: {self.dice.hex(6)}\nWall time: {seconds:.4f} seconds\nProcess exited with code {exit_code}\nOriginal token count: {tokens}\nOutput:\n{body}"
        status = "failed" if exit_code else "completed"
        item = f'{{"type":"CommandExecution","id":"{{id}}","process_id":"{self.dice.between(2000, 65000)}","command":["/bin/bash","-lc",{shown}],"cwd":{encode("file://" + self.cwd)},"parsed_cmd":[{{"type":"{kind}","cmd":{shown}}}],"source":"unified_exec_startup","status":"{status}","aggregated_output":{full},"exit_code":{exit_code},"duration":{{"secs":{ms // 1000},"nanos":{ms % 1000 * 1_000_000}}}}}'
        self.call("exec_command", encode(encode({"cmd": command})), encode(output), item, ms=ms)

    def step(self, step: steps.Step) -> None:
        """Write one step of the story."""
        match step:
            case steps.Prompt():
                self.ask(step.text)
            case steps.Say():
                self.say(step.text, final=step.final)
            case steps.Think():
                title = encode(f"**{step.text[:40]}**\n\n{step.text}")
                self.item(
                    f'{{"type":"reasoning","id":"rs_{self.dice.hex(50)}","summary":[{{"type":"summary_text","text":{title}}}],"encrypted_content":"gAAAAAB{self.dice.blob(300 + len(step.text) // 2)}","internal_chat_message_metadata_passthrough":{{"turn_id":"{self.turn}"}}}}',
                    extra='"client_authored":false,',
                )
            case steps.Read():
                last = step.start + step.lines - 1
                command = (
                    f"cat {step.path}" if step.lines == step.total else f"sed -n '{step.start},{last}p' {step.path}"
                )
                self.execute(command, step.content, 0, 0.01, "read")
            case steps.Edit() | steps.Write():
                self._change(step)
            case steps.Run():
                printed = "\n".join(part for part in (step.stdout, step.stderr) if part)
                self.execute(step.command, printed + "\n" if printed else "", step.exit_code, step.seconds)
            case steps.Fetch():
                self.execute(f"curl -fsSL {step.url}", step.text, 0, 0.8)
            case steps.Todo():
                plan = [{"step": text, "status": state} for text, state in step.items]
                self.call("update_plan", encode(encode({"plan": plan})), '"Plan updated"')
            case steps.Delegate():
                agent = self.dice.uuid7(self.clock.ms)
                self.call(
                    "spawn_agent",
                    encode(encode({"agent_type": "explorer", "message": step.prompt})),
                    encode(encode({"agent_id": agent, "nickname": None})),
                )
                self.call(
                    "wait_agent",
                    encode(encode({"targets": [agent], "timeout_ms": 600_000})),
                    encode(encode({"status": {agent: {"completed": step.report}}, "timed_out": False})),
                    ms=60_000,
                )
            case steps.Compact():
                self._compact(step)

    def _change(self, step: steps.Edit | steps.Write) -> None:
        plain = f"{self.cwd}/{step.path}"
        if isinstance(step, steps.Write) and step.before is None:
            body = f"*** Add File: {step.path}\n" + "\n".join([f"+{line}" for line in step.after.split("\n")[:-1]])
            change, mark = f'{{"type":"add","content":{encode(step.after)}}}', "A"
        else:
            body = f"*** Update File: {step.path}\n" + "\n".join(
                ["@@\n" + "\n".join(hunk.lines) for hunk in step.hunks]
            )
            change, mark = f'{{"type":"update","unified_diff":{encode(_unified(step.hunks))},"move_path":null}}', "M"
        done = f"Success. Updated the following files:\n{mark} {step.path}\n"
        item = f'{{"type":"FileChange","id":"{{id}}","changes":{{{encode(plain)}:{change}}},"status":"completed","auto_approved":true,"stdout":{encode(done)},"stderr":""}}'
        self.call(
            "apply_patch",
            encode(f"*** Begin Patch\n{body}\n*** End Patch"),
            encode(f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{done}"),
            item,
            custom=True,
        )

    def _compact(self, step: steps.Compact) -> None:
        dice, clock = self.dice, self.clock
        name = f"msg_{dice.hex(50)}"
        self.item(
            f'{{"type":"message","status":"completed","id":"{name}","role":"assistant","content":[{{"type":"output_text","text":{encode(step.summary)},"annotations":[]}}],"internal_chat_message_metadata_passthrough":{{"turn_id":"{self.turn}","content_item_kinds":["unknown"]}}}}',
            extra='"client_authored":false,"compaction_output":true,',
            ms=9_000,
        )
        self._usage(len(step.summary))
        self._count()
        summary, window = encode(SUMMARY + step.summary), dice.uuid7(clock.ms)
        history = (
            f'[{{"type":"message","id":"msg_{dice.uuid7(clock.ms)}","role":"user","content":[{{"type":"input_text","text":{encode(self.prompt)}}}],{self._passthrough(chr(34) + "user.text" + chr(34), chr(123) + chr(125))}}},'
            f'{{"type":"message","id":"msg_{dice.uuid7(clock.ms)}","role":"user","content":[{{"type":"input_text","text":{summary}}}],"internal_chat_message_metadata_passthrough":{{"turn_id":"{self.turn}","content_item_kinds":["compaction.summary"],"content_item_metadata":[{{"provenance":{{"type":"harness","hook":false}}}}]}}}}]'
        )
        self.record(
            "compacted",
            f'{{"message":{summary},"replacement_history":{history},"window_number":1,"first_window_id":"{self.window}","previous_window_id":"{self.window}","window_id":"{window}"}}',
        )
        self.window, self.context = window, 6_000 + len(step.summary) // 4
        self._world()
        self._settings()
        self._count()
        self.completed(f'{{"type":"ContextCompaction","id":"{dice.uuid7(clock.ms)}"}}', 164)
        self.hook()


def _tokens(spent: tuple[int, int, int]) -> str:
    given, cached, made = spent
    return f'{{"input_tokens":{given},"cached_input_tokens":{cached},"cache_write_input_tokens":0,"output_tokens":{made},"reasoning_output_tokens":0,"total_tokens":{given + made}}}'


def _unified(hunks: tuple[steps.Hunk, ...]) -> str:
    parts = [
        f"@@ -{h.old_start},{h.old_lines} +{h.new_start},{h.new_lines} @@\n" + "\n".join(h.lines) + "\n" for h in hunks
    ]
    return "".join(parts)


def write_codex(
    path: Path, *, seed: int, size_bytes: int | None = None, turns: int | None = None, cwd: str = "/home/dev/demo", session: str | None = None,
    start: datetime = START, hooks: float = 0.25, dialect: int = 0,
) -> None:  # fmt: skip
    """Write one rollout, by turns or by size.

    Raises ValueError unless exactly one of size and turns is given, or when the size is below 48 KiB.
    """
    if (size_bytes is None) == (turns is None):
        raise ValueError("give either size_bytes or turns")
    if size_bytes is not None and size_bytes < SMALLEST:
        raise ValueError(f"size_bytes must be at least {SMALLEST}")
    dice, clock = Dice(derive("codex", seed)), Clock(start)
    story = Story(seed, dialect=dialect)
    with Lines(path) as lines:
        made = Rollout(lines, story, dice, clock, cwd=cwd, session=session or dice.uuid7(clock.ms), hooks=hooks)
        if size_bytes is None:
            for _ in range(turns or 0):
                for step in story.turn():
                    made.step(step)
            return
        until(story, made, size_bytes)


def until(story: Story, made: Rollout, size: int) -> None:
    """Tell the story until only the last words are missing, then make those as long as needed (they stand there three times)."""
    while True:
        for step in story.turn():
            left = size - made.lines.written
            if left < 60_000 and isinstance(step, steps.Compact):
                continue
            if left < 12_000 and not (isinstance(step, steps.Prompt) and made.turns == 0):
                made.step(steps.Say(story.filler(max(20, (left - TRAILER) // 3)), final=True))
                return
            made.step(step)
            story.limit = pace(made.lines.written, size)
