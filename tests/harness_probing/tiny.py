"""A harness of forty lines, for the probe to be tried on: hooks, a prompt, a shell, and a summary when it is asked for one.

python tiny.py HOOKS.json URL [--continue] [--deaf] PROMPT      --deaf: runs its hooks and drops what they say
"""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

TOOL = {
    "type": "function",
    "function": {"name": "shell", "parameters": {"type": "object", "properties": {"command": {}}}},
}


def main() -> None:
    hooks, url, *words = sys.argv[1:]
    prompt, goes_on, deaf = words[-1], "--continue" in words, "--deaf" in words
    log = Path("history.json")
    history = json.loads(log.read_text()) if goes_on and log.exists() else []
    if prompt == "/compact":
        asked(url, [*history, {"role": "user", "content": "Now condense the history."}])
        log.write_text(json.dumps(given(hooks, "compact", deaf)))
        return
    history += given(hooks, "resume" if goes_on else "startup", deaf)
    history.append({"role": "user", "content": prompt})
    while calls := (message := asked(url, history)).get("tool_calls"):
        history += [message, {"role": "tool", "content": "ran", "tool_call_id": calls[0]["id"]}]
    log.write_text(json.dumps([*history, message]))


def given(hooks: str, source: str, deaf: bool) -> list[dict[str, str]]:
    """What the hooks of a session's start say, as messages."""
    event = json.dumps({"hook_event_name": "SessionStart", "source": source, "session_id": "tiny"})
    told = []
    for group in json.loads(Path(hooks).read_text())["SessionStart"]:
        done = subprocess.run(
            group["hooks"][0]["command"], shell=True, input=event, capture_output=True, text=True, check=True
        )
        if done.stdout.strip() and not deaf:
            told.append({"role": "user", "content": json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]})
    return told


def asked(url: str, messages: list[dict[str, str]]) -> dict[str, object]:
    body = json.dumps({"model": "m", "messages": messages, "tools": [TOOL]}).encode()
    request = urllib.request.Request(f"{url}/v1/chat/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["choices"][0]["message"]


if __name__ == "__main__":
    main()
