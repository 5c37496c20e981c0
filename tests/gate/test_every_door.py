"""Fifty made-up secrets of twenty shapes through every door there is: not one is in any byte of the home afterwards."""

from __future__ import annotations

import json
import subprocess
from random import Random

import pytest
from tests.contract.doors import CommandLine, Library, Place, Tools
from tests.recipes.support import Fetches, Reads, Replies, Runs, Says, Writes, transcript
from tests.recipes.test_R31_planted_secrets import leaked
from tests.surfaces.hooks import Host

from muniment import Memory
from muniment.engine import hot, loading_rules, retracing
from muniment.engine.core import Caller
from muniment.model.event import Origin
from muniment.testing import secrets

SEED, COUNT = 11, 50
SHAPES = (
    "openai", "anthropic", "github classic", "gitlab", "slack bot", "aws id", "google api", "npm", "stripe", "sendgrid",
    "telegram", "jwt", "random", "hugging face", "digitalocean", "bearer", "url password", "cookie", "env", "json", "flag",
    "slack webhook", "card", "card in groups", "iban",
)  # fmt: skip


def _fifty() -> list[secrets.Planted]:
    """Of every shape two or three, each in one line so that every door takes it."""
    chosen: dict[str, list[secrets.Planted]] = {shape: [] for shape in SHAPES}
    for plant in secrets.planted(SEED, 6):
        shape = plant.shape.split(",")[0]
        if shape in chosen and "\n" not in plant.text and len(chosen[shape]) < 3:
            chosen[shape].append(plant)
    ranked = [each[n] for n in range(3) for each in chosen.values() if n < len(each)]
    return ranked[:COUNT]


PLANTS = _fifty()
VALUES = [s for p in PLANTS for s in p.secrets if len(s) >= 8]
KEYS = [secrets.PREFIXED[name](Random(n)) for n, name in enumerate(SHAPES) if name in secrets.PREFIXED]
"""What is a secret by itself, wherever it stands: names have nothing around them that betrays one."""


def test_there_are_fifty_of_twenty_shapes():
    assert len(PLANTS) == COUNT
    assert len({p.shape.split(",")[0] for p in PLANTS}) >= 20
    assert len(KEYS) >= 12


@pytest.fixture
def place(tmp_path):
    """A project in a folder, and a home."""
    project = tmp_path / "project"
    project.mkdir()
    (project / ".muniment").touch()
    return Place(project, tmp_path / "home")


def clean(place: Place) -> None:
    """The check: every file, blob, log, journal and spool."""
    assert place.home.exists()
    assert leaked(place.home, [*VALUES, *KEYS]) == []


def ok(done: tuple[int, str, str]) -> str:
    """What a command printed, which must have gone well, or found that nothing was new."""
    code, out, err = done
    assert code in (0, 3, 5), err
    assert not [v for v in [*VALUES, *KEYS] if v in out + err]
    return out


SESSION = {
    "user turn": lambda text, n, root: Says(f"please use this: {text}"),
    "assistant turn": lambda text, n, root: Replies(f"I used {text}"),
    "tool result": lambda text, n, root: Runs("env", text),
    "command": lambda text, n, root: Runs(f"printf '%s' <<'X'\n{text}\nX", "ok"),
    "file read": lambda text, n, root: Reads(f"{root}/.env", text),
    "file written": lambda text, n, root: Writes(f"{root}/conf-{n}.py", text),
    "web page": lambda text, n, root: Fetches("https://example.org/p", text),
    "commit message": lambda text, n, root: Runs(
        f"git commit -m 'Add deploy' -m '{text}'", f"[main 1f2e3d{n % 10}] Add deploy {text}\n 1 file changed"
    ),
}


@pytest.mark.parametrize("path", SESSION)
def test_nothing_of_what_a_session_shows_is_kept(place, path):
    steps = [SESSION[path](plant.text, n, place.project) for n, plant in enumerate(PLANTS)]
    transcript("claude-code", place.home.parent / "t", str(place.project), steps)
    ok(CommandLine(place).run("index", str(place.home.parent / "t")))
    clean(place)


def test_nothing_of_names_is_kept_be_they_of_files_sessions_tools_or_folders(place):
    root = str(place.project)
    steps = [
        s for k in KEYS for s in (Reads(f"{root}/{k}.txt", "x"), Writes(f"{root}/d/{k}", "x"), Runs(f"cat {k}", "x"))
    ]
    moved = transcript("claude-code", place.home.parent / "t", root, steps)
    moved.rename(moved.with_name(f"{KEYS[0]}.jsonl"))
    ok(CommandLine(place).run("index", str(place.home.parent / "t")))
    clean(place)


