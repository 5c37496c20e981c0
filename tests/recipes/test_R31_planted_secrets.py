"""R31: made-up secrets of every shape, by every road: not a byte of them in any file of ours, a mask in the text."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from tests.recipes.support import (
    HARNESSES,
    Fetches,
    Reads,
    Replies,
    Runs,
    Says,
    Writes,
    claude_records,
    database,
    kept_bytes,
    line,
    name_of,
    read_in,
    texts,
    transcript,
    written,
)
from tests.support import state
from tests.surfaces.conftest import Terminal

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing, stating, transfer
from muniment.engine.asking import query
from muniment.gate import masks
from muniment.gate.intake import record_text
from muniment.gate.masks import MARK
from muniment.model.fact import Action
from muniment.testing import secrets

SEED = 4
SHAPES = (
    "openai",
    "anthropic",
    "github classic",
    "gitlab",
    "slack bot",
    "aws id",
    "google api",
    "npm",
    "stripe",
    "sendgrid",
    "telegram",
    "jwt",
    "random",
    "random base64",
    "pem",
    "encoded key",
    "split backslash",
    "bearer",
    "basic",
    "header json",
    "url password",
    "url token",
    "url query",
    "cookie",
    "set-cookie",
    "env",
    "env export",
    "aws secret",
    "json",
    "json escaped",
    "json pair",
    "yaml",
    "python",
    "flag",
    "argument list",
    "slack webhook",
)
PLANTED = [p for p in secrets.planted(SEED, 50) if p.shape.split(",")[0] in SHAPES]


def plants(count: int) -> list[secrets.Planted]:
    """So many of each shape, each a value of its own."""
    chosen: dict[str, list[secrets.Planted]] = {}
    for plant in PLANTED:
        chosen.setdefault(plant.shape.split(",")[0], []).append(plant)
    return [plant for each in chosen.values() for plant in each[:count]]


def forms(value: str) -> Iterator[bytes]:
    """A value as it may lie in a file: plain, as JSON writes it, and in base64 from any of three places."""
    yield value.encode()
    yield json.dumps(value)[1:-1].encode()
    yield json.dumps(json.dumps(value))[3:-3].encode()
    for lead in range(3):
        encoded = base64.b64encode(b"." * lead + value.encode())
        yield encoded[4 if lead else 0 : len(encoded) // 4 * 4 - 4]


def leaked(home: Path, values: Iterable[str]) -> list[str]:
    """Where a value can still be read."""
    wanted = {form: value for value in values for form in forms(value) if len(form) >= 6}
    return [
        f"{value!r} in {place}" for place, data in kept_bytes(home) for form, value in wanted.items() if form in data
    ]


def secrets_of(planted: Iterable[secrets.Planted]) -> list[str]:
    return [s for p in planted for s in p.secrets if len(s) >= 8]


def steps_with(planted: list[secrets.Planted], root: str) -> list:
    """Each plant where a session may show it: said, replied, run, printed, read, written, fetched."""
    made = []
    for n, plant in enumerate(planted):
        text = plant.text
        roads = (
            Says(text),
            Replies(text),
            Runs(f"printf '%s' <<'X'\n{text}\nX"),
            Runs("env", text),
            Runs("deploy", text, 1),
            Reads(f"{root}/.env", text),
            Writes(f"{root}/conf-{n}.py", text),
            Fetches("https://example.org/p", text),
        )
        made.append(roads[n % len(roads)])
    return made


def test_there_are_enough_shapes_and_values():
    assert len({p.shape.split(",")[0] for p in PLANTED}) >= 20
    assert len(plants(50)) == 50 * len(SHAPES)


@pytest.mark.parametrize("harness", HARNESSES)
def test_nothing_of_a_transcript_s_secrets_is_in_any_file(harness, engine, tmp_path):
    planted = plants(8)
    path = transcript(harness, tmp_path / "t", engine.workspace.root, steps_with(planted, engine.workspace.root))
    report = read_in(engine, path)
    assert report.kept >= len(planted)
    assert sum(MARK in t for t in texts(engine)) >= len(planted)
    for _ in range(2):  # with its write-ahead log, and without
        assert leaked(engine.settings.home, secrets_of(planted)) == []
        engine.close()
    answer = query(engine, "", 1_000_000).text
    assert not [s for s in secrets_of(planted) if s in answer]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("harness", HARNESSES)
def test_nothing_of_fifty_values_of_each_shape_is_in_any_file(harness, engine, tmp_path):
    planted = plants(50)
    path = transcript(harness, tmp_path / "t", engine.workspace.root, steps_with(planted, engine.workspace.root))
    read_in(engine, path)
    engine.close()
    assert leaked(engine.settings.home, secrets_of(planted)) == []


@pytest.mark.parametrize("form", ["torn", "unknown type", "odd shape", "no session", "two on a line"])
def test_a_record_that_nobody_can_read_leaks_nothing(form, engine, tmp_path):
    planted, root = plants(2), engine.workspace.root
    records: list = []
    for n, plant in enumerate(planted):
        made = next(iter(claude_records(name_of("claude-code"), root, [Says(plant.text)])))
        made["uuid"] = f"{n:08x}-0000-4000-8000-000000000000"
        raw = line(made)[:-1]
        records.append(
            {
                "torn": raw[:-3],
                "unknown type": made | {"type": "novelty"},
                "odd shape": made | {"message": {"content": {"deep": [plant.text, {"deeper": plant.text}]}}},
                "no session": line({"type": "user", "text": plant.text})[:-4],
                "two on a line": raw + raw[:-5],
            }[form]
        )
    name = "notes.jsonl" if form == "no session" else f"{name_of('claude-code')}.jsonl"
    path = written(tmp_path / "t" / name, [{"isSidechain": False, "sessionId": "s", "type": "mode"}, *records])
    read_in(engine, path)
    engine.close()
    assert leaked(engine.settings.home, secrets_of(planted)) == []


def test_a_secret_by_the_name_of_its_field_is_masked_in_the_text_too(engine, tmp_path):
    """A tool's input is taken apart: the text has the value without the name that betrays it."""
    weak = "hun" + "ter42x"
    made = list(claude_records(name_of("claude-code"), engine.workspace.root, [Runs("login", "ok")]))
    made[0]["message"]["content"][0]["input"] = {"password": weak, "argv": ["login", "--token", weak + "9Qz"]}
    read_in(engine, written(tmp_path / f"{name_of('claude-code')}.jsonl", made))
    assert MARK in texts(engine)[0]
    engine.close()
    assert leaked(engine.settings.home, [weak]) == []


