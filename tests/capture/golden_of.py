"""What an adapter makes of a sample, as JSON to be kept and compared.

python -m tests.capture.golden_of --write     rewrites tests/capture/golden/{claude-code,codex}
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.claude_code import ClaudeCode
from muniment.capture.transcripts.codex import Codex
from muniment.capture.transcripts.contract import Adapter, Checkpoint, Item, Source
from muniment.model.event import Event, SessionInfo, Skipped, Span

HERE = Path(__file__).parent
ADAPTERS: dict[str, Adapter] = {"claude-code": ClaudeCode(), "codex": Codex()}


def samples(harness: str) -> list[Path]:
    root = HERE / "samples" / harness
    found = [path for path in root.rglob("*") if path.suffix == ".jsonl" or path.name.startswith("web_")]
    return sorted(found)


def golden(harness: str, sample: Path) -> Path:
    name = str(sample.relative_to(HERE / "samples" / harness).with_suffix("")).replace("/", "__")
    return HERE / "golden" / harness / f"{name}.json"


def read(harness: str, sample: Path) -> list[Any]:
    """Every item, with spans spelled out, raw bytes as a hash, and no place of this machine."""
    return [shown(item) for item in ADAPTERS[harness].read(Source(sample), None)]


def shown(item: Item) -> Any:
    if isinstance(item, Event):
        return _event(item)
    if isinstance(item, SessionInfo):
        told = {name: getattr(item, name) for name in SessionInfo.__slots__ if name != "source_uri"}
        return {"session_info": {key: value for key, value in told.items() if value is not None}}
    if isinstance(item, Skipped):
        return {"skipped": [item.reason, item.offset, item.detail, item.count]}
    assert isinstance(item, Checkpoint)
    return {"checkpoint": {"offset": item.cursor.offset, "ordinal": item.cursor.ordinal, "state": item.cursor.state}}


def _event(event: Event) -> dict[str, Any]:
    out: dict[str, Any] = {"seq": event.seq, "who": f"{event.role} {event.origin} {event.kind}", "text": event.text}
    for name in ("session", "at", "native_id", "parent_id", "model", "tokens_in", "tokens_out"):
        if (value := getattr(event, name)) is not None:
            out[name] = value
    out["flags"] = list(event.flags)
    out["raw"] = f"{len(event.raw)} bytes {sha256(event.raw).hexdigest()[:16]}"
    out["calls"] = [
        [call.call_id, call.tool, call.action, {key: _said(event.text, value) for key, value in call.args.items()}]
        for call in event.calls
    ]
    out["results"] = [{**result._asdict(), "span": _said(event.text, result.span)} for result in event.results]
    return out


def _said(text: str, value: Any) -> Any:
    return [*value, text[value.start : value.end]] if isinstance(value, Span) else value


def write() -> None:
    for harness in ADAPTERS:
        for sample in samples(harness):
            target = golden(harness, sample)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(read(harness, sample), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