def test_nothing_of_a_statement_is_kept_whichever_of_its_sides_holds_it(place):
    cli = CommandLine(place)
    sides = ("content", "tags", "source_url", "context", "topic", "subject", "evidence", "reason")
    for n, plant in enumerate(PLANTS):
        side, words, options = sides[n % len(sides)], ["a thing worth noting", "user", "a.b", "", ""], []
        text, key = plant.text, KEYS[n % len(KEYS)]
        if side == "content":
            words[0] = text
        elif side == "tags":
            words[2] = f"a.{key}"
        elif side == "source_url":
            words[3] = f"https://x.example/?token={key}"
        elif side == "context":
            words[4] = text
        elif side in ("topic", "subject", "evidence"):
            options = [
                f"--{side}",
                {"topic": f"t.{key}", "subject": f"project:{key}", "evidence": f"file:/{key}"}[side],
            ]
        while words and not words[-1]:
            words.pop()
        words = [w or "https://x.example" for w in words]
        if side != "reason":
            ok(cli.run("add", "fact", *words, *options))
        else:
            added = json.loads(ok(cli.run("add", "fact", f"thing {n}", "--topic", f"r{n}", "--json")))["ids"][0]
            ok(cli.run(("suspect", "retract", "confirm")[n % 3], added, "--reason", text))
    clean(place)


def test_nothing_of_what_revises_a_statement_is_kept(place):
    cli = CommandLine(place)
    for n, plant in enumerate(PLANTS):
        made = json.loads(ok(cli.run("add", "fact", f"thing {n}", "--topic", f"t{n}", "--json")))["ids"][0]
        text, key = plant.text, KEYS[n % len(KEYS)]
        words = (
            ("correct", made, text, "misread"), ("correct", made, "another", f"it said {text}"),
            ("update", made, "tags", f"a.{key}"), ("update", made, "context", text), ("success", made, text),
            ("failure", made, text), ("update", made, "topic", f"q.{key}", "--reason", text),
            ("forget", made, "--reason", text),
        )[n % 8]  # fmt: skip
        ok(cli.run(*words))
        ok(cli.run("conflicts", text))
        ok(cli.run("similar", text))
        ok(cli.run("get", text))
        ok(cli.run("search", text, "--session", "s-1"))
    clean(place)


def test_nothing_of_what_a_fact_leans_on_is_kept(place):
    cli = CommandLine(place)
    for n, key in enumerate(KEYS):
        (place.project / f"{key}.txt").write_text(f"the port is {n}\n")
        for address in (f"file:{key}.txt", f"https://{n}.example/?token={key}", f"ticket:{key}", f"symbol:{key}.py#f"):
            cli.run("add", "fact", f"thing {n} {address[:4]}", "--evidence", address)
    ok(cli.run("query", "p:noted", "--budget", "90000"))
    _, out, err = cli.run("check")
    assert not [k for k in KEYS if k in out + err]
    clean(place)


def test_nothing_of_what_an_agent_asserts_is_kept_waiting_or_not(place):
    tools, library = Tools(place), Library(place)
    library.do("add", "fact", "the deploy key is kept in the vault")
    for n, plant in enumerate(PLANTS):
        text = plant.text
        tools.call("memory_assert", predicate="uses", subject="project", object=text, quote=f"we use {text}", topic="k")
        tools.call("memory_assert", predicate="noted", subject="project", object=KEYS[n % len(KEYS)], quote=text)
        tools.call("memory_search", words=text)
        tools.call("memory_query", selector=f'p:noted "{KEYS[n % len(KEYS)]}"')
        tools.call("memory_read", ids=[KEYS[n % len(KEYS)]])
    clean(place)


def test_nothing_of_a_conversation_is_kept(place):
    turns = [
        {"session": "s", "seq": n, "speaker": ("user", "Ana")[n % 2], "text": p.text} for n, p in enumerate(PLANTS)
    ]
    named = [{"session": f"n{n}", "speaker": key, "text": f"hello {key}"} for n, key in enumerate(KEYS)]
    odd = [{"session": key, "text": "hi", "speaker": "user"} for key in KEYS[:4]]
    with Memory.open(place.project, home=place.home, vouch="person") as memory:
        memory.ingest([*turns, *named, *odd])
    clean(place)


def test_nothing_of_an_import_is_kept_in_any_of_its_formats(place, tmp_path):
    old = [
        {"type": "fact", "content": p.text, "tags": [KEYS[n % len(KEYS)]], "source_url": p.text}
        for n, p in enumerate(PLANTS)
    ]
    (tmp_path / "memory.json").write_text(json.dumps(old))
    rules = place.project / "AGENTS.md"
    rules.write_text("# Rules\n" + "".join(f"- Always deploy with {p.text}\n" for p in PLANTS))
    cli = CommandLine(place)
    ok(cli.run("load", "memory-json", str(tmp_path / "memory.json")))
    ok(cli.run("load", "rules", str(rules)))
    steps = [{"step_id": n, "source": "user", "message": p.text} for n, p in enumerate(PLANTS, 1)]
    (tmp_path / "t.json").write_text(json.dumps(
        {"schema_version": "ATIF-v1.7", "session_id": KEYS[1], "agent": {"name": KEYS[2], "version": "1"}, "steps": steps}
    ))  # fmt: skip
    ok(cli.run("load", "atif", str(tmp_path / "t.json")))
    ok(cli.run("review"))
    clean(place)


