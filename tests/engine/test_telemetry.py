"""Spans under the conventions for memory, with no word of what was asked unless that is wanted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.surfaces.http.served import serving

from muniment import Memory
from muniment.errors import UsageError

_SPANS = InMemorySpanExporter()
_PROVIDER = TracerProvider()
_PROVIDER.add_span_processor(SimpleSpanProcessor(_SPANS))
trace.set_tracer_provider(_PROVIDER)


@pytest.fixture(autouse=True)
def spans() -> InMemorySpanExporter:
    """What was collected in one test."""
    _SPANS.clear()
    return _SPANS


def test_verbs_are_spans_that_tell_how_much_and_not_what(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    with Memory.open(tmp_path, home=tmp_path / "home", vouch="person") as memory:
        id_ = memory.add("fact", "The vault is under the stairs").ids[0]
        memory.query("type:fact vault", 500, as_of="2099-01-01")
        memory.search("where is the vault")
        with pytest.raises(UsageError):
            memory.query("vault:stairs")
        name = memory.store_name
    told = [(span.name, dict(span.attributes or {})) for span in spans.get_finished_spans()]
    base = {"gen_ai.memory.store.id": name}
    assert told[0] == (
        "create_memory",
        {
            **base,
            "gen_ai.operation.name": "create_memory",
            "gen_ai.memory.record.count": 1,
            "gen_ai.memory.record.id": id_,
        },
    )
    assert told[1][1] == {
        **base, "gen_ai.operation.name": "search_memory", "gen_ai.memory.record.count": 1, "muniment.budget": 500,
        "muniment.as_of": "2099-01-01",
    }  # fmt: skip
    assert [told[2][0], told[3][1]["error.type"]] == ["search_memory", "usage"]
    assert "vault" not in str(told)
    assert "vault" not in str([span.attributes for span in spans.get_finished_spans()])


def test_what_was_asked_is_told_where_the_variable_of_the_conventions_says_so(
    tmp_path: Path, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    with Memory.open(tmp_path, home=tmp_path / "home", vouch="person") as memory:
        memory.add("fact", "The vault is under the stairs")
        memory.search("where is the vault")
    texts = [(span.attributes or {}).get("gen_ai.memory.query.text") for span in spans.get_finished_spans()]
    assert texts == ["The vault is under the stairs", "where is the vault"]


def test_a_request_goes_on_with_the_trace_of_who_asked(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    (tmp_path / "project").mkdir()
    with (
        serving(tmp_path / "home", tmp_path / "project") as served,
        trace.get_tracer("a host").start_as_current_span("work"),
    ):
        served.memory().add("fact", "The API port is 8080")
    made, work = spans.get_finished_spans()
    assert (made.name, work.name) == ("create_memory", "work")
    assert made.context is not None
    assert work.context is not None
    assert made.context.trace_id == work.context.trace_id
    assert made.parent is not None
    assert made.parent.span_id == work.context.span_id


def test_where_nobody_watches_nothing_is_loaded_for_it(tmp_path: Path) -> None:
    script = """
import sys
from muniment import Memory
with Memory.open(sys.argv[1], home=sys.argv[2]) as memory:
    memory.add("fact", "x")
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    command = [sys.executable, "-c", script, str(tmp_path), str(tmp_path / "home")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"
