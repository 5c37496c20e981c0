"""Which event of which harness is which moment, and what its answer looks like. Data: the code knows no harness by name.

A row of HARNESSES:

    events   event name -> moment, or -> {value of the field `source`: moment}, "" for any other value
    gives    moments at which the view is given; all others only leave a record
    first    also the first prompt of a session that was given nothing yet (where a start is not sure to arrive)
    again    a compaction is announced and nothing follows it: the next prompt is given the view again
    answer   the shape of what is given; `quiet` the answer at all other moments (None: no byte)
    fields   names under which a value stands in the event, the first that is there counts; FIELDS holds for the rest
    others   signs that another harness runs a file that is not its own: (kind, name, unless) with kind `key` (a key of the event)
             or `env` (a variable, unless the variable `unless` names this very session). Then it only leaves a record.

Moments: start, resume, compact, prompt, tool, before-compact, after-compact, agent-start, agent-stop, stop, end, other.
Grounds: `wire` where the request body was seen to carry the text, `fires` where only the event was seen, `read` otherwise.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIELDS: dict[str, tuple[str, ...]] = {
    "event": ("hook_event_name", "hookEventName", "hookName", "event_type", "event", "agent_action_name", "hook_type"),
    "session": (
        "session_id", "sessionId", "conversation_id", "taskId", "task_id", "thread_id", "trajectory_id", "conversationId",
    ),
    "transcript": ("transcript_path", "transcriptPath", "agent_transcript_path", "transcript"),
    "cwd": ("cwd", "working_dir", "workspaceDirectory", "workspace_roots", "workspaceRoots", "directory"),
    "source": ("source", "trigger"),
    "agent": ("agent_type", "agentType", "agent_name", "agentName", "agent"),
}  # fmt: skip

NESTED = {"hookSpecificOutput": {"hookEventName": "$event", "additionalContext": "$text"}}
TOP = {"additionalContext": "$text"}
PLAIN = "$text"
NOTHING: dict[str, Any] = {}

_START = {"startup": "start", "new": "start", "clear": "start", "resume": "resume", "fork": "resume", "compact": "compact",
          "": "start"}  # fmt: skip
_CLAUDE_EVENTS: dict[str, Any] = {
    "SessionStart": _START, "UserPromptSubmit": "prompt", "PreToolUse": "tool", "PostToolUse": "tool",
    "PostToolUseFailure": "tool", "PostToolBatch": "tool", "PreCompact": "before-compact", "PostCompact": "after-compact",
    "SubagentStart": "agent-start", "SubagentStop": "agent-stop", "Stop": "stop", "StopFailure": "stop",
    "SessionEnd": "end", "Notification": "other", "PermissionRequest": "other",
}  # fmt: skip
_STARTS = ("start", "resume", "compact")
_OTHERS = (("key", "cursor_version", ""), ("key", "clineVersion", ""), ("env", "COPILOT_CLI", "CLAUDE_CODE_SESSION_ID"))


def _claude_like(grounds: str, **more: Any) -> dict[str, Any]:
    return {"events": _CLAUDE_EVENTS, "gives": _STARTS, "answer": NESTED, "quiet": None, "grounds": grounds, **more}


def _silent(grounds: str, events: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A harness that shows no hook's words to its model: its hooks only leave records."""
    return {"events": events, "gives": (), "answer": None, "quiet": None, "grounds": grounds, **more}


_PLUGIN: dict[str, Any] = {
    "events": {m: m for m in ("start", "resume", "compact", "prompt", "tool", "before-compact", "after-compact", "agent-start",
                              "agent-stop", "stop", "end", "other")},
    "gives": _STARTS, "answer": PLAIN, "quiet": None, "grounds": "wire",
}  # fmt: skip
"""Harnesses with plugins instead of hooks: our plugin calls with the moment as the event, and passes the text on."""

