"""Takes small excerpts out of real transcripts and writes them as labelled items.

    python benchmarks/extract/make_real.py --transcripts DIR [--swe-agent GIT_DIR]

Reads tool calls and results of many harnesses by their shape, on purpose without the adapters of the package: the
labels must not lean on what they judge. What a call is worth follows from the raw record alone (`label`); commits and
test runs are labelled by hand (`BY_HAND`), and the prompts were read one by one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
from pathlib import Path

from fixture import Item, save

SOURCES = """
claude-code/generated-2.1.197 claude-code/generated-2.1.328 claude-code/simonw codex/generated-0.171.0
codex/ctx/rich-sessions codex/ctx/sessions codex/ctx/retrieval-self-echo copilot-cli/generated-1.0.102
opencode/generated-1.18.33 qwen-code/generated-0.24.4 qwen-code/ctx kimi-cli/generated-1.49.0 mistral-vibe/agentsview
mistral-vibe/ctx-v1 pi/generated-0.73.1 pi/agentsview pi/ctx cline/ctx-vscode roo-code/ctx qoder/ctx
cursor/ctx-2026.06.24 iflow/agentsview mux/ctx trae/agentsview-traex-cli letta-code/generated-0.25.9
gemini-cli/generated-0.61.0 tabnine-cli/ctx deepseek-harness/ctx-v0/raw
""".split()

ACTIONS = {
    "run": "bash shell exec_command run_shell_command exec run_terminal_cmd execute_command",
    "read": "read read_file readfile open",
    "write": "write write_file write_to_file file_write create",
    "edit": "edit replace",
    "patch": "apply_patch",
    "delegate": "agent task spawn_agent",
    "plan": "todowrite",
}
NAMES = {name: action for action, names in ACTIONS.items() for name in names.split()}
ARGUMENTS = {
    "command": "command cmd",
    "path": "path file_path filePath absolute_path",
    "content": "content",
    "patch": "patch input",
    "prompt": "prompt message",
    "to": "subagent_type agent_type",
}
USED = {
    "run": ("command",), "read": ("path",), "write": ("path", "content"), "edit": ("path",), "patch": ("patch",),
    "delegate": ("to", "prompt"), "plan": ("active",),
}  # fmt: skip

BY_HAND = {
    "[main abc1234] Add hello function": ("committed", "abc1234", "commit", "branch:main"),
    "[main def5678] Add subtract function": ("committed", "def5678", "commit", "branch:main"),
    "[main abc1234] Add math_utils": ("committed", "abc1234", "commit", "branch:main"),
    "===== 2 passed in 0.05s =====": ("passed", "2 passed in 0.05s", None, "tool:pytest passed:2 failed:0"),
}
PROMPTS = (
    ("claude-code", "person", "Create a hello world function"),
    ("claude-code", "person", "Now add a goodbye function"),
    ("iflow", "person", '启动app时确保环境变量 DOCKER_API_VERSION="1.46"'),
    ("trae", "agent", "Explore the parser package."),
)


def shapes(node):
    """Calls and results anywhere in a document: ("call", id, name, args) and ("result", id, output, ok)."""
    if isinstance(node, dict):
        found = call_shape(node) or both_shape(node) or result_shape(node)
        if found:
            yield found
        node = () if found else list(node.values())
    for part in node if isinstance(node, list) else ():
        yield from shapes(part)


def call_shape(node):
    """A tool call, in the words of several families of harnesses."""
    kind, function, call = node.get("type"), node.get("function"), node.get("functionCall")
    if kind in ("tool_use", "toolCall"):
        return "call", node.get("id"), node.get("name"), node.get("input", node.get("arguments"))
    if kind in ("function_call", "custom_tool_call"):
        return "call", node.get("call_id"), node.get("name"), node.get("arguments", node.get("input"))
    if kind == "function" and isinstance(function, dict):
        return "call", node.get("id"), function.get("name"), function.get("arguments")
    if isinstance(call, dict):
        return "call", call.get("id"), call.get("name"), call.get("args")
    if kind == "tool.execution_start":
        return "call", node["data"].get("toolCallId"), node["data"].get("toolName"), node["data"].get("arguments")
    return None


def both_shape(node):
    """A call that carries its result."""
    if node.get("type") == "tool" and "callID" in node:
        return "both", node["callID"], node["tool"], node["state"]
    if node.get("type") == "dynamic-tool" and node.get("state") == "output-available":
        state = {"input": node["input"], "output": json.dumps(node["output"])}
        return "both", node["toolCallId"], node["toolName"], state
    return None


def result_shape(node):
    """A tool's answer."""
    kind, role, answer = node.get("type"), node.get("role"), node.get("functionResponse")
    if kind == "tool_result":
        return "result", node.get("tool_use_id"), node.get("content"), _not(node.get("is_error"))
    if role == "toolResult":
        return "result", node.get("toolCallId"), node.get("content"), _not(node.get("isError"))
    if kind in ("function_call_output", "custom_tool_call_output"):
        return "result", node.get("call_id"), node.get("output"), None
    if role == "tool" and "tool_call_id" in node:
        return "result", node["tool_call_id"], node.get("content"), None
    if isinstance(answer, dict):
        return "result", answer.get("id"), answer.get("response", {}).get("output"), None
    if kind == "tool.execution_complete":
        data = node["data"]
        return "result", data.get("toolCallId"), (data.get("result") or {}).get("content"), data.get("success")
    return None


