"""Settings files as people have them: (what is odd about it, harness, file, bytes)."""

from __future__ import annotations

import json

# ruff: noqa: E501, ISC004 - a file stands on as few lines as it can be read on

CLAUDE = ".claude/settings.json"
OTHERS_HOOK = {"hooks": [{"type": "command", "command": "notify-send done", "timeout": 5}]}


def _claude(value: object, **how: object) -> bytes:
    return (json.dumps(value, **how) + "\n").encode()  # type: ignore[arg-type]


FILES: tuple[tuple[str, str, str, bytes], ...] = (
    ("an empty file", "claude-code", CLAUDE, b""),
    ("blanks alone", "claude-code", CLAUDE, b"  \n\n"),
    ("an empty object", "claude-code", CLAUDE, b"{}"),
    ("an empty object with a blank", "claude-code", CLAUDE, b"{ }\n"),
    ("an empty object over lines", "claude-code", CLAUDE, b"{\n\n}\n"),
    ("a comment alone in the object", "claude-code", CLAUDE, b"{\n  // nothing yet\n}\n"),
    ("line comments", "claude-code", CLAUDE, b'{\n  // why\n  "model": "opus", // the big one\n  "theme": "dark" // at night\n}\n'),
    ("block comments", "claude-code", CLAUDE, b'/* mine */ {\n  "model": /* here */ "opus" /* there */\n  /* end */\n} /* after */\n'),
    ("trailing commas", "claude-code", CLAUDE, b'{\n  "permissions": {"allow": ["Bash(ls:*)",],},\n  "model": "opus",\n}\n'),
    ("others' hooks on the same events", "claude-code", CLAUDE,
     _claude({"hooks": {"SessionStart": [{"matcher": "startup", **OTHERS_HOOK}], "Stop": [OTHERS_HOOK, OTHERS_HOOK]}}, indent=2)),
    ("others' hooks on one line", "claude-code", CLAUDE,
     b'{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"a"}]}],"Stop":[]},"x":1}'),
    ("CRLF", "claude-code", CLAUDE, b'{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n'),
    ("CRLF with comments and trailing commas", "claude-code", CLAUDE, b'{\r\n\t"a": 1, // one\r\n\t"b": [1, 2,], /* two */\r\n}\r\n'),
    ("tabs", "claude-code", CLAUDE, b'{\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'),
    ("eight blanks", "claude-code", CLAUDE, b'{\n        "env": {\n                "A": "1"\n        }\n}'),
    ("a byte order mark", "claude-code", CLAUDE, b'\xef\xbb\xbf{\r\n  "model": "opus"\r\n}'),
    ("unknown keys and deep values", "claude-code", CLAUDE,
     _claude({"zzz": {"deep": [[1, [2, {"k": None}]]]}, "$schema": "https://x/y.json", "hooks": {"Unheard": [OTHERS_HOOK]}}, indent=1)),
    ("a key twice", "claude-code", CLAUDE, b'{"hooks": {"Stop": []}, "hooks": {"Stop": [{"hooks": []}]}}'),
    ("words of every script", "claude-code", CLAUDE, '{\n  "Grüße": "日本語 🗝️", "ключ": "\\u0000\\ud83d"\n}\n'.encode()),
    ("signs of comments inside texts", "claude-code", CLAUDE, b'{\n  "url": "http://x//y", "glob": "/* no */", "q": "\\"// no"\n}\n'),
    ("one line, packed", "claude-code", ".claude.json", b'{"numStartups":12,"projects":{"/p":{"allowedTools":[]}},"mcpServers":{}}'),
    ("other tool servers", "claude-code", ".claude.json",
     _claude({"mcpServers": {"github": {"command": "gh-mcp", "env": {"TOKEN": "secret"}}}, "userID": "1"}, indent=2)),
    ("everything on the closing line", "claude-code", ".claude.json", b'{\n  "a": 1,\n  "mcpServers": {\n    "x": {"command": "y"} } }'),
    ("settings with hooks switched off", "gemini-cli", ".gemini/settings.json",
     _claude({"hooksConfig": {"enabled": False}, "mcpServers": {}, "hooks": {}}, indent=4)),
    ("comments in Gemini's settings", "gemini-cli", ".gemini/settings.json", b'{\n  // ui\n  "ui": {"theme": "x"} // end\n}\n'),
    ("Qwen's settings", "qwen-code", ".qwen/settings.json", b'{"security": {"auth": {"selectedType": "openai"}}}\n'),
    ("servers of Copilot", "copilot-cli", ".copilot/mcp-config.json", b'{"mcpServers": {"a": {"type": "local"}}}\n'),
    ("OpenCode with comments", "opencode", ".config/opencode/opencode.jsonc", b'{\n  // mine\n  "mcp": {},\n  "model": "x",\n}\n'),
    ("Zed's settings", "zed", ".config/zed/settings.json", b'// Zed settings\n//\n{\n  "theme": "One Dark", // dark\n  "vim_mode": true,\n}\n'),
    ("a key with a dot", "amp", ".config/amp/settings.json", b'{"amp.mcpServers": {"x": {"command": "y"}}, "amp.url": "z"}'),
    ("hooks that are keys of the whole", "openhands", ".openhands/hooks.json",
     b'{\n "stop": [\n  {"matcher": "*", "hooks": [{"type": "command", "command": "mine"}]}\n ]\n}\n'),
    ("TOML, empty", "codex", ".codex/config.toml", b""),
    ("TOML without a last line end", "codex", ".codex/config.toml", b'model = "gpt"'),
    ("TOML with other servers and comments", "codex", ".codex/config.toml",
     b'# top\nmodel = "gpt" # why\n\n[mcp_servers.docs] # theirs\ncommand = "docs"\nargs = [\n  "[not.a.header]", # inside\n]\n\n# about me\n'
     b'[projects."/a b/c"]\ntrust_level = "trusted"\n'),
    ("TOML with CRLF", "codex", ".codex/config.toml", b'model = "gpt"\r\n\r\n[features]\r\nhooks = true\r\n'),
    ("TOML with long texts", "codex", ".codex/config.toml",
     b'notes = """\n[mcp_servers.muniment]\ncommand = "no"\n"""\npath = \'C:\\x\'\nlit = \'\'\'\n[[hooks]]\n\'\'\'\n'),
    ("TOML with a byte order mark", "codex", ".codex/config.toml", b'\xef\xbb\xbfmodel = "gpt"\n'),
    ("TOML with trusted hooks", "codex", ".codex/config.toml",
     b'[hooks.state]\n\n[hooks.state."/h/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:00"\n'),
    ("TOML with hooks as tables", "kimi-cli", ".kimi/config.toml", b'[[hooks]]\nevent = "Stop"\ncommand = "beep"\n\n[models.x]\nmodel = "y"\n'),
    ("TOML with hooks as an empty value", "kimi-cli", ".kimi/config.toml", b'telemetry = false\nhooks = []\n\n[models.x]\nmodel = "y"\n'),
    ("TOML with servers as tables", "mistral-vibe", ".vibe/config.toml", b'[[mcp_servers]]\nname = "x"\ntransport = "http"\n'),
    ("YAML, empty", "goose", ".config/goose/config.yaml", b""),
    ("YAML with other extensions", "goose", ".config/goose/config.yaml",
     b'GOOSE_MODEL: x # mine\nextensions:\n  developer:\n    enabled: true\n    type: builtin\n# the end\nGOOSE_MODE: auto\n'),
    ("YAML with an empty value", "goose", ".config/goose/config.yaml", b'extensions: {} # none yet\nGOOSE_MODE: auto\n'),
    ("YAML with a key and nothing", "goose", ".config/goose/config.yaml", b'extensions:\nGOOSE_MODE: auto'),
    ("YAML with CRLF", "hermes", ".hermes/config.yaml", b'model:\r\n  default: x\r\nhooks:\r\n  pre_llm_call:\r\n    - command: mine\r\n'),
    ("YAML with lists that are not indented", "continue", ".continue/config.yaml",
     b'name: mine\nmcpServers:\n- name: x\n  command: y\n  args: ["a", "b"]\n\nrules:\n- be kind\n'),
    ("YAML with long texts", "continue", ".continue/config.yaml",
     b'name: mine\nprompt: |\n  mcpServers:\n    - name: no\n\n  more\nquoted: "over\n  lines: x"\nflow: [a,\n  b]\nit\'s: don\'t # c\n'),
    ("YAML with four blanks and a document's start", "hermes", ".hermes/config.yaml", b'---\n# mine\nmcp_servers:\n    x:\n        command: y\n'),
)  # fmt: skip