HARNESSES: dict[str, dict[str, Any]] = {
    "claude-code": _claude_like("wire", others=_OTHERS),
    "codex": _claude_like("wire", events={**_CLAUDE_EVENTS, "PreModelRequest": "other", "Interrupt": "stop"}),
    "gemini-cli": {
        "events": {
            "SessionStart": _START, "SessionEnd": "end", "BeforeAgent": "prompt", "AfterAgent": "stop", "BeforeModel": "other",
            "AfterModel": "other", "BeforeToolSelection": "other", "BeforeTool": "tool", "AfterTool": "tool",
            "PreCompress": "other", "Notification": "other",
        },
        "gives": ("start", "resume"), "answer": NESTED, "quiet": None, "grounds": "wire",
    },
    # Its compaction event runs and what it says is dropped; before 0.24 the start does not fire without a terminal.
    "qwen-code": _claude_like("wire", gives=("start", "resume"), first=True, again=True),
    "copilot-cli": {
        "events": {
            "sessionStart": _START, "sessionEnd": "end", "userPromptSubmitted": "prompt", "preToolUse": "tool",
            "postToolUse": "tool", "postToolUseFailure": "tool", "permissionRequest": "other", "agentStop": "stop",
            "subagentStart": "agent-start", "subagentStop": "agent-stop", "preCompact": "before-compact",
            "errorOccurred": "other", "notification": "other",
        },
        "gives": ("start", "resume"), "again": True, "answer": TOP, "quiet": None, "grounds": "wire",
    },
    "vscode-copilot": _claude_like("read"),
    "factory-droid": _claude_like("read"),
    "continue": _claude_like("read"),
    "openhands": {
        "events": {
            "session_start": "other", "SessionStart": "other", "user_prompt_submit": "prompt", "UserPromptSubmit": "prompt",
            "pre_tool_use": "tool", "PreToolUse": "tool", "post_tool_use": "tool", "PostToolUse": "tool",
            "stop": "stop", "Stop": "stop", "session_end": "end", "SessionEnd": "end",
        },
        "gives": (), "first": True, "answer": TOP, "quiet": None, "grounds": "wire",
    },
    "hermes": {
        "events": {"pre_llm_call": "prompt", "post_llm_call": "stop", "pre_tool_call": "tool", "post_tool_call": "tool",
                   "on_session_start": "other", "on_session_end": "end", "subagent_stop": "agent-stop"},
        "gives": (), "first": True, "answer": {"context": "$text"}, "quiet": NOTHING, "grounds": "wire",
    },
    "kiro-cli": {
        "events": {"agentSpawn": "start", "userPromptSubmit": "prompt", "preToolUse": "tool", "postToolUse": "tool",
                   "stop": "stop"},
        "gives": ("start",), "answer": PLAIN, "quiet": None, "grounds": "read",
    },
    # Its prompt event comes before every call of the model: the session is remembered. The shape of its answer is not known.
    "antigravity": _silent("read", {"PreInvocation": "prompt", "PostInvocation": "stop", "PreToolUse": "tool",
                                    "PostToolUse": "tool", "Stop": "stop"}),
    # Its start is built without waiting for the hook, so that what it says may be lost: a rules file is written instead.
    "cursor": _silent("read", {
        "sessionStart": "start", "sessionEnd": "end", "preToolUse": "tool", "postToolUse": "tool",
        "postToolUseFailure": "tool", "subagentStart": "agent-start", "subagentStop": "agent-stop",
        "beforeShellExecution": "tool", "afterShellExecution": "tool", "beforeMCPExecution": "tool", "afterMCPExecution": "tool",
        "beforeReadFile": "tool", "afterFileEdit": "tool", "beforeSubmitPrompt": "prompt", "preCompact": "before-compact",
        "stop": "stop", "afterAgentResponse": "other", "afterAgentThought": "other",
    }),
    "cline": _silent("fires", {
        "TaskStart": "start", "TaskResume": "resume", "TaskCancel": "stop", "TaskComplete": "stop", "PreToolUse": "tool",
        "PostToolUse": "tool", "UserPromptSubmit": "prompt", "PreCompact": "before-compact",
    }, quiet={"cancel": False}),
    "kimi-cli": _silent("fires", _CLAUDE_EVENTS),
    "letta-code": _silent("fires", _CLAUDE_EVENTS),
    "goose": _silent("read", {**_CLAUDE_EVENTS, "PreToolUseResult": "tool", "BeforeReadFile": "tool", "AfterFileEdit": "tool",
                              "BeforeShellExecution": "tool", "AfterShellExecution": "tool"}),
    "windsurf": _silent("read", {
        "pre_read_code": "tool", "post_read_code": "tool", "pre_write_code": "tool", "post_write_code": "tool",
        "pre_run_command": "tool", "post_run_command": "tool", "pre_mcp_tool_use": "tool", "post_mcp_tool_use": "tool",
        "pre_user_prompt": "prompt", "post_cascade_response": "stop",
    }),
    "opencode": _PLUGIN,
    "pi": _PLUGIN,
    "kilo": {**_PLUGIN, "grounds": "read"},
    "openclaw": {**_PLUGIN, "grounds": "read"},
}  # fmt: skip
