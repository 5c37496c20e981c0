"""Harnesses without a hook that reaches the model: they are given a file that is rendered again, or the tools alone."""

from __future__ import annotations

import os
from typing import Any

from muniment.harness.contract import MARK, Harness, Item, Machine, Mark, Member, Part, Site

VIEW = "muniment.wake.md"
_CLINE, _ROO = "saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"
_ALWAYS = "---\ndescription: What is remembered of this project\nalwaysApply: true\n---\n"


def _servers(site: Site, file: str, key: str = "mcpServers", **more: Any) -> Member:
    return Member(file, (key, MARK), site.server(**more))


def _editor(machine: Machine, *names: str) -> str:
    return machine.application("Code", "User", *names)


def _cursor(site: Site) -> list[Part]:
    head = _ALWAYS
    return [_servers(site, site.machine.at(".cursor", "mcp.json")), *site.shown(".cursor/rules/muniment.mdc", head)]


def _cline(site: Site) -> list[Part]:
    storage = _editor(site.machine, "globalStorage", _CLINE)
    files = [site.machine.at(".cline", "data", "settings", "cline_mcp_settings.json")]
    if os.path.isdir(storage):
        files.append(os.path.join(storage, "settings", "cline_mcp_settings.json"))
    return [*(_servers(site, file) for file in files), *site.shown(".clinerules/muniment.md")]


def _roo(site: Site) -> list[Part]:
    file = _editor(site.machine, "globalStorage", _ROO, "settings", "mcp_settings.json")
    return [_servers(site, file), *site.shown(".roo/rules/muniment.md")]


def _continue(site: Site) -> list[Part]:
    server = {"name": MARK, **site.server()}
    head = "---\nname: What is remembered of this project\nalwaysApply: true\n---\n"
    return [
        Item(site.machine.at(".continue", "config.yaml"), ("mcpServers",), server),
        *site.shown(".continue/rules/muniment.md", head),
    ]


def _aider(site: Site) -> list[Part]:
    if not site.root:
        return []
    return [Item(site.project(".aider.conf.yml"), ("read",), VIEW), *site.shown(VIEW)]


def _goose(site: Site) -> list[Part]:
    command, *arguments = site.commands.server
    server = {
        "name": MARK, "type": "stdio", "cmd": command, "args": arguments, "envs": {}, "enabled": True, "timeout": 300,
    }  # fmt: skip
    settings = site.machine.config("goose", "config.yaml")
    if site.machine.platform == "win32":
        settings = site.machine.application("Block", "goose", "config", "config.yaml")
    parts: list[Part] = [Member(settings, ("extensions", MARK), server)]
    return [*parts, Mark(site.project(".goosehints"), f"@{VIEW}"), *site.shown(VIEW)] if site.root else parts


def _kiro(site: Site) -> list[Part]:
    servers = _servers(site, site.machine.at(".kiro", "settings", "mcp.json"))
    return [servers, *site.shown(".kiro/steering/muniment.md", "---\ninclusion: always\n---\n")]


def _antigravity(site: Site) -> list[Part]:
    servers = _servers(site, site.machine.at(".gemini", "config", "mcp_config.json"))
    return [servers, *site.shown(".agents/rules/muniment.md")]


def _windsurf(site: Site) -> list[Part]:
    servers = _servers(site, site.machine.at(".codeium", "windsurf", "mcp_config.json"))
    return [servers, *site.shown(".windsurf/rules/muniment.md", "---\ntrigger: always_on\n---\n")]


def _vscode(site: Site) -> list[Part]:
    servers = _servers(site, _editor(site.machine, "mcp.json"), "servers", type="stdio")
    return [servers, *site.shown(".github/instructions/muniment.instructions.md", '---\napplyTo: "**"\n---\n')]


def _vibe(site: Site) -> list[Part]:
    folder = site.machine.moved("VIBE_HOME", ".vibe")
    server = {"name": MARK, "transport": "stdio", **site.server()}
    return [Item(os.path.join(folder, "config.toml"), ("mcp_servers",), server)]


