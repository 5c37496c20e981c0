"""Harnesses that take an extension of ours, and what is written where an extension would do harm."""

from __future__ import annotations

import os
from collections.abc import Sequence

from muniment.harness import plugins
from muniment.harness.contract import MARK, Harness, Item, Member, Own, Part, Site
from muniment.harness.filed import VIEW

_KITS = {"opencode": "@opencode-ai/plugin", "kilo": "@kilocode/plugin"}


def _opencode_like(site: Site, name: str, files: Sequence[str]) -> list[Part]:
    """Servers, and a plugin of ours that works in every project; or a file of instructions, which is read for every request.

    Where there is a plugin, OpenCode first fetches a kit for plugins, and without a network it never starts. What we write
    must not keep a harness from starting, so the plugin is for those who have the kit already.
    """
    folder = site.machine.config(name)
    paths = [os.path.join(folder, file) for file in files]
    settings = next((path for path in paths if os.path.exists(path)), paths[0])
    server = {"type": "local", "command": list(site.commands.server), "enabled": True}
    servers = Member(settings, ("mcp", MARK), server)
    plugin = os.path.join(folder, "plugin", "muniment.js")
    if _has_kit(folder, _KITS[name]) and (os.path.exists(plugin) or not _says(settings, VIEW)):
        return [servers, Own(plugin, plugins.opencode(site.commands.hook_words(name)))]
    return [servers, Item(settings, ("instructions",), VIEW), *site.shown(VIEW)]


def _has_kit(folder: str, kit: str) -> bool:
    """Was the kit fetched, as OpenCode itself tells?"""
    return _says(os.path.join(folder, "package-lock.json"), kit) and os.path.isdir(os.path.join(folder, "node_modules"))


def _says(path: str, text: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return f'"{text}"' in file.read()
    except OSError:
        return False


def _pi(site: Site) -> list[Part]:
    return [
        Own(site.machine.at(".pi", "agent", "extensions", "muniment.ts"), plugins.pi(site.commands.hook_words("pi")))
    ]


PLUGGED: tuple[Harness, ...] = (
    Harness(
        "opencode", "OpenCode", ("opencode",), lambda m: (m.config("opencode"),),
        lambda site: _opencode_like(site, "opencode", ("opencode.json", "opencode.jsonc")), "file", "wire",
        ("where its kit for plugins is there already, a plugin that works in every project is written instead of the file",),
    ),
    Harness(
        "kilo", "Kilo", ("kilo",), lambda m: (m.config("kilo"),),
        lambda site: _opencode_like(site, "kilo", ("kilo.json", "kilo.jsonc", "opencode.json")), "file", "wire",
        ("where its kit for plugins is there already, a plugin that works in every project is written instead of the file",),
    ),
    Harness("pi", "Pi", ("pi",), lambda m: (m.at(".pi"),), _pi, "plugin", "wire"),
)  # fmt: skip
