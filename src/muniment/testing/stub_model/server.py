"""The server: loopback only, one record a request, credentials blanked."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from muniment.testing.stub_model import anthropic, chat, gemini, responses
from muniment.testing.stub_model.asked import Answer, Asked, Event
from muniment.testing.stub_model.script import Script

_SECRET = frozenset("authorization x-api-key api-key x-goog-api-key cookie proxy-authorization".split())
_MODEL = re.compile(r"/models/([^/:]+)$")
_GEMINI = re.compile(r"(?:/models/([^/:]+)|/v1internal):(\w+)$")
_COMPACTED = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "The history, compacted."}]}
]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came: `body` is what its JSON says, or its text where it is none."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Protocol:
    """How one vendor's model is asked and answers."""

    read: Callable[[dict[str, Any]], Asked]
    spoken: Callable[[Answer], dict[str, Any]]
    streamed: Callable[[Answer], Iterator[Event]]


PROTOCOLS = {
    "/messages": Protocol(anthropic.read, anthropic.spoken, anthropic.streamed),
    "/chat/completions": Protocol(chat.read, chat.spoken, chat.streamed),
    "/responses": Protocol(responses.read, responses.spoken, responses.streamed),
}
GEMINI = Protocol(gemini.read, gemini.spoken, gemini.streamed)


class StubModel:
    """A model server on 127.0.0.1. As a context it serves on a thread; `serve` serves on this one."""

    def __init__(
        self,
        port: int = 0,
        record: Path | None = None,
        *,
        words: str = "pong from the stub model",
        usage: int = 1200,
        window: int = 200_000,
        models: tuple[str, ...] = ("stub-model",),
    ) -> None:
        self.script, self.window, self.models = Script(words, usage), window, models
        self.requests: list[Request] = []
        self._record, self._lock = record, threading.Lock()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.stub = self

    @property
    def port(self) -> int:
        """The port, chosen by the system where none was asked for."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def serve(self) -> None:
        """Serve until the process ends."""
        self._server.serve_forever()

    def keep(self, method: str, path: str, headers: Mapping[str, str], body: Any) -> None:
        """Add a request to `requests` and to the record."""
        blanked = {k: "(blanked)" if k.lower() in _SECRET else v for k, v in headers.items()}
        with self._lock:
            request = Request(len(self.requests), method, path, blanked, body)
            self.requests.append(request)
            if self._record:
                with self._record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(request), ensure_ascii=False) + "\n")

    def answer(self, protocol: Protocol, body: dict[str, Any], model: str) -> Answer:
        """What the script says to this request."""
        asked = protocol.read(body)
        with self._lock:
            return self.script.answer(asked, model)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stub: StubModel


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "stub-model"

    @property
    def _stub(self) -> StubModel:
        return cast("_Server", self.server).stub

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is told: the record has it all."""

    def do_GET(self) -> None:
        """The list of models, one model, or that we are here."""
        self._stub.keep(self.command, self.path, dict(self.headers.items()), None)
        path = self.path.split("?")[0].rstrip("/")
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self._send({"error": {"message": "no websocket here"}}, 426)
        elif path.endswith("/models"):
            self._send(self._listed())
        elif found := _MODEL.search(path):
            self._send(self._described(found[1]))
        elif path in ("", "/health", "/ready"):
            self._send({"ok": True})
        else:
            self._send({"error": {"type": "not_found_error", "message": "no such path"}}, 404)

    def do_POST(self) -> None:
        """A turn of the model, or one of the small questions around it."""
        body = self._received()
        self._stub.keep(self.command, self.path, dict(self.headers.items()), body)
        body = body if isinstance(body, dict) else {}
        path = self.path.split("?")[0].rstrip("/")
        if path.endswith("/messages/count_tokens"):
            self._send({"input_tokens": self._stub.script.usage})
        elif path.endswith("/responses/compact"):
            self._send({"output": _COMPACTED})
        elif found := _GEMINI.search(path):
            self._gemini(found[1] or str(body.get("model", "stub-model")), found[2], body)
        elif protocol := next((p for end, p in PROTOCOLS.items() if path.endswith(end)), None):
            self._turn(protocol, body)
        else:
            self._send({})  # telemetry and the like

    def _turn(self, protocol: Protocol, body: dict[str, Any]) -> None:
        answer = self._stub.answer(protocol, body, str(body.get("model", "stub-model")))
        if answer.failure:
            self._send({"type": "error", "error": {"type": "api_error", "message": "scripted"}}, answer.failure)
        elif body.get("stream"):
            self._stream(protocol.streamed(answer))
        else:
            self._send(protocol.spoken(answer))

    def _gemini(self, model: str, verb: str, body: dict[str, Any]) -> None:
        if verb == "countTokens":
            return self._send({"totalTokens": self._stub.script.usage})
        answer = self._stub.answer(GEMINI, body.get("request", body), model)
        whole = GEMINI.spoken(answer)
        whole = {"response": whole} if "request" in body else whole
        if answer.failure:
            return self._send({"error": {"code": answer.failure, "message": "scripted"}}, answer.failure)
        if verb.startswith("stream") and "alt=sse" in self.path:
            return self._stream(iter([(None, whole)]))
        return self._send([whole] if verb.startswith("stream") else whole)

    def _listed(self) -> dict[str, Any]:
        ids = self._stub.models
        found = [self._described(id_) for id_ in ids]
        return {
            "object": "list",
            "has_more": False,
            "first_id": ids[0],
            "last_id": ids[-1],
            "data": found,
            "models": [],
        }

    def _described(self, id_: str) -> dict[str, Any]:
        window = self._stub.window
        limits = {"max_context_window_tokens": window, "max_prompt_tokens": window, "max_output_tokens": 8000}
        supports = {"tool_calls": True, "streaming": True}
        return {
            "id": id_, "object": "model", "type": "model", "display_name": id_, "created": 1_700_000_000,
            "created_at": "2025-01-01T00:00:00Z", "owned_by": "stub", "context_window": window,
            "capabilities": {"type": "chat", "limits": limits, "supports": supports},
        }  # fmt: skip

    def _send(self, value: Any, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: Iterator[Event]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, data in events:
            told = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{f'event: {name}' + chr(10) if name else ''}data: {told}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True

    def _received(self) -> Any:
        raw = self._unpacked(self._raw())
        try:
            return json.loads(raw) if raw else None
        except ValueError:
            return raw.decode("utf-8", "replace")

    def _unpacked(self, raw: bytes) -> bytes:
        packing = (self.headers.get("Content-Encoding") or "").lower()
        if packing == "gzip":
            return gzip.decompress(raw)
        if packing == "zstd":
            import zstandard

            return zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        return raw

    def _raw(self) -> bytes:
        if (self.headers.get("Transfer-Encoding") or "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data