def test_no_hash_of_a_file_with_a_secret_in_it_is_kept(engine, tmp_path):
    from hashlib import sha256

    content = f"DB_PASSWORD={secrets.draw(Random(1), 12)}\n"
    root = engine.workspace.root
    steps = [Writes(f"{root}/.env", content), Reads(f"{root}/.env", content)]
    read_in(engine, transcript("claude-code", tmp_path / "t", root, steps))
    engine.close()
    digest = sha256(content.encode())
    assert leaked(engine.settings.home, [digest.hexdigest()]) == []
    assert not any(digest.digest() in data for _, data in kept_bytes(engine.settings.home))


def test_statements_and_verdicts_leak_nothing(engine, person, clock):
    planted = [p for p in plants(1) if "\n" not in p.text][:30]
    for n, plant in enumerate(planted):
        clock.forward(minutes=5)
        made = state(
            engine,
            plant.text,
            "noted",
            topic=f"t.{n}",
            source_url=f"https://example.org/?token={plant.secrets[0]}",
            context=plant.text,
            tags=["a.b"],
            evidence=[f"file:/{plant.secrets[0]}"],
        )
        action = (Action.SUSPECT, Action.RETRACT, None)[n % 3]
        if action is None:
            stating.correct(engine, person, made.ids[0], f"not {plant.text}", f"it said {plant.text}")
        else:
            stating.decide(engine, person, action, made.ids[0], f"because {plant.text}")
    assert leaked(engine.settings.home, secrets_of(planted)) == []
    engine.close()
    assert leaked(engine.settings.home, secrets_of(planted)) == []


def test_names_leak_nothing_be_it_of_a_file_a_session_an_agent_or_a_folder(make_engine, tmp_path):
    key = secrets.PREFIXED["anthropic"](Random(5))
    other = secrets.PREFIXED["github classic"](Random(6))
    engine = make_engine(f"project-{key}")
    root = engine.workspace.root
    made = list(claude_records(name_of("claude-code"), root, [Says("hello"), Runs("ls", "a")]))
    made[0] |= {"sessionId": other, "uuid": f"u-{other}", "parentUuid": other, "version": other, "gitBranch": other}
    made[1]["message"]["content"][0] |= {"id": other, "name": f"mcp__{other}__x"}
    made[1]["message"]["model"] = other
    made.append(made[0] | {"type": other, "uuid": "b" * 36})
    read_in(engine, written(tmp_path / "t" / f"backup-{key}.jsonl", made))
    database(tmp_path / "t2" / f"opencode-{key}.db", root, [(f"ses_{other}", [Says("hi")])])
    read_in(engine, tmp_path / "t2")
    state(engine, "something", "noted")
    assert leaked(engine.settings.home, [key, other]) == []
    engine.close()
    assert leaked(engine.settings.home, [key, other]) == []
    assert read_in(engine, tmp_path / "t").read == 0