def test_an_export_of_a_program_that_masked_nothing_is_masked_when_it_is_loaded(place, tmp_path, monkeypatch):
    from muniment.gate import intake, masks

    with monkeypatch.context() as yesterday:
        yesterday.setattr(intake.masks, "mask_together", lambda text, raw: (text, 0, raw))
        yesterday.setattr(masks, "find", lambda _: [])
        other = Place(place.project, tmp_path / "old")
        with Memory.open(other.project, home=other.home, vouch="person") as memory:
            memory.ingest([{"session": "s", "seq": n, "speaker": "user", "text": p.text} for n, p in enumerate(PLANTS)])
            memory.export("jsonl", tmp_path / "all.jsonl")
    assert VALUES[0] in (tmp_path / "all.jsonl").read_text()
    ok(CommandLine(place).run("load", "jsonl", str(tmp_path / "all.jsonl")))
    clean(place)


def test_nothing_of_an_event_that_a_harness_sends_a_hook_is_kept(tmp_path):
    host = Host(tmp_path)
    host.remember()
    for n, key in enumerate(KEYS):
        for moment in ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "SessionEnd"):
            event = host.event(
                session_id=f"s-{key}", hook_event_name=moment, prompt=PLANTS[n].text, source="startup",
                transcript_path=f"{host.project}/{key}/t.jsonl", tool_input={"command": PLANTS[n].text},
            )  # fmt: skip
            host.call("claude-code", event)
    assert leaked(host.home, [*VALUES, *KEYS]) == []
    host.call(
        "claude-code", host.event(hook_event_name="SessionStart", cwd=f"{host.project}/{KEYS[0]}", source="startup")
    )
    assert leaked(host.home, [*VALUES, *KEYS]) == []


def test_nothing_of_a_purpose_gets_into_what_is_given_or_rendered(tmp_path):
    host = Host(tmp_path)
    host.remember()
    for n, plant in enumerate(PLANTS):
        (host.project / "purpose.md").write_text(f"# Purpose\nBuild the lab. {plant.text}\n")
        given = host.call(
            "claude-code", host.event(session_id=f"p{n}", hook_event_name="SessionStart", source="startup")
        )
        assert "Build the lab" in given
        assert not [value for value in plant.secrets if value in given]
    assert leaked(host.home, VALUES) == []


@pytest.mark.parametrize(
    "text", ["0b9fd0f4-5a3c-4c1e-9d8e-1f2a3b4c5d6e", "/home/dev/.claude/projects/-home-dev-app/x.jsonl", "s1"]
)
def test_the_names_that_harnesses_give_are_plain_at_a_glance(text):
    assert hot._is_plain(text)


def test_what_is_plain_at_a_glance_holds_no_secret():
    planted_texts = [p.text for p in secrets.planted(5, 20)]
    assert [t for t in planted_texts if hot._is_plain(t)] == []


def test_nothing_that_is_only_asked_is_kept(place):
    cli = CommandLine(place)
    ok(cli.run("add", "fact", "a thing"))
    for plant, key in zip(PLANTS, KEYS * 5, strict=False):
        for words in (
            ("search", plant.text),
            ("search", key),
            ("query", f"topic:{key}"),
            ("query", f'"{key}"'),
            ("read", key),
        ):
            code, _, _ = cli.run(*words, *(() if words[0] == "read" else ("--session", "s1")))
            assert code in (0, 2, 3)
        cli.run("query", "p:noted", "--session", f"s-{key}")
        cli.run("touch", "none", "--session", key)
        cli.run("extract", plant.text)
    clean(place)


def test_a_commit_message_and_the_rules_of_a_real_repository_leave_nothing(place):
    run = lambda *words: subprocess.run(["git", *words], cwd=place.project, check=True, capture_output=True)  # noqa: E731
    run("init", "-q")
    rules = place.project / "CLAUDE.md"
    rules.write_text("".join(f"- Deploy with {p.text}\n" for p in PLANTS[:20]))
    run("add", "CLAUDE.md")
    run("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "-qm", f"Deploy with {KEYS[0]}")
    with place.engine() as engine:
        loading_rules.load(engine, [rules])
    clean(place)


def test_a_trajectory_by_the_engine_itself_leaves_nothing(place, tmp_path):
    steps = [{"step_id": 1, "source": "agent", "message": PLANTS[0].text, "tool_calls": [
        {"tool_call_id": KEYS[0], "function_name": KEYS[1], "arguments": {KEYS[2]: PLANTS[1].text}}],
        "observation": {"results": [{"source_call_id": KEYS[0], "content": PLANTS[2].text}]}}]  # fmt: skip
    path = tmp_path / f"{KEYS[3]}.json"
    path.write_text(
        json.dumps(
            {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": steps}
        )
    )
    with place.engine() as engine:
        retracing.load_atif(engine, Caller(Origin.PERSON), path, "conversation", may_vouch=True)
    clean(place)