def _not(flag):
    return None if flag is None else not flag


def documents(path):
    """A JSON file, or the lines of a JSON Lines file that can be read."""
    text = path.read_text("utf-8", "replace")
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def text_of(content):
    """The words of a result, whatever it is wrapped in."""
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return str(content.get("text", content.get("output", "")))
    return content if isinstance(content, str) else ""


def arguments(action, raw):
    """The arguments under the names of the contract; None where the call has none of them."""
    if isinstance(raw, str) and action == "patch":
        raw = {"patch": raw}
    if isinstance(raw, str):
        raw = json.loads(raw)
    raw = raw or {}
    if action == "plan":
        return {"active": next((t["content"] for t in raw.get("todos", ()) if t["status"] == "in_progress"), "")}
    found = {}
    for name in USED[action]:
        value = next((raw[alias] for alias in ARGUMENTS[name].split() if alias in raw), None)
        if isinstance(value, str):
            found[name] = value
    return found


def items_of(folder, transcripts):
    """The items of one sample folder."""
    harness = folder.split("/")[0]
    calls, number = {}, 0
    done = set()
    for path in sorted((transcripts / folder).rglob("*.json*")):
        for shape, key, *rest in (found for document in documents(path) for found in shapes(document)):
            if shape == "call":
                calls.setdefault((path, key), rest)
            if shape == "result" and (path, key) in calls and (path, key) not in done:
                done.add((path, key))
                item = excerpt(f"{folder}/{number}", harness, *calls[path, key], text_of(rest[0]), rest[1])
            elif shape == "both":
                state = rest[1]
                item = excerpt(
                    f"{folder}/{number}", harness, rest[0], state["input"], state["output"], None, joined=True
                )
            else:
                continue
            if item is not None:
                number += 1
                yield item


def excerpt(name, harness, tool, raw, output, ok, *, joined=False, source_note=None):
    """One call with its answer, labelled by what the raw record says; None for tools that no method looks at."""
    action = NAMES.get(str(tool).lower())
    args = {} if action is None else arguments(action, raw)
    if not args or not any(args.values()):
        return None
    args = {name: value for name, value in args.items() if value}
    item = Item(name, "real", harness, joined, **({"from": source_note} if source_note else {}))
    exited = re.search(r"(?:Process exited with code|Exit code) (\d+)|completed with exit code (\d+)", output)
    code = int(exited[1] or exited[2]) if exited and action == "run" else None
    call = item.call(action, args)
    result = item.result(output[:200] + "\n" + output[-600:] if len(output) > 800 else output, ok=ok, exit_code=code)
    label(item, action, args, call, result)
    return item


