"""Codex runs a hook only if the person trusts it: asked of Codex itself, and written by Codex itself."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from muniment.errors import EndpointError
from muniment.harness.contract import is_ours

_WAIT_S = 20.0
_LONGEST = 16 << 20


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook of ours as Codex lists it: its key, the hash of what it runs now, and whether it is trusted."""

    key: str
    event: str
    current: str
    status: str

    @property
    def is_trusted(self) -> bool:
        """Would Codex run it?"""
        return self.status.lower() in ("trusted", "managed")


def listed(codex: str, folder: str, variables: Mapping[str, str]) -> list[Hook]:
    """Our hooks as Codex sees them. EndpointError if it does not say."""
    with _server(codex, folder, variables) as server:
        return _ours(server, folder)


def grant(codex: str, folder: str, variables: Mapping[str, str]) -> list[Hook]:
    """Trust our hooks, and no others, by what Codex itself computes; the hooks as they are listed afterwards."""
    with _server(codex, folder, variables) as server:
        due = [hook for hook in _ours(server, folder) if not hook.is_trusted]
        if due:
            value = {hook.key: {"trusted_hash": hook.current} for hook in due}
            edit = {"keyPath": "hooks.state", "value": value, "mergeStrategy": "upsert"}
            server.ask("config/batchWrite", {"edits": [edit]})
        return _ours(server, folder)


def _ours(server: _Server, folder: str) -> list[Hook]:
    told = server.ask("hooks/list", {"cwds": [folder]})
    try:
        hooks = [hook for place in told["data"] for hook in place["hooks"]]
        return [
            Hook(each["key"], str(each.get("eventName", "")), each["currentHash"], str(each.get("trustStatus", "")))
            for each in hooks
            if is_ours(each)
        ]
    except (KeyError, TypeError) as error:
        raise EndpointError("Codex lists its hooks in a form that is not known", hint=_HINT, about="codex") from error


_HINT = "trust them in Codex itself: /hooks"


class _Server:
    """Codex's own server, spoken to by lines of JSON."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process, self._number, self._rest = process, 0, b""
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self._deadline = time.monotonic() + _WAIT_S

    def tell(self, method: str) -> None:
        self._send({"method": method})

    def ask(self, method: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": parameters})
        for told in self._lines():
            if told.get("id") == self._number:
                if "error" in told:
                    why = str(told["error"].get("message", told["error"]))[:200]
                    raise EndpointError(f"Codex refuses {method}: {why}", hint=_HINT, about="codex")
                return told.get("result")
        raise EndpointError(f"Codex ended before it answered {method}", hint=_HINT, about="codex")

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._in.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self._in.flush()
        except OSError as error:
            raise EndpointError("Codex's server went away", hint=_HINT, about="codex") from error

    def _lines(self) -> Iterator[dict[str, Any]]:
        while True:
            line, found, self._rest = self._rest.partition(b"\n")
            if not found:
                chunk = self._chunk()
                if not chunk or len(line) > _LONGEST:
                    return
                self._rest = line + chunk
                continue
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if isinstance(told, dict):
                yield told

    def _chunk(self) -> bytes:
        """What comes next, before the time is up; where pipes cannot be waited for, the process is ended in time instead."""
        if os.name == "posix":
            with selectors.DefaultSelector() as waiting:
                waiting.register(self._out, selectors.EVENT_READ)
                if not waiting.select(max(0.0, self._deadline - time.monotonic())):
                    raise EndpointError(f"Codex did not answer within {_WAIT_S:.0f} s", hint=_HINT, about="codex")
        return os.read(self._out.fileno(), 1 << 16)


@contextmanager
def _server(codex: str, folder: str, variables: Mapping[str, str]) -> Iterator[_Server]:
    try:
        process = subprocess.Popen(
            [codex, "app-server"], cwd=folder, env=dict(variables), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as error:
        raise EndpointError(f"{codex} does not start: {error.strerror}", hint=_HINT, about="codex") from error
    try:
        server = _Server(process)
        client = {"name": "muniment", "title": "muniment", "version": "0"}
        server.ask("initialize", {"clientInfo": client, "capabilities": {"experimentalApi": True}})
        server.tell("initialized")
        yield server
    finally:
        process.kill()
        process.communicate()
