"""The transcript generator: the same bytes for the same arguments, the shapes of the samples, contents that add up."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest

from muniment.testing.steps import Delegate, Edit, Prompt, Read, Run, Say, Step, Write
from muniment.testing.story import Story, story
from muniment.testing.transcripts import write_claude_code, write_codex, write_corpus

MEGABYTE = 1_000_000


def lines(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def blocks(records: list[dict[str, Any]], kind: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for record in records:
        content = record.get("message", {}).get("content", [])
        yield from ((record, block) for block in content if isinstance(block, dict) and block["type"] == kind)


def size_of(path: Path) -> int:
    return sum(file.stat().st_size for file in [path, *path.with_suffix("").rglob("*.json*")])


@pytest.fixture(scope="module")
def claude(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("claude") / "session.jsonl"
    write_claude_code(path, seed=11, size_bytes=4 * MEGABYTE)
    return path


@pytest.fixture(scope="module")
def codex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("codex") / "rollout.jsonl"
    write_codex(path, seed=12, size_bytes=4 * MEGABYTE)
    return path


def test_the_same_arguments_give_the_same_bytes_under_every_hash_seed(tmp_path: Path) -> None:
    program = """if True:
        import hashlib, sys
        from pathlib import Path
        from muniment.testing.transcripts import write_corpus
        root, whole = Path(sys.argv[1]), hashlib.sha256()
        for path in write_corpus(root, size_bytes=700_000, files=4, seed=3):
            whole.update(str(path.relative_to(root)).encode() + path.read_bytes())
        print(whole.hexdigest())
    """
    seen = set()
    for number in ("0", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": number, "PYTHONPATH": os.pathsep.join(sys.path)}
        made = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / number)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(made.stdout)
    assert len(seen) == 1


def test_another_seed_tells_another_story() -> None:
    assert list(story(1, 2)) != list(story(2, 2))
    assert list(story(1, 2)) == list(story(1, 2))


@pytest.mark.parametrize("size", [70_000, 300_000, 2 * MEGABYTE])
def test_sizes_are_within_five_percent_of_what_was_asked(tmp_path: Path, size: int) -> None:
    for seed in range(3):
        write_claude_code(tmp_path / "a.jsonl", seed=seed, size_bytes=size)
        write_claude_code(tmp_path / "b.jsonl", seed=seed, size_bytes=size, version="2.1.197")
        write_codex(tmp_path / "c.jsonl", seed=seed, size_bytes=size)
        for name in "abc":
            assert size_of(tmp_path / f"{name}.jsonl") == pytest.approx(size, rel=0.05)
        subagents = sorted(tmp_path.rglob("agent-*"))
        for file in subagents:
            file.unlink()


def test_a_corpus_is_a_home_folder_of_the_size_that_was_asked(tmp_path: Path) -> None:
    written = write_corpus(tmp_path, size_bytes=3 * MEGABYTE, files=9, seed=5)
    assert len(written) == len(set(written)) == 9
    parts = [sum(file.stat().st_size for file in (tmp_path / name).rglob("*.json*")) for name in (".claude", ".codex")]
    assert sum(parts) == pytest.approx(3 * MEGABYTE, rel=0.05)
    assert parts[0] == pytest.approx(parts[1], rel=0.3)
    assert {path.relative_to(tmp_path).parts[:2] for path in written} == {
        (".claude", "projects"),
        (".codex", "sessions"),
    }
    for path in written:
        assert lines(path)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="either"):
        write_claude_code(tmp_path / "a.jsonl", seed=1)
    with pytest.raises(ValueError, match="at least"):
        write_codex(tmp_path / "a.jsonl", seed=1, size_bytes=100)
    with pytest.raises(ValueError, match="version"):
        write_claude_code(tmp_path / "a.jsonl", seed=1, turns=1, version="9.9")
    with pytest.raises(ValueError, match="need at least"):
        write_corpus(tmp_path, size_bytes=1000, files=10, seed=1)


def applied(edit: Edit) -> str:
    """The file after the hunks of an edit were applied to what was there before."""
    old, new, at = edit.before.split("\n"), [], 0
    for hunk in edit.hunks:
        new += old[at : hunk.old_start - 1]
        kept = [line[1:] for line in hunk.lines if line[0] != "+"]
        assert old[hunk.old_start - 1 : hunk.old_start - 1 + hunk.old_lines] == kept
        new += [line[1:] for line in hunk.lines if line[0] != "-"]
        at = hunk.old_start - 1 + hunk.old_lines
    return "\n".join(new + old[at:])


def check(step: Step, files: dict[str, str]) -> None:
    match step:
        case Edit():
            assert files.setdefault(step.path, step.before) == step.before
            assert step.before.replace(step.old, step.new) == step.after == applied(step)
            assert step.replace_all or step.before.count(step.old) == 1
            assert step.sha256 == hashlib.sha256(step.after.encode()).hexdigest()
            files[step.path] = step.after
        case Write():
            assert files.get(step.path, step.before) == step.before
            files[step.path] = step.after
        case Read():
            whole = files.get(step.path, step.content if step.lines == step.total else "")
            if whole:
                assert "\n".join(whole.split("\n")[step.start - 1 : step.start - 1 + step.lines]) == step.content
        case Run(moved=(old, new)) if old in files:
            files[new] = files.pop(old)
        case Delegate():
            for inner in step.steps:
                check(inner, files)
        case _:
            pass


@pytest.mark.parametrize("seed", range(6))
def test_remembered_contents_agree_with_every_step(seed: int) -> None:
    made = Story(seed)
    files: dict[str, str] = {}
    for _ in range(60):
        for step in made.turn():
            check(step, files)
    assert files
    assert {path: files[path] for path in made.files if path in files} == {
        path: made.files[path] for path in made.files if path in files
    }


def test_claude_code_results_carry_the_contents_of_the_story(claude: Path) -> None:
    files: dict[str, str] = {}
    seen = Counter[str]()
    for record in lines(claude):
        match record.get("toolUseResult"):
            case {"filePath": path, "oldString": old, "newString": new, "originalFile": before, "replaceAll": every}:
                assert files.get(path, before) == before
                files[path] = before.replace(old, new, -1 if every else 1)
                seen["edit"] += 1
            case {"type": "create" | "update" as kind, "filePath": path, "content": content, "originalFile": before}:
                assert (kind == "create") == (before is None)
                files[path] = content
                seen[kind] += 1
            case {"file": {"filePath": path, "content": content, "numLines": count, "totalLines": total}} if (
                count == total
            ):
                if path in files:
                    assert files[path] == content
                assert count == content.count("\n") + 1
                seen["read"] += 1
            case {"stdout": str()} if record["message"]["content"][0]["content"].startswith("(Bash"):
                files = {}  # a quiet command may have been git mv
    assert min(seen.values()) >= 3
    assert len(seen) == 4


def test_claude_code_records_form_a_chain_and_every_call_has_its_result(claude: Path) -> None:
    records = lines(claude)
    known: set[str] = set()
    for record in records:
        if "uuid" in record:
            assert record["parentUuid"] is None or record["parentUuid"] in known
            assert record["uuid"] not in known
            known.add(record["uuid"])
    calls = [block["id"] for _, block in blocks(records, "tool_use")]
    assert calls == [block["tool_use_id"] for _, block in blocks(records, "tool_result")]
    assert {record["sessionId"] for record in records} == {records[0]["sessionId"]}
    stamps = [record["timestamp"] for record in records if "timestamp" in record]
    assert stamps == sorted(stamps)


def test_claude_code_failures_look_like_failures(claude: Path) -> None:
    failed = [(record, block) for record, block in blocks(lines(claude), "tool_result") if block.get("is_error")]
    assert failed
    for record, block in failed:
        assert block["content"].startswith("Exit code ")
        assert record["toolUseResult"] == f"Error: {block['content']}"


def test_claude_code_kinds_have_the_proportions_of_the_samples(claude: Path) -> None:
    records = lines(claude)
    kinds = Counter(record["type"] for record in records)
    attached = Counter(record["attachment"]["type"] for record in records if "attachment" in record)
    calls = sum(1 for _ in blocks(records, "tool_use"))
    prompts = sum(
        1
        for r in records
        if r["type"] == "user"
        and isinstance(r["message"]["content"], str)
        and not r.get("isMeta")
        and not r.get("isCompactSummary")
    )
    assert 0.2 < kinds["attachment"] / len(records) < 0.55  # sample: 0.48
    assert 0.7 < attached["hook_success"] / attached["hook_additional_context"] <= 1.0  # 0.76
    assert 0.8 < kinds["last-prompt"] / (calls + prompts) < 1.4  # 0.92
    assert 1.5 < kinds["queue-operation"] / prompts <= 2.0  # 1.75
    assert kinds["api-request"] == 0
    assert (
        sum(1 for r in records if r.get("isCompactSummary"))
        == sum(1 for r in records if r.get("subtype") == "compact_boundary")
        >= 1
    )


def test_claude_code_sub_agents_have_their_own_files(claude: Path) -> None:
    agents = [
        r["toolUseResult"]["agentId"]
        for r in lines(claude)
        if isinstance(r.get("toolUseResult"), dict) and "agentId" in r["toolUseResult"]
    ]
    assert agents
    for agent in agents:
        inner = lines(claude.with_suffix("") / "subagents" / f"agent-{agent}.jsonl")
        assert all(record["isSidechain"] and record["agentId"] == agent for record in inner)


def test_codex_records_are_numbered_and_every_call_has_its_output(codex: Path) -> None:
    records = lines(codex)
    assert [record["ordinal"] for record in records] == list(range(len(records)))
    items = [record["payload"] for record in records if record["type"] == "response_item"]
    assert [i["call_id"] for i in items if i["type"].endswith("_call")] == [
        i["call_id"] for i in items if i["type"].endswith("_output")
    ]
    outputs = [item["output"] for item in items if item["type"] == "function_call_output"]
    assert any("\nProcess exited with code 1\n" in output for output in outputs)
    patches = [item["input"] for item in items if item["type"] == "custom_tool_call"]
    assert patches
    assert all(patch.startswith("*** Begin Patch\n*** ") and patch.endswith("\n*** End Patch") for patch in patches)


def test_codex_kinds_have_the_proportions_of_the_samples(codex: Path) -> None:
    records = lines(codex)
    kinds = Counter(
        f"{r['type']}/{r['payload'].get('type')}/{r['payload'].get('item', {}).get('type') or r['payload'].get('role')}"
        for r in records
    )
    commands = sum(1 for r in records if r["payload"].get("name") == "exec_command")
    assert kinds["event_msg/item_completed/CommandExecution"] == commands
    assert kinds["event_msg/item_completed/UserMessage"] == kinds["event_msg/task_started/None"]
    assert 0.9 < kinds["event_msg/token_count/None"] / kinds["token_usage_record/None/None"] < 1.4  # 1.29
    assert 0.05 < kinds["response_item/message/developer"] / len(records) < 0.3  # 0.19
    assert kinds["compacted/None/None"] == kinds["event_msg/item_completed/ContextCompaction"] >= 1


def test_texts_have_the_sizes_of_real_ones() -> None:
    steps = [step for seed in range(8) for step in story(seed, 40)]
    prompts = [len(step.text) for step in steps if isinstance(step, Prompt)]
    printed = [len(step.stdout) + len(step.stderr) for step in steps if isinstance(step, Run)] + [
        len(s.content) for s in steps if isinstance(s, Read)
    ]
    assert 70 < median(prompts) < 200
    assert 800 < quantiles(prompts, n=20)[-1] < 3_000
    assert 300 < median(printed) < 1_500
    assert 4_000 < quantiles(printed, n=20)[-1] < 14_000
    assert max(printed) < 80_000
    assert sum(1 for step in steps if isinstance(step, Say) and step.final) == 8 * 40


def test_the_shipped_dictionary_halves_unseen_records() -> None:
    dictionary = pytest.importorskip("muniment.testing.dictionary")
    shipped = Path(dictionary.__file__).parents[1] / "archive" / "dictionary.zstd"
    without, with_it = dictionary.ratios(shipped.read_bytes(), dictionary.unseen()[:1500])
    assert with_it > 1.8 * without
