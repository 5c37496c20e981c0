"""A tool server in a process of its own and the official client before it, over both transports and in both eras."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation
from tests.surfaces.conftest import Terminal

TOKEN = "a-token-of-these-tests-0123456789"
MODERN, LEGACY = "auto", "legacy"
STDIO, HTTP = "stdio", "http"
Doing = Callable[[Client], Awaitable[Any]]


def talk(terminal: Terminal, transport: str, mode: str, doing: Doing, client: str = "tests", **env: str) -> Any:
    """What `doing` gives back, on a fresh server."""
    return asyncio.run(_talk(terminal, transport, mode, doing, client, env))


async def _talk(terminal: Terminal, transport: str, mode: str, doing: Doing, client: str, env: dict[str, str]) -> Any:
    async with _reached(terminal, transport, env) as server:
        info = Implementation(name=client, version="1")
        async with Client(server, mode=mode, client_info=info, read_timeout_seconds=60) as connected:
            return await doing(connected)


@asynccontextmanager
async def _reached(terminal: Terminal, transport: str, env: dict[str, str]) -> AsyncIterator[Any]:
    if transport == STDIO:
        command = terminal.command("mcp", person=False)
        yield StdioServerParameters(
            command=command[0], args=command[1:], env=terminal.environment(env), cwd=terminal.project
        )
        return
    with serving(terminal, **env) as url:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http:
            yield streamable_http_client(url, http_client=http)


@contextmanager
def serving(terminal: Terminal, **env: str) -> Iterator[str]:
    """A server on a free port; its address."""
    command = terminal.command("mcp", "--http", "--port", "0", person=False)
    variables = terminal.environment({"MUNIMENT_HTTP_TOKEN": TOKEN, **env})
    server = subprocess.Popen(command, cwd=terminal.project, env=variables, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        yield server.stderr.readline().split()[1].rstrip(";")
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)


def text(result: Any) -> str:
    """The one text of a result; nothing stands beside it."""
    assert result.structured_content is None, result
    assert len(result.content) == 1, result
    return str(result.content[0].text)


class Lines:
    """The protocol by hand: lines in, lines out, and every byte of stdout kept."""

    def __init__(self, terminal: Terminal, **env: str) -> None:
        self._command = terminal.command("mcp", person=False)
        self._where = {"cwd": terminal.project, "env": terminal.environment(env)}

    def run(self, *messages: dict[str, Any] | str) -> tuple[bytes, bytes]:
        """(stdout, stderr) of a server that was sent these lines, and then the end of its input once all were answered."""
        server = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **self._where
        )
        assert server.stdin is not None
        assert server.stdout is not None
        out = b""
        for message in messages:
            server.stdin.write((message if isinstance(message, str) else json.dumps(message)).encode() + b"\n")
            server.stdin.flush()
            if isinstance(message, dict) and "id" in message:
                out += server.stdout.readline()
        rest, err = server.communicate(timeout=30)
        assert server.returncode == 0, err
        return out + rest, err


def initialise(version: str = "2025-11-25") -> list[dict[str, Any]]:
    """The handshake of the older era."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "by-hand", "version": "1"}}
    return [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def claude_code_session(terminal: Terminal, session: str, *texts: str) -> Path:
    """A transcript of Claude Code in the terminal's home: a prompt for each text."""
    cwd = str(terminal.project)
    slug = "".join(c if c.isalnum() else "-" for c in cwd)
    path = terminal.home / ".claude" / "projects" / slug / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for n, said in enumerate(texts):
            file.write(json.dumps(prompt(session, cwd, n, said)) + "\n")
    return path


def prompt(session: str, cwd: str, n: int, said: str) -> dict[str, Any]:
    """One prompt as Claude Code writes it down."""
    at = f"2026-11-30T10:00:{n:02d}.000Z"
    return {
        "type": "user", "uuid": f"{session[:-4]}{n:04d}", "parentUuid": None, "sessionId": session, "timestamp": at,
        "cwd": cwd, "version": "2.1.328", "isSidechain": False, "userType": "external",
        "message": {"role": "user", "content": said},
    }  # fmt: skip
