"""L14. One way in, one function that derives the scope, used by every surface. No scope, no answer."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.laws.mutants import Check, Mutant, Mutants, World, refused, rejects, replaced, texts
from tests.support import state

import muniment
from muniment.engine import asking, core
from muniment.engine.core import Engine
from muniment.model import ground
from muniment.model.scope import workspace_of

SOURCE = Path(muniment.__file__).parent
STORES = frozenset({"SqliteStore", "Database"})
OPENERS = frozenset({"open", "open_or_create", "open_store"})


def sources() -> Mapping[str, str]:
    """Every module of the package, by its path inside it."""
    return {p.relative_to(SOURCE).as_posix(): p.read_text("utf-8") for p in sorted(SOURCE.rglob("*.py"))}


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _calls(tree: ast.AST) -> Iterator[str]:
    """The dotted names that are called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield ast.unparse(node.func)


def _package(path: str) -> str:
    return path.split("/", maxsplit=1)[0]


def check_only_the_engine_opens_the_gate(world: World) -> None:
    for path, text in sources().items():
        reached = [i for i in _imports(ast.parse(text)) if i.startswith("muniment.gate")]
        assert not reached or _package(path) in ("engine", "gate"), (path, reached)


def check_only_one_module_derives_a_scope(world: World) -> None:
    for path, text in sources().items():
        tree = ast.parse(text)
        if path != "model/scope.py":
            made = [c for c in _calls(tree) if c.split(".")[-1] == "Workspace"]
            assert not made, (path, made)
        hashed = [i for i in _imports(tree) if i.split(".")[0] in ("blake3", "hashlib")]
        allowed = path in ("model/ground.py", "model/ids.py") or "blake3" not in " ".join(hashed)
        assert allowed, (path, hashed)


def check_no_store_is_opened_but_through_a_workspace(world: World) -> None:
    """The engine opens a store at the path of its own workspace; a second look at the same file is read-only."""
    for path, text in sources().items():
        if _package(path) == "storage" or path.startswith("evals/"):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = ast.unparse(node.func)
                if (
                    name in STORES
                    or (name.split(".")[0] in STORES and name.split(".")[-1] in OPENERS)
                    or name == "open_store"
                ):
                    read_only = any(k.arg == "read_only" and ast.unparse(k.value) == "True" for k in node.keywords)
                    assert path == "engine/core.py" or (_package(path) == "engine" and read_only), (path, name)
    tree = ast.parse(sources()["engine/core.py"])
    opened = [ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "_open"]
    assert opened
    assert all(call.startswith("_open(self.path") for call in opened)


def check_no_surface_reaches_a_store(world: World) -> None:
    for path, text in sources().items():
        if _package(path) == "surfaces":
            reached = [
                i
                for i in _imports(ast.parse(text))
                if i.startswith(("muniment.storage", "muniment.archive", "muniment.gate"))
            ]
            assert not reached, (path, reached)


def check_one_project_is_one_scope_and_two_are_two(world: World) -> None:
    a, b = world.engine("a"), world.engine("b")
    root = Path(a.workspace.root)
    (root / "deep" / "er").mkdir(parents=True)
    assert workspace_of(root / "deep" / "er").id == a.workspace.id
    (root.parent / "link").symlink_to(root)
    assert workspace_of(root.parent / "link" / "deep").id == a.workspace.id
    assert a.workspace.id != b.workspace.id
    assert a.path != b.path
    state(a, "a secret of a", "noted")
    state(b, "something of b", "noted")
    assert (texts(a), texts(b)) == (["a secret of a"], ["something of b"])


def check_work_trees_of_one_repository_share_a_scope(world: World) -> None:
    root = Path(world.engine("plain").workspace.root).parent / "repo"
    root.mkdir()
    git = [
        "git",
        "-C",
        str(root),
        "-c",
        "user.email=a@example.org",
        "-c",
        "user.name=a",
        "-c",
        "init.defaultBranch=main",
    ]
    for words in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "first"],
        ["worktree", "add", "-q", "../tree"],
    ):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (root / "src").mkdir()
    assert workspace_of(root).id == workspace_of(root / "src").id == workspace_of(root.parent / "tree").id


def check_without_a_scope_there_is_no_answer(world: World) -> None:
    engine = world.engine("never written to")
    assert refused(lambda: asking.query(engine, "")) == "not_found"
    assert not engine.path.exists(), "asking makes nothing"
    with pytest.raises(TypeError):
        Engine()  # type: ignore[call-arg]


CHECKS = (
    check_only_the_engine_opens_the_gate,
    check_only_one_module_derives_a_scope,
    check_no_store_is_opened_but_through_a_workspace,
    check_no_surface_reaches_a_store,
    check_one_project_is_one_scope_and_two_are_two,
    check_work_trees_of_one_repository_share_a_scope,
    check_without_a_scope_there_is_no_answer,
)


def _with(path: str, text: str):
    """The package with one more module."""
    return lambda patch: patch.setitem(globals(), "sources", lambda: {**_real(), path: text})


_real = sources


def _made_to_ask(patch: pytest.MonkeyPatch) -> None:
    made = core._open
    patch.setattr(core, "_open", lambda path, create, *more: made(path, True, *more))


MUTANTS: Mutants = {
    "a surface has its own way in": Mutant(
        CHECKS[0], _with("surfaces/shortcut.py", "from muniment.gate import admission")
    ),
    "capture asks the gate itself": Mutant(
        CHECKS[0], _with("capture/eager.py", "import muniment.gate.intake as intake")
    ),
    "a surface makes up a scope": Mutant(
        CHECKS[1],
        _with("surfaces/mine.py", "from muniment.model.scope import Workspace\nhere = Workspace('0', '/', 'x', True)"),
    ),
    "a second function derives ids": Mutant(
        CHECKS[1], _with("engine/scopes.py", "from blake3 import blake3\nid_ = blake3(b'x')")
    ),
    "a store is opened by its path": Mutant(
        CHECKS[2], _with("engine/fast.py", "store = SqliteStore.open(path, p, u, d)")
    ),
    "a reader opens a store beside the engine": Mutant(
        CHECKS[2], _with("recall/direct.py", "db = Database(path, read_only=True)")
    ),
    "a surface reads the tables": Mutant(
        CHECKS[3], _with("surfaces/sql.py", "from muniment.storage.sqlite.store import Database")
    ),
    "every project is the same": Mutant(CHECKS[4], replaced(ground, "_id", lambda path: "0" * 16)),
    "a folder is its own scope": Mutant(CHECKS[4], replaced(ground, "MARKER", ".no-such-marker")),
    "a work tree is its own scope": Mutant(CHECKS[5], replaced(ground, "_common_git_dir", lambda folder: None)),
    "who asks where nothing is gets an empty answer": Mutant(CHECKS[6], _made_to_ask),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