def _openclaw(site: Site) -> list[Part]:
    return [Member(site.machine.at(".openclaw", "openclaw.json"), ("mcp", "servers", MARK), site.server())]


def _amp(site: Site) -> list[Part]:
    return [_servers(site, site.machine.config("amp", "settings.json"), "amp.mcpServers")]


def _zed(site: Site) -> list[Part]:
    folder = site.machine.application("Zed") if site.machine.platform == "win32" else site.machine.config("zed")
    return [_servers(site, os.path.join(folder, "settings.json"), "context_servers", source="custom")]


def _junie(site: Site) -> list[Part]:
    return [_servers(site, site.machine.at(".junie", "mcp", "mcp.json"))]


def _crush(site: Site) -> list[Part]:
    return [_servers(site, site.machine.config("crush", "crush.json"), "mcp", type="stdio")]


def _at(*names: str) -> Any:
    return lambda machine: (machine.at(*names),)


CURSOR_REPORTS = (
    "Cursor's session start loses what a hook says (forum.cursor.com 149566, 155689, 157141): "
    "a rules file in the project is written instead of a hook"
)

FILED: tuple[Harness, ...] = (
    Harness("cursor", "Cursor", ("cursor", "cursor-agent"), _at(".cursor"), _cursor, "file", "read", refused=CURSOR_REPORTS),
    Harness(
        "cline", "Cline", ("cline",), lambda m: (m.at(".cline"), _editor(m, "globalStorage", _CLINE)), _cline, "file", "wire",
    ),
    Harness("roo-code", "Roo Code", (), lambda m: (_editor(m, "globalStorage", _ROO),), _roo, "file", "read"),
    Harness("continue", "Continue", ("cn",), _at(".continue"), _continue, "file", "wire"),
    Harness("aider", "Aider", ("aider",), _at(".aider"), _aider, "file", "wire", instructions="CONVENTIONS.md"),
    Harness("goose", "Goose", ("goose",), lambda m: (m.config("goose"),), _goose, "file", "read"),
    Harness("kiro-cli", "Kiro", ("kiro-cli", "kiro"), _at(".kiro"), _kiro, "file", "read"),
    Harness(
        "antigravity", "Antigravity", ("agy",),
        lambda m: (m.at(".gemini", "antigravity"), m.at(".gemini", "antigravity-cli"), m.at(".gemini", "config")),
        _antigravity, "file", "read", ("the documents disagree on where Antigravity reads its tool servers",),
    ),
    Harness("windsurf", "Windsurf", ("windsurf",), _at(".codeium", "windsurf"), _windsurf, "file", "read"),
    Harness("vscode-copilot", "Copilot in VS Code", ("code",), lambda m: (_editor(m),), _vscode, "file", "read"),
    Harness(
        "mistral-vibe", "Mistral Vibe", ("vibe",), lambda m: (m.moved("VIBE_HOME", ".vibe"),), _vibe, "tools", "wire",
        ("Vibe names no tool of a server outright: its model finds them by a search, as mcp_muniment",),
    ),
    Harness("openclaw", "OpenClaw", ("openclaw",), _at(".openclaw"), _openclaw, "tools", "wire"),
    Harness("amp", "Amp", ("amp",), lambda m: (m.config("amp"),), _amp, "tools", "read"),
    Harness("zed", "Zed", ("zed", "zeditor"), lambda m: (m.config("zed"), m.application("Zed")), _zed, "tools", "read",
            instructions=".rules"),
    Harness("junie", "Junie", ("junie",), _at(".junie"), _junie, "tools", "read", instructions=".junie/guidelines.md"),
    Harness("crush", "Crush", ("crush",), lambda m: (m.config("crush"),), _crush, "tools", "read",
            instructions="CRUSH.md"),
)  # fmt: skip