def test_what_could_not_be_read_is_remembered_without_its_secrets(engine, tmp_path):
    key = secrets.PREFIXED["openai"](Random(5))
    halves = f"export API_KEY={key[:20]}\\\n{key[20:]}"
    torn = [json.dumps({"a": text}).encode()[:-1] for text in (key, halves)]
    path = written(tmp_path / "x.jsonl", [{"isSidechain": False, "leafUuid": "1", "sessionId": None}, *torn])
    # In a file of no session that it knows, the text itself is the detail.
    adapter = next(a for a in adapters() if a.name == "copilot-cli")
    indexing.index(engine, [(adapter, path)], named=True)
    read_in(engine, path)
    assert leaked(engine.settings.home, [key[:20], key[20:]]) == []
    engine.close()
    assert leaked(engine.settings.home, [key[:20], key[20:]]) == []


@pytest.mark.parametrize("torn", [False, True])
def test_the_detail_of_what_was_skipped_is_masked_like_a_record(torn):
    key = secrets.PREFIXED["openai"](Random(5))
    text = json.dumps({"a": f"export API_KEY={key[:20]}\\\n{key[20:]}"})
    kept = record_text(text[:-1] if torn else text)
    assert MARK in kept
    assert key[:20] not in kept
    assert key[20:] not in kept


def test_an_export_leaks_nothing(engine, tmp_path):
    planted = plants(2)
    root = engine.workspace.root
    read_in(engine, transcript("claude-code", tmp_path / "t", root, steps_with(planted, root)))
    (tmp_path / "out").mkdir()
    transfer.export_jsonl(engine, tmp_path / "out" / "all.jsonl")
    assert leaked(tmp_path / "out", secrets_of(planted)) == []


def test_neither_stream_of_the_command_line_nor_any_file_of_the_home_shows_one(tmp_path):
    terminal = Terminal(tmp_path)
    planted = plants(1)
    key = secrets.PREFIXED["github classic"](Random(8))
    steps = steps_with(planted, str(terminal.project))
    path = transcript("claude-code", tmp_path / "t", terminal.project, steps)
    moved = path.rename(path.with_name(f"old-{key}.jsonl"))
    with moved.open("ab") as file:
        file.write(f'{{"torn": "{key}\n'.encode())
    runs = [
        terminal.ok("index", str(tmp_path / "t")),
        terminal.ok("index", str(tmp_path / "t"), "--json"),
        terminal.ok("query", "", "--budget", "100000"),
        terminal.ok("add", "fact", planted[0].text),
        terminal.ok("query", "p:noted", "--json"),
    ]
    shown = "".join(r.out + r.err for r in runs)
    assert not [s for s in [*secrets_of(planted), key] if s in shown]
    assert leaked(terminal.memories, [*secrets_of(planted), key]) == []


def test_what_only_looks_like_a_secret_is_untouched(engine, tmp_path):
    alike = [text for _, text in secrets.look_alikes(SEED, 400)]
    harmed = [text for text in alike if masks.mask(text)[1]]
    assert len(harmed) * 100 < len(alike)
    path = transcript("codex", tmp_path / "t", engine.workspace.root, [Says(t) for t in alike])
    read_in(engine, path)
    assert len(set(alike) - set(texts(engine)) - set(harmed)) == 0


@pytest.mark.parametrize(
    "path",
    [
        "/home/ada/.codex/sessions/2026/03/05/rollout-2026-03-05T14-42-55-01a22ce8-aa2c-7e51-8bbb-0df885f493c7.jsonl",
        "/Users/ada/.claude/projects/-Users-ada-Dev-MyApp2/0b9fd0f4-5a3c-4c1e-9d8e-1f2a3b4c5d6e/subagents/agent-a1b2c3d4.jsonl",
        "/private/var/folders/3x/k7b2fq95m1c8w0n3qv0zq7h0000gn/T/tmp6lnvn69p/a.jsonl",
        "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/pytest-of-ada/pytest-3/test_x0/Y2/Z3.jsonl",
        "/home/ada/.cache/uv/archive-v0/z2xwa3wmQmXz2xwa3wm/lib/python3.11/site-packages/X.py",
    ],
)
def test_the_paths_that_harnesses_and_systems_give_are_no_secrets(path):
    assert masks.mask(path) == (path, [])
