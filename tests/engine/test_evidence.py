"""Evidence of facts in a real repository: attached with its anchor, looked at again, flagged and healed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from pathlib import Path

import pytest
from tests.support import state

from muniment.engine import drift, evidence, finding, forgetting, history, paging, revising, transfer
from muniment.engine.asking import query
from muniment.engine.attaching import anchored
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.forgetting import Target
from muniment.engine.stating import Statement, add
from muniment.engine.upkeep import verify
from muniment.errors import NotFoundError, UsageError
from muniment.model.checks import Allowed, Declared
from muniment.model.event import Origin

PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)
CODE = """import db


def connect():
    return db.open("replica")


def other():
    return 1
"""


def git(engine: Engine, *words: str) -> str:
    command = ["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.org", *words]
    return subprocess.run(command, cwd=engine.workspace.root, check=True, capture_output=True, text=True).stdout.strip()


def write(engine: Engine, name: str, text: str) -> None:
    path = Path(engine.workspace.root, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def commit(engine: Engine, title: str) -> str:
    git(engine, "add", "-A")
    git(engine, "commit", "-q", "-m", title)
    return git(engine, "rev-parse", "HEAD")


@pytest.fixture
def repo(engine: Engine) -> Engine:
    """The workspace as a repository with one file."""
    if (
        not Path(engine.workspace.root, ".git").is_dir()
        or subprocess.run(["git", "status"], cwd=engine.workspace.root, capture_output=True, check=False).returncode
    ):
        git(engine, "init", "-q")
    write(engine, "billing.py", CODE)
    commit(engine, "first")
    return engine


def cite(engine: Engine, *addresses: str, caller: Caller = PERSON, text: str = "billing reads from the replica") -> str:
    return add(engine, caller, Statement("fact", text, evidence=addresses)).ids[0]


def standing(engine: Engine, id_: str) -> str:
    return finding.fact(engine, id_).standing


def moved_to(engine: Engine, text: str) -> str:
    write(engine, "billing.py", text)
    return commit(engine, "second")


PRIMARY = CODE.replace("replica", "primary")


def test_an_address_gets_the_commit_that_has_it_and_what_names_its_content(repo):
    head = git(repo, "rev-parse", "HEAD")
    file, lines, symbol = anchored(repo, ["billing.py", "billing.py#L4-L5", "billing.py::connect"])
    assert file.startswith(f"file:billing.py@git:{head},sha256:")
    assert lines.startswith(f"lines:billing.py#L4-L5@git:{head},b3:")
    assert symbol.startswith(f"symbol:billing.py#connect@git:{head},ts1:")
    assert anchored(repo, ["billing.py#L4-L5@HEAD"]) == (lines,)


def test_what_is_not_there_is_refused_by_what_there_is(repo):
    for written in ("billing.py#L90", "billing.py::nothing", "gone.py#L1", f"gone.py@{git(repo, 'rev-parse', 'HEAD')}"):
        with pytest.raises(NotFoundError):
            anchored(repo, [written])
    with pytest.raises(UsageError):
        anchored(repo, ["billing.py\nmore"])


def test_evidence_that_nobody_can_look_at_is_told_when_it_is_given(repo):
    done = add(repo, PERSON, Statement("fact", "it is planned", evidence=("later.py", "billing.py")))
    (told,) = done.warnings
    assert told.startswith("evidence file:later.py: nothing is there")


@pytest.mark.parametrize("address", ["billing.py#L4-L5", "billing.py::connect"])
def test_an_edit_elsewhere_in_the_file_flags_nothing(repo, address):
    id_ = cite(repo, address)
    moved_to(repo, "# a line more\n" + CODE.replace("return 1", "return 2"))
    report = evidence.check(repo)
    assert report.suspect == ()
    assert standing(repo, id_) == "confirmed"


@pytest.mark.parametrize("address", ["billing.py#L4-L5", "billing.py::connect", "billing.py"])
@pytest.mark.parametrize("caller", [PERSON, AGENT])
def test_a_change_makes_a_fact_suspect_whoever_stated_it_and_names_the_commit(repo, address, caller):
    id_ = cite(repo, address, caller=caller)
    assert evidence.check(repo).suspect == ()
    changed = moved_to(repo, PRIMARY)
    assert evidence.check(repo).suspect == (id_,)
    assert f"suspect changed:{changed[:12]}" in query(repo, f"id:{id_} standing:suspect").text
    assert verify(repo, rebuild=True).ok
    assert standing(repo, id_) == "suspect"


def test_the_report_tells_who_did_what_to_which_fact(repo):
    id_ = cite(repo, "billing.py#L4-L5")
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    (one,) = drift.drifts(repo).drifts
    assert (one.state, one.author, one.title) == ("changed", "Dev", "second")
    assert [f.id for f in one.facts] == [id_]
    assert '-    return db.open("replica")' in one.diff
    assert '+    return db.open("primary")' in one.diff


def test_what_is_not_committed_is_nobodys_commit(repo):
    cite(repo, "billing.py#L4-L5")
    write(repo, "billing.py", PRIMARY)
    evidence.check(repo)
    assert [d.by for d in drift.drifts(repo).drifts] == ["outside"]


def test_a_second_check_looks_at_nothing_and_writes_no_verdict(repo):
    cite(repo, "billing.py#L4-L5")
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    before = len(repo.store().facts.verdicts())
    report = evidence.check(repo)
    assert (report.receipt, len(repo.store().facts.verdicts())) == ("", before)
    assert report.states["changed"] == 1


def test_what_is_put_back_heals(repo, clock):
    id_ = cite(repo, "billing.py#L4-L5")
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    clock.forward(minutes=1)
    moved_to(repo, CODE)
    assert evidence.check(repo).healed == (id_,)
    assert standing(repo, id_) == "confirmed"
    assert drift.drifts(repo).facts == 0


def test_a_confirmation_silences_until_the_evidence_changes_again(repo, clock):
    id_ = cite(repo, "billing.py#L4-L5")
    moved_to(repo, PRIMARY)
    clock.forward(minutes=1)
    evidence.check(repo)
    clock.forward(minutes=1)
    revising.revise(repo, PERSON, id_, "confirm")
    assert standing(repo, id_) == "confirmed"
    clock.forward(minutes=1)
    moved_to(repo, "# elsewhere\n" + PRIMARY)
    assert evidence.check(repo).suspect == ()
    moved_to(repo, CODE.replace("replica", "third"))
    clock.forward(minutes=1)
    assert evidence.check(repo).suspect == (id_,)


def test_nobody_but_a_person_silences(repo):
    id_ = cite(repo, "billing.py#L4-L5", caller=AGENT)
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    assert revising.revise(repo, AGENT, id_, "confirm").outcome == "proposed"
    assert standing(repo, id_) == "suspect"


def test_renames_and_moves_are_followed(repo):
    lines, symbol, file = (
        cite(repo, a, text=f"it is so by {a}") for a in ("billing.py#L4-L5", "billing.py::connect", "billing.py")
    )
    git(repo, "mv", "billing.py", "paying.py")
    commit(repo, "renamed")
    report = evidence.check(repo)
    assert (report.states["moved"], report.suspect) == (3, ())
    assert [c.place for id_ in (lines, symbol, file) for c in cited(repo, id_)] == [
        "paying.py#L4-L5", "paying.py#connect", "paying.py",
    ]  # fmt: skip


def cited(engine: Engine, id_: str):
    return engine.store().evidence.of(finding.fact(engine, id_).row.id)


def test_a_rename_with_edits_over_several_commits_is_followed(repo):
    write(repo, "long.py", "".join(f"value_{n} = {n}\n" for n in range(40)))
    commit(repo, "long")
    id_ = cite(repo, "long.py#L20-L22")
    for step in range(1, 5):
        git(repo, "mv", f"long{step - 1 if step > 1 else ''}.py", f"long{step}.py")
        kept = Path(repo.workspace.root, f"long{step}.py").read_text().split("\n")
        lines = [f"other_{step}_{n}" if n % 5 == step and not 19 <= n <= 21 else line for n, line in enumerate(kept)]
        write(repo, f"long{step}.py", "\n".join(lines))
        commit(repo, f"step {step}")
    evidence.check(repo)
    assert [c.state for c in cited(repo, id_)] == ["moved"]


def test_a_block_that_was_carried_to_another_file_is_followed(repo):
    body = "".join(f"    total_{n} = compute(total_{n}, {n})\n" for n in range(6))
    write(repo, "a.py", f"def carried():\n{body}\n\ndef stays():\n    return 0\n")
    write(repo, "b.py", "def here():\n    return 3\n")
    commit(repo, "two")
    ids = [cite(repo, a, text=f"carried by {a}") for a in ("a.py#L2-L4", "a.py::carried")]
    write(repo, "a.py", "def stays():\n    return 0\n")
    write(repo, "b.py", f"def here():\n    return 3\n\n\ndef carried():\n{body}")
    commit(repo, "carried")
    assert evidence.check(repo).suspect == ()
    assert [c.state for id_ in ids for c in cited(repo, id_)] == ["moved", "moved"]


def test_a_file_that_is_gone_is_missing(repo):
    id_ = cite(repo, "billing.py#L4-L5")
    git(repo, "rm", "-q", "billing.py")
    commit(repo, "gone")
    assert evidence.check(repo).suspect == (id_,)
    assert [c.state for c in cited(repo, id_)] == ["missing"]


def test_a_formatter_and_comments_flag_lines_and_no_symbol(repo):
    lines, symbol = (cite(repo, a, text=f"by {a}") for a in ("billing.py#L4-L5", "billing.py::connect"))
    moved_to(repo, CODE.replace('db.open("replica")', "(\n        db.open('replica')  # why\n    )"))
    assert evidence.check(repo).suspect == (lines,)
    assert standing(repo, symbol) == "confirmed"


def test_a_branch_switch_is_seen_and_healed(repo, clock):
    id_ = cite(repo, "billing.py#L4-L5")
    main = git(repo, "rev-parse", "--abbrev-ref", "HEAD")
    git(repo, "checkout", "-q", "-b", "topic")
    moved_to(repo, PRIMARY)
    assert evidence.check(repo).suspect == (id_,)
    git(repo, "checkout", "-q", main)
    clock.forward(minutes=1)
    assert evidence.check(repo).healed == (id_,)


def test_history_that_was_written_anew_is_compared_by_content(repo):
    id_ = cite(repo, "billing.py#L4-L5")
    git(repo, "checkout", "-q", "--orphan", "anew")
    commit(repo, "all of it")
    git(repo, "reflog", "expire", "--expire=now", "--all")
    git(repo, "branch", "-D", *[b for b in git(repo, "branch", "--format=%(refname:short)").split() if b != "anew"])
    git(repo, "gc", "-q", "--prune=now")
    assert evidence.check(repo).suspect == ()
    moved_to(repo, PRIMARY)
    assert evidence.check(repo).suspect == (id_,)


def test_a_commit_that_is_not_here_is_unknown_and_flags_nothing(repo):
    id_ = cite(repo, f"billing.py#L4-L5@{'0123456789' * 4}")
    report = evidence.check(repo)
    assert report.states["unknown"] == 1
    assert "is not here" in report.unknown[0][1]
    assert standing(repo, id_) == "confirmed"


def test_lines_that_were_never_committed_are_known_by_their_hash(repo):
    write(repo, "new.py", CODE)
    id_ = cite(repo, "new.py#L4-L5")
    write(repo, "new.py", "# more\n" + CODE)
    assert evidence.check(repo).suspect == ()
    write(repo, "new.py", PRIMARY)
    assert evidence.check(repo).suspect == (id_,)


def test_since_looks_only_at_what_changed(repo):
    write(repo, "far.py", CODE)
    first = commit(repo, "far")
    near, far = cite(repo, "billing.py#L4-L5"), cite(repo, "far.py#L4-L5", text="far reads from the replica")
    moved_to(repo, PRIMARY)
    report = evidence.check(repo, first)
    assert (report.addresses, report.suspect) == (1, (near,))
    assert standing(repo, far) == "confirmed"
    with pytest.raises(NotFoundError):
        evidence.check(repo, "no-such-branch")


def test_a_doubt_spreads_to_who_says_the_same_and_never_upwards_in_authority(repo, clock):
    said = state(repo, "MySQL", "uses", topic="database").ids[0]
    clock.forward(minutes=1)
    words = Statement("fact", "MySQL", predicate="uses", topic="database", evidence=("billing.py#L4-L5",))
    agent = add(repo, AGENT, words).ids[0]
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    assert standing(repo, agent) == "suspect"
    assert standing(repo, said) == "confirmed"


def test_a_correction_leans_on_the_place_as_it_is_now(repo, clock):
    id_ = cite(repo, "billing.py#L4-L5")
    moved_to(repo, PRIMARY)
    clock.forward(minutes=1)
    evidence.check(repo)
    clock.forward(minutes=1)
    from muniment.engine.revising import Words

    done = revising.revise(repo, PERSON, id_, "correct", Words("billing reads from the primary", reason="it moved"))
    new = next(i for i in done.ids if i != id_)
    clock.forward(minutes=1)
    assert evidence.check(repo).suspect == ()
    assert [c.state for c in cited(repo, new)] == ["ok"]


def test_a_union_of_two_memories_and_any_order_give_the_same(repo, tmp_path):
    cite(repo, "billing.py#L4-L5")
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    transfer.export_jsonl(repo, tmp_path / "all.jsonl")
    other = Engine(repo.workspace, Settings(tmp_path / "other", clock=repo.settings.clock))
    with other:
        transfer.load_jsonl(other, tmp_path / "all.jsonl")
        assert query(other, "standing:suspect").text == query(repo, "standing:suspect").text
        assert verify(other).digest == verify(repo).digest


def test_a_fact_without_evidence_says_so(repo):
    bare, leaning = state(repo, "the office is in Oslo", "noted").ids[0], cite(repo, "billing.py")
    assert not history.why(repo, bare).is_checkable
    assert history.why(repo, leaning).is_checkable
    assert evidence.check(repo).without_evidence == 1


def test_an_answer_marks_what_was_edited_since_the_last_check(repo):
    lines, file = cite(repo, "billing.py#L4-L5"), cite(repo, "billing.py", text="billing is one file")
    symbol = cite(repo, "billing.py::connect", text="connect opens it")
    evidence.check(repo)
    assert "stale" not in query(repo, "p:noted").text
    write(repo, "billing.py", "# elsewhere\n" + CODE)
    assert marks(repo) == {lines: "", file: "stale:outside", symbol: "unchecked"}
    write(repo, "billing.py", PRIMARY)
    assert marks(repo) == {lines: "stale:outside", file: "stale:outside", symbol: "unchecked"}
    assert len(repo.store().facts.verdicts()) == 0
    evidence.check(repo)
    assert {m.split(" ")[0] for m in marks(repo).values()} == {"suspect"}
    assert "stale" not in query(repo, "p:noted standing:suspect").text


def marks(engine: Engine) -> dict[str, str]:
    rows = (line.split("\t") for line in query(engine, "p:noted").text.splitlines() if "\t" in line)
    return {cells[7]: cells[8] for cells in rows}


def test_what_is_erased_takes_its_findings_along_and_leaves_those_of_others(repo):
    one, other = cite(repo, "billing.py#L4-L5"), cite(repo, "billing.py#L4-L5", text="reports may lag behind")
    moved_to(repo, PRIMARY)
    evidence.check(repo)
    forgetting.erase(repo, PERSON, Target("id", one))
    assert standing(repo, other) == "suspect"
    assert evidence.check(repo).suspect == ()
    forgetting.erase(repo, PERSON, Target("id", other))
    home = repo.settings.home
    repo.close()
    held = [p for p in home.rglob("*") if p.is_file() and b"billing.py" in p.read_bytes()]
    assert held == []


# --- the rest of the world


def test_a_table_is_known_by_its_columns_and_not_by_the_words_of_its_making(repo):
    path = Path(repo.workspace.root, "app.db")
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    db.close()
    id_ = cite(repo, "app.db#users")
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE users")
        db.execute("create table users (\n id integer primary key,\n name text not null)")
    db.close()
    assert evidence.check(repo).suspect == ()
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE users ADD COLUMN mail TEXT")
    db.close()
    assert evidence.check(repo).suspect == (id_,)


def test_a_ticket_is_known_by_its_state(repo):
    write(repo, "tickets.json", json.dumps({"tickets": [{"id": "ABC-1", "status": "open"}]}))
    id_ = cite(repo, "ticket:tickets.json#ABC-1")
    assert evidence.check(repo).suspect == ()
    write(repo, "tickets.json", json.dumps({"tickets": [{"id": "ABC-1", "status": "closed"}]}))
    assert evidence.check(repo).suspect == (id_,)


def test_a_page_is_known_by_its_text(repo):
    text = "---\nuuid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\ntitle: Retries\n---\n\nThree times at most.\n"
    write(repo, "memory/retries.md", text)
    id_ = cite(repo, "page:7c9e6679-7425-40de-944b-e07fc1f90ae7", text="retries are few")
    assert evidence.check(repo).suspect == ()
    write(repo, "memory/retries.md", text.replace("Three", "Five"))
    assert evidence.check(repo).suspect == (id_,)


def allowing(engine: Engine, allowed: Allowed) -> Engine:
    settings = Settings(engine.settings.home, clock=engine.settings.clock, checks=lambda: allowed)
    return Engine(engine.workspace, settings)


def test_only_declared_commands_are_run(repo):
    declared = Declared(("git", "rev-parse", "--is-bare-repository"))
    with allowing(repo, Allowed(commands={"bare": declared})) as engine:
        id_ = cite(engine, "command:bare")
        assert evidence.check(engine).states["ok"] == 1
        git(engine, "config", "core.bare", "true")
        assert evidence.check(engine).suspect == (id_,)
        git(engine, "config", "core.bare", "false")
    cite(repo, "command:anything", text="nobody declared it")
    assert evidence.check(repo).states["unknown"] == 2


def test_the_network_is_asked_only_where_it_is_allowed(repo):
    cite(repo, f"https://example.org/spec@sha256:{'a' * 64}")
    report = evidence.check(repo)
    assert report.states["unknown"] == 1
    assert "not allowed" in report.unknown[0][1]


def test_a_replica_became_a_primary(repo, clock):
    """A page and two facts of March lean on code that a commit of June changes."""
    clock.set("2026-03-05 10:00")
    page = "---\ntitle: Billing\nevidence: [billing.py#L4-L5]\n---\n\nThe billing service reads from a replica.\n"
    write(repo, "memory/billing.md", page)
    paging.index(repo)
    first = cite(repo, "billing.py#L4-L5", text="the billing service reads from a replica")
    second = cite(repo, "billing.py::connect", caller=AGENT, text="reports may lag behind by some seconds")
    clock.set("2026-06-12 09:00")
    moved = moved_to(repo, PRIMARY)
    fell = evidence.check(repo).suspect
    assert {first, second} < set(fell)
    assert any(c.address.place == "billing.py#L4-L5" for id_ in set(fell) - {first, second} for c in cited(repo, id_))
    answer = query(repo, "billing,reports standing:suspect,confirmed,hypothesis").text
    assert answer.count(f"suspect changed:{moved[:12]}") == 3
    clock.forward(hours=1)
    new = cite(repo, "billing.py#L4-L5", text="the billing service reads from the primary")
    from muniment.engine.revising import Words

    revising.revise(repo, PERSON, first, "supersede", Words(new_id=new))
    write(repo, "memory/billing.md", page.replace("a replica", "the primary"))
    paging.index(repo)
    clock.forward(hours=1)
    assert "reads from a replica" not in query(repo, "billing").text
    assert "reads from the primary" in query(repo, "billing").text
    march = query(repo, "billing", as_of="2026-03-20")
    assert "reads from a replica" in march.text
    assert "changed:" not in query(repo, "billing", known="2026-03-20").text
