"""The stub model by real HTTP: every protocol, whole and as a stream, and the script that decides what it says."""

from __future__ import annotations

import gzip
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from muniment.testing.stub_model import StubModel

SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
SHELL = '[[stub {"tool": "shell", "args": {"command": "ls"}}]]'
DONE = '[[stub {"say": "all done"}]]'


@pytest.fixture
def stub() -> Iterator[StubModel]:
    with StubModel() as made:
        yield made


def sent(stub: StubModel, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """A request as a client sends it: the status, and the text of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=30)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", path, data, {"Content-Type": "application/json", **(headers or {})})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def asked(stub: StubModel, path: str, body: Any) -> Any:
    status, text = sent(stub, path, body)
    assert status == 200, text
    return json.loads(text)


def events(text: str) -> list[Any]:
    """The data of each event of a stream."""
    found = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    return [one if one == "[DONE]" else json.loads(one) for one in found]


def chat(prompt: str, *more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    tool = {"type": "function", "function": {"name": "run_shell_command", "parameters": SCHEMA}}
    return {"model": "m", "messages": [{"role": "user", "content": prompt}, *more], "tools": [tool], **fields}


def anthropic(prompt: str, *more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    tools = [{"name": "Bash", "input_schema": SCHEMA}]
    return {"model": "m", "messages": [{"role": "user", "content": prompt}, *more], "tools": tools, **fields}


def responses(prompt: str, *more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}
    inner = {"type": "function", "name": "exec_command", "parameters": SCHEMA}
    space = {"type": "namespace", "name": "mcp__here", "tools": [{"type": "function", "name": "memory_query"}]}
    return {"model": "m", "input": [said, *more], "tools": [inner, space], **fields}


def gemini(prompt: str) -> dict[str, Any]:
    function = {"name": "run_shell_command", "parametersJsonSchema": SCHEMA}
    contents = [{"role": "user", "parts": [{"text": prompt}]}]
    return {"contents": contents, "tools": [{"functionDeclarations": [function]}]}


def test_without_a_script_it_says_its_one_sentence_in_every_protocol(stub: StubModel) -> None:
    words = "pong from the stub model"
    assert asked(stub, "/v1/messages", anthropic("hi"))["content"] == [{"type": "text", "text": words}]
    assert asked(stub, "/v1/chat/completions", chat("hi"))["choices"][0]["message"]["content"] == words
    assert asked(stub, "/v1/responses", responses("hi"))["output"][0]["content"][0]["text"] == words
    told = asked(stub, "/v1beta/models/g:generateContent", gemini("hi"))
    assert told["candidates"][0]["content"]["parts"] == [{"text": words}]


def test_a_scripted_call_uses_the_tool_of_that_kind_that_is_offered(stub: StubModel) -> None:
    block = asked(stub, "/v1/messages", anthropic(SHELL))["content"][1]
    assert (block["name"], block["input"]) == ("Bash", {"command": "ls"})
    call = asked(stub, "/v1/chat/completions", chat(SHELL))["choices"][0]["message"]["tool_calls"][0]["function"]
    assert (call["name"], json.loads(call["arguments"])) == ("run_shell_command", {"command": "ls"})
    item = asked(stub, "/v1/responses", responses(SHELL))["output"][0]
    assert (item["name"], json.loads(item["arguments"])) == ("exec_command", {"command": "ls"})
    part = asked(stub, "/v1beta/models/g:generateContent", gemini(SHELL))["candidates"][0]["content"]["parts"][0]
    assert (part["functionCall"]["name"], part["functionCall"]["args"]) == ("run_shell_command", {"command": "ls"})


def test_a_tool_in_a_namespace_is_called_with_its_namespace(stub: StubModel) -> None:
    prompt = '[[stub {"tool": "memory_query$", "args": {"selector": "p:uses"}}]]'
    item = asked(stub, "/v1/responses", responses(prompt))["output"][0]
    assert (item["name"], item["namespace"], item["arguments"]) == (
        "memory_query",
        "mcp__here",
        '{"selector": "p:uses"}',
    )


def test_streams_hold_what_the_whole_answer_holds(stub: StubModel) -> None:
    _, text = sent(stub, "/v1/messages", anthropic(SHELL, stream=True))
    pieces = [e["delta"]["partial_json"] for e in events(text) if e.get("delta", {}).get("type") == "input_json_delta"]
    assert json.loads("".join(pieces)) == {"command": "ls"}
    _, text = sent(stub, "/v1/chat/completions", chat(SHELL, stream=True))
    assert events(text)[-1] == "[DONE]"
    assert any(e["choices"] and e["choices"][0]["finish_reason"] == "tool_calls" for e in events(text)[:-1])
    _, text = sent(stub, "/v1/responses", responses(DONE, stream=True))
    assert events(text)[-1]["response"]["output"][0]["content"][0]["text"] == "all done"
    assert [e["sequence_number"] for e in events(text)] == list(range(1, len(events(text)) + 1))
    _, text = sent(stub, "/v1beta/models/g:streamGenerateContent?alt=sse", gemini(DONE))
    assert events(text)[0]["candidates"][0]["content"]["parts"][0]["text"] == "all done"


def test_calls_come_one_after_the_other_and_then_the_last_words(stub: StubModel) -> None:
    prompt = f"{SHELL} {SHELL.replace('ls', 'pwd')} {DONE}"
    made: list[dict[str, Any]] = []
    told = []
    for _ in range(3):
        message = asked(stub, "/v1/chat/completions", chat(prompt, *made))["choices"][0]["message"]
        calls = message.get("tool_calls", [])
        told.append(json.loads(calls[0]["function"]["arguments"])["command"] if calls else message["content"])
        made += [message, {"role": "tool", "tool_call_id": "x", "content": "ok"}]
    assert told == ["ls", "pwd", "all done"]


def test_the_same_request_sent_again_gets_the_same_call(stub: StubModel) -> None:
    first, again = (asked(stub, "/v1/messages", anthropic(f"{SHELL} {DONE}")) for _ in range(2))
    assert first["content"][1]["input"] == again["content"][1]["input"] == {"command": "ls"}


def test_calls_that_a_compaction_dropped_are_not_made_again(stub: StubModel) -> None:
    prompt = f"{SHELL} {DONE}"
    asked(stub, "/v1/chat/completions", chat(prompt))
    summary = {"role": "user", "content": "What happened so far was summarised."}
    message = asked(stub, "/v1/chat/completions", chat(prompt, summary))["choices"][0]["message"]
    assert message["content"] == "all done"


def test_a_full_context_is_claimed_once(stub: StubModel) -> None:
    prompt = f'[[stub {{"usage": 190000}}]] {SHELL}'
    call = asked(stub, "/v1/chat/completions", chat(prompt))
    result = {"role": "tool", "tool_call_id": "x", "content": "ok"}
    after = asked(stub, "/v1/chat/completions", chat(prompt, call["choices"][0]["message"], result))
    assert (call["usage"]["prompt_tokens"], after["usage"]["prompt_tokens"]) == (190_000, 1200)


def test_a_scripted_failure_has_its_status(stub: StubModel) -> None:
    assert sent(stub, "/v1/messages", anthropic('[[stub {"fail": 529}]]'))[0] == 529
    assert sent(stub, "/v1beta/models/g:generateContent", gemini('[[stub {"fail": 503}]]'))[0] == 503


def test_a_script_inside_an_argument_is_read_where_no_other_stands(stub: StubModel) -> None:
    inner = '<<stub {"say": "from below"}>>'
    assert asked(stub, "/v1/messages", anthropic(inner))["content"][0]["text"] == "from below"
    assert asked(stub, "/v1/messages", anthropic(f"{inner} {DONE}"))["content"][0]["text"] == "all done"


def test_a_script_that_a_harness_quoted_is_read(stub: StubModel) -> None:
    quoted = json.dumps(f"As you said: {DONE}")
    assert asked(stub, "/v1/chat/completions", chat(quoted))["choices"][0]["message"]["content"] == "all done"


@pytest.mark.parametrize(
    "frame", ["<muniment view='wake'>{}</muniment>", "&lt;muniment view='wake'&gt;{}&lt;/muniment&gt;"]
)
def test_what_a_memory_quotes_of_earlier_prompts_is_no_script(stub: StubModel, frame: str) -> None:
    remembered = {"role": "user", "content": frame.format(f"\n- task: {SHELL}\n")}
    message = asked(stub, "/v1/chat/completions", chat(DONE, remembered))["choices"][0]["message"]
    assert message["content"] == "all done"


def test_a_tool_that_is_not_offered_is_passed_over_unless_it_is_forced(stub: StubModel) -> None:
    prompt = '[[stub {"tool": "no_such_tool", "args": {"a": 1}}]] [[stub {"say": "all done"}]]'
    assert asked(stub, "/v1/messages", anthropic(prompt))["content"] == [{"type": "text", "text": "all done"}]
    block = asked(stub, "/v1/messages", anthropic(prompt.replace('"args"', '"force": true, "args"')))["content"][1]
    assert (block["name"], block["input"]) == ("no_such_tool", {"a": 1})


def test_json_that_is_demanded_by_a_schema_fits_it(stub: StubModel) -> None:
    schema = {
        "type": "object", "required": ["kind", "n", "names", "deep"],
        "properties": {
            "kind": {"enum": ["b", "a"]}, "n": {"type": "integer", "minimum": 3}, "left": {"type": "string"},
            "names": {"type": "array", "minItems": 2, "items": {"type": "string"}},
            "deep": {"anyOf": [{"type": "object", "properties": {"is": {"type": "boolean"}}, "required": ["is"]}]},
        },
    }  # fmt: skip
    form = {"type": "json_schema", "json_schema": {"schema": schema}}
    told = asked(stub, "/v1/chat/completions", chat("a title", response_format=form))["choices"][0]["message"][
        "content"
    ]
    assert json.loads(told) == {"kind": "b", "n": 3, "names": ["stub", "stub"], "deep": {"is": False}}


def test_every_request_is_kept_with_its_credentials_blanked(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with StubModel(record=record) as stub:
        sent(stub, "/v1/messages?beta=1", anthropic("hi"), {"X-Api-Key": "very-secret", "X-Other": "kept"})
        kept = stub.requests[0]
    line = json.loads(record.read_text(encoding="utf-8"))
    assert line["body"] == kept.body == anthropic("hi")
    assert line["path"] == "/v1/messages?beta=1"
    assert line["headers"]["X-Other"] == "kept"
    assert "very-secret" not in record.read_text(encoding="utf-8")


@pytest.mark.parametrize("packing", ["gzip", "zstd", "chunked"])
def test_packed_bodies_are_read(stub: StubModel, packing: str) -> None:
    raw = json.dumps(chat(DONE)).encode()
    connection = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=30)
    if packing == "chunked":
        connection.request("POST", "/v1/chat/completions", iter([raw[:9], raw[9:]]), encode_chunked=True)
    else:
        packed = gzip.compress(raw) if packing == "gzip" else zstandard.ZstdCompressor().compress(raw)
        connection.request("POST", "/v1/chat/completions", packed, {"Content-Encoding": packing})
    told = json.loads(connection.getresponse().read())
    connection.close()
    assert told["choices"][0]["message"]["content"] == "all done"


def test_models_are_listed_and_what_nobody_asks_a_model_is_answered_with_nothing(stub: StubModel) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=30)
    connection.request("GET", "/v1/models")
    assert [m["id"] for m in json.loads(connection.getresponse().read())["data"]] == ["stub-model"]
    connection.request("GET", "/nowhere")
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 404
    connection.close()
    assert sent(stub, "/telemetry", {"a": 1}) == (200, "{}")


def test_it_listens_on_this_machine_alone_and_runs_as_a_program(tmp_path: Path) -> None:
    port = tmp_path / "port"
    command = [
        sys.executable,
        "-m",
        "muniment.testing.stub_model",
        "--port-file",
        str(port),
        "--record",
        str(tmp_path / "r"),
    ]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        for _ in range(600):
            if port.exists() and port.read_text():
                break
            time.sleep(0.05)
        connection = http.client.HTTPConnection("127.0.0.1", int(port.read_text()), timeout=30)
        connection.request("GET", "/health")
        assert connection.getresponse().read() == b'{"ok": true}'
        connection.close()
    finally:
        child.kill()
        assert child.communicate() == (b"", b"")
