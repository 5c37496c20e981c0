"""The plugin folders before the validators of those who read them, as `export plugin` writes them and as they lie in the package.

    python scripts/plugins.py [FOLDER]     FOLDER keeps what is installed (npm and PyPI, about 500 MB); else it is thrown away

Not part of `make check`: it needs the network once, and npm. No validator needs a network, a login or a home of its own. The
Agent Plugins specification has no validator in a registry, only two schemas: where FOLDER/schemas holds them (plugin.schema.json
and mcp.schema.json, from the specification's own repository), they are asked as well.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import setup

PACKAGES = ("@anthropic-ai/claude-code@2.1.197", "@google/gemini-cli@0.61.0", "@anthropic-ai/mcpb@2.1.2")
READERS = ("skills-ref==0.1.1", "jsonschema>=4.20")
PACKED = setup.ROOT / "src" / "muniment" / "packs"


def main():
    with tempfile.TemporaryDirectory() as scratch:
        room = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(scratch, "room")
        installed(room)
        written, home = Path(scratch, "written"), Path(scratch, "home")
        home.mkdir()
        subprocess.run(
            [sys.executable, "-m", "muniment", "export", "plugin", str(written)], check=True, stdout=subprocess.DEVNULL
        )
        spoilt = Path(scratch, "spoilt")
        failed = [line for folder in (PACKED, written) for line in asked(room, folder, home)]
        failed += asked_of_a_gemini_extension(room, written, home)
        failed += packed_as_a_bundle(room, written, home)
        failed += noticing(room, written, spoilt, home)
    if failed:
        sys.exit("plugins: failed\n  " + "\n  ".join(failed))
    print("plugins: all good")


def installed(room):
    """The validators, under `room`."""
    room.mkdir(parents=True, exist_ok=True)
    if not (room / "node_modules").exists():
        command = ["npm", "install", "--prefix", str(room), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["node", "install.cjs"], check=True, cwd=room / "node_modules" / "@anthropic-ai" / "claude-code")
    if not (room / "readers").exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(room / "readers"), *READERS]
        subprocess.run(pip, check=True)


def asked(room, folder, home):
    """What both forms must pass."""
    bin_ = room / "node_modules" / ".bin"
    skill = folder / "plugin" / "skills" / "muniment-memory"
    agentskills = [sys.executable, str(room / "readers" / "bin" / "agentskills"), "validate", str(skill)]
    yield from problems("agentskills validate", agentskills, home, room)
    for place in ("plugin", "."):
        command = [str(bin_ / "claude"), "plugin", "validate", "--strict", str(folder / place)]
        yield from problems(f"claude plugin validate --strict {place}", command, home)
    yield from problems("mcpb validate", [str(bin_ / "mcpb"), "validate", str(folder / "mcpb" / "manifest.json")], home)
    yield from schemas(room, folder)


def asked_of_a_gemini_extension(room, written, home):
    """An extension is one folder, so only the written form has all of it."""
    command = [str(room / "node_modules" / ".bin" / "gemini"), "extensions", "validate", str(written / "gemini")]
    return list(problems("gemini extensions validate", command, home))


def packed_as_a_bundle(room, written, home):
    """The bundle is made by its own tool."""
    command = [str(room / "node_modules" / ".bin" / "mcpb"), "pack", str(written / "mcpb"), str(home / "muniment.mcpb")]
    return list(problems("mcpb pack", command, home))


def schemas(room, folder):
    """The two schemas of Agent Plugins, where somebody put them."""
    sys.path.append(str(room / "readers"))
    for name in ("plugin", "mcp"):
        schema = room / "schemas" / f"{name}.schema.json"
        if not schema.exists():
            print(f"-     agent plugins {name}.json: {schema} is not there")
            continue
        import jsonschema

        try:
            jsonschema.validate(
                json.loads((folder / "plugin" / f"{name}.json").read_bytes()), json.loads(schema.read_bytes())
            )
            print(f"ok    agent plugins {name}.json")
        except jsonschema.ValidationError as error:
            yield f"agent plugins {name}.json: {error.message[:300]}"


def noticing(room, written, spoilt, home):
    """Each validator finds what is wrong: else its word is worth nothing."""
    import shutil

    bin_ = room / "node_modules" / ".bin"
    shutil.copytree(written, spoilt)
    for name in ("plugin/.claude-plugin/plugin.json", "gemini/gemini-extension.json", "mcpb/manifest.json"):
        (spoilt / name).write_text('{"description": 7}')
    skill = spoilt / "plugin" / "skills" / "muniment-memory"
    (skill / "SKILL.md").write_text("---\nname: Another\n---\n")
    for name, command in (
        ("agentskills", [sys.executable, str(room / "readers" / "bin" / "agentskills"), "validate", str(skill)]),
        ("claude", [str(bin_ / "claude"), "plugin", "validate", "--strict", str(spoilt / "plugin")]),
        ("mcpb", [str(bin_ / "mcpb"), "validate", str(spoilt / "mcpb" / "manifest.json")]),
        ("gemini", [str(bin_ / "gemini"), "extensions", "validate", str(spoilt / "gemini")]),
    ):
        if ran(command, home, room).returncode == 0:
            yield f"{name} finds nothing wrong with what is wrong"
        else:
            print(f"ok    {name} notices what is wrong")


def problems(name, command, home, room=None):
    done = ran(command, home, room)
    print(f"{'ok  ' if done.returncode == 0 else 'FAIL'}  {name}", flush=True)
    if done.returncode:
        yield f"{name}: {(done.stdout + done.stderr).strip()[-300:]}"


def ran(command, home, room=None):
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    if room is not None:
        env["PYTHONPATH"] = str(room / "readers")
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=env)


if __name__ == "__main__":
    setup.enter()
    main()