def label(item, action, args, call, result):
    """What this call is worth, by the raw record."""
    facts = item.events[result]["results"][0]
    witness = None if item.joined else result
    well = facts["ok"] is not False and facts["exit_code"] in (None, 0)
    if action == "run":
        context = (
            f"exit:{facts['exit_code']}" if facts["exit_code"] is not None else "failed" if facts["ok"] is False else ""
        )
        item.expect(call, "ran", args["command"], context=context, witness=witness)
        for line, (predicate, value, kind, words) in BY_HAND.items():
            if line in item.events[result]["text"]:
                item.expect(result, predicate, value, kind, context=words)
    elif action == "read" and well:
        item.expect(call, "read", args["path"], "path", witness=witness)
    elif action in ("write", "edit") and well:
        digest = hashlib.sha256(args["content"].encode()).hexdigest() if "content" in args else None
        item.expect(
            call, "touched", args["path"], "path", witness=witness, anchor=digest if action == "write" else None
        )
    elif action == "patch" and well:
        for path in re.findall(r"^\*\*\* (?:Add|Update) File: (.+)$", args["patch"], re.MULTILINE):
            item.expect(call, "touched", path, "path", witness=witness)
    elif action == "delegate" and well:
        item.expect(call, "sent", args["prompt"][:500], context=f"to:{args['to']}" if "to" in args else "")
    elif action == "plan":
        item.expect(call, "claimed", args["active"])


LEFT_OUT = ("submit", "edit", "insert", "find_file", "set_cursors", "")
"""Verbs of that harness that are no shell command and name no file."""

TRAJECTORIES = "marshmallow-1867__default__|marshmallow-1867__function_calling__|humanevalfix|pydicom-1458|test-repo"


def swe_agent(git_dir):
    """Steps of SWE-agent's trajectories: an action and what the environment said."""
    git = ["git", "--git-dir", str(git_dir)]
    names = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True)
    seen = set()
    for path in (
        name for name in names.stdout.splitlines() if name.endswith(".traj") and re.search(TRAJECTORIES, name)
    ):
        text = subprocess.run([*git, "show", f"HEAD:{path}"], capture_output=True, text=True, check=True).stdout
        for step in json.loads(text).get("trajectory", ()):
            action = step["action"].strip()
            verb, _, rest = action.partition(" ")
            if action in seen or verb in LEFT_OUT:
                continue
            seen.add(action)
            tool, args = (
                ("bash", {"command": action}) if verb not in ("open", "create") else (verb, {"path": _file(rest)})
            )
            observation = step["observation"].replace("\r", "").replace("///PROCESS-DONE:0:PROCESS-DONE///", "")
            name = f"swe-agent/{len(seen):03}"
            item = excerpt(
                name, "swe-agent", tool, args, observation.replace("/" + "root/", "/home/dev/"), None, source_note=path
            )
            if item is not None:
                yield item


def _file(rest):
    return rest.split('"')[1] if rest.startswith('"') else rest.split(" ")[0]


def prompts():
    """Prompts of people, and one that an agent gave to its sub-agent; read one by one."""
    for number, (harness, origin, text) in enumerate(PROMPTS):
        item = Item(f"prompt/{number}", "real", harness)
        subject = ("person", "me") if origin == "person" else ("session", "")
        yield item.expect(item.event("user", origin, "prompt", text), "asked", text, None, subject)


def main():
    """Make all items and put them into the label file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transcripts", type=Path, required=True)
    parser.add_argument("--swe-agent", type=Path, help="a git directory of SWE-agent/SWE-agent")
    options = parser.parse_args()
    items = [item for folder in SOURCES for item in items_of(folder, options.transcripts)]
    items += [*prompts(), *(swe_agent(options.swe_agent) if options.swe_agent else ())]
    save(items, "real")
    print(f"{len(items)} items")


if __name__ == "__main__":
    main()
