"""Runs real tools in a temporary folder and writes what they said as labelled items.

    python benchmarks/extract/make_scripted.py [--node-modules DIR]

The labels are written by hand here, beside what makes the output: this file knows how many tests it wrote and which
fail. Items whose tool is missing on this machine (go, cargo, node, ctest, vitest, jest, mocha) are kept as recorded.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import runner_items
import talk_items
from fixture import HOME, Bench, Item, save, sha256


def git_items(bench):
    """Commits, moves and what git prints about them."""
    bench.shell("git init -q -b main")
    bench.write({"a.py": "a = 1\n" * 9, "b.py": "b = 2\n" * 9, "docs/one.md": "# one\n" * 9, "src/x.py": "x = 1\n" * 9})
    yield commit(bench, "root", "git add -A && git commit -m 'First files'", branch="main")
    for number in range(2, 10):
        bench.write({"a.py": f"a = {number}\n" * 9})
        ways = ("git add -A && git commit -m 'Change {0}'", 'git commit -am "Set a to {0}" 2>&1 | tail -3')
        yield commit(bench, f"plain-{number}", ways[number % 2].format(number), branch="main", joined=number % 3 == 0)
    bench.write({"a.py": "a = 'heredoc'\n" * 9})
    heredoc = 'git add a.py && git commit -m "$(cat <<\'EOF\'\nIt\'s a "quoted" message (really)\n\nBody.\nEOF\n)"'
    yield commit(bench, "heredoc", heredoc, branch="main")
    bench.write({"a.py": "a = 'amended'\n" * 9})
    yield commit(bench, "amend", "git commit -a --amend -m 'Amended'", branch="main")
    for number, branch in enumerate(("topic/login", "fix-7", "release/1.2"), 1):
        bench.write({"b.py": f"b = {number}\n" * 9})
        yield commit(
            bench, f"branch-{number}", f"git checkout -q -b {branch} && git commit -am 'On {branch}'", branch=branch
        )
    bench.write({"b.py": "b = 0\n" * 9})
    yield commit(bench, "detached", "git checkout -q --detach && git commit -am 'No branch'", branch="detached")
    bench.shell("git checkout -q main")
    yield commit(bench, "cherry-pick", "git cherry-pick topic/login", branch="main")
    yield commit(bench, "revert", "git revert --no-edit HEAD", branch="main")
    for number in range(1, 9):
        bench.write({"n.txt": f"{number}\n"})
        yield commit(
            bench,
            f"file-{number}",
            f"cd . && git add n.txt && git -c core.abbrev=10 commit -m 'n {number}'",
            branch="main",
        )
    yield from git_refusals(bench)
    yield from move_items(bench)


def commit(bench, name, command, branch, joined=False):
    """A command line that makes one commit; its hash is asked of git itself."""
    item = Item(f"commit-{name}", joined=joined)
    _, result, output = bench.run(item, command)
    full = bench.shell("git rev-parse HEAD")[0].strip()
    short = next(full[:length] for length in range(40, 6, -1) if full[:length] in output)
    return item.expect(result, "committed", short, "commit", context=f"branch:{branch}")


def git_refusals(bench):
    """Lines that look like a commit and are none."""
    bench.write({"old.log": "$ git commit -m x\n[main abc1234] x\n 1 file changed\n== 12 passed in 0.3s ==\n"})
    lines = {
        "nothing": "git commit -m 'Nothing to do'",
        "dry-run": "git commit --dry-run -m x; cat old.log",
        "quiet": "git commit -q --allow-empty -m quiet && cat old.log",
        "cat": "cat old.log",
        "echo": "echo '[main abc1234] git commit'",
        "log": "git log --oneline -3",
        "grep": "grep -n 'git commit' old.log",
        "show": "git show --stat HEAD~3",
        "status": "git status --short",
    }
    for name, command in lines.items():
        item = Item(f"no-commit-{name}", joined=name == "grep")
        bench.run(item, command)
        yield item


def move_items(bench):
    """`mv` and `git mv` in the forms that agents write, and git's own words about renames."""
    bench.write({f"m/f{n}.py": f"# file {n}\n" * 20 for n in range(30)})
    bench.write({"m/with space.txt": "x\n", "m/t1.txt": "x\n", "m/t2.txt": "x\n"})
    bench.shell("git add -A && git commit -qm 'Files to move' && mkdir -p m/sub m/dst")
    moves = {
        "git": ("git mv m/f0.py m/g0.py", [("m/f0.py", "m/g0.py", "")]),
        "plain": ("mv m/f1.py m/g1.py", [("m/f1.py", "m/g1.py", "")]),
        "force": ("mv -f m/f2.py m/g2.py && ls m | head -2", [("m/f2.py", "m/g2.py", "")]),
        "two": (
            "git mv m/f3.py m/g3.py && git mv m/f4.py m/g4.py",
            [("m/f3.py", "m/g3.py", ""), ("m/f4.py", "m/g4.py", "")],
        ),
        "quoted": ("mv 'm/with space.txt' \"m/no-space.txt\"", [("m/with space.txt", "m/no-space.txt", "")]),
        "folder": ("mv m/f5.py m/dst/", [("m/f5.py", "m/dst/", "to:m/dst/f5.py")]),
        "cd": ("cd m && git mv f6.py g6.py", [("m/f6.py", "g6.py", "to:m/g6.py")]),
        "git-c": ("git -C m mv f7.py g7.py", [("m/f7.py", "g7.py", "to:m/g7.py")]),
        "lines": (
            "mv m/f8.py m/g8.py\nmv m/f9.py m/g9.py\nls m/g8.py",
            [("m/f8.py", "m/g8.py", ""), ("m/f9.py", "m/g9.py", "")],
        ),
        "bash": ("bash -lc 'mv m/f10.py m/g10.py'", [("m/f10.py", "m/g10.py", "")]),
        "mkdir": ("mkdir -p m/new && mv m/f11.py m/new/f11.py", [("m/f11.py", "m/new/f11.py", "")]),
        "semicolon": ("mv m/f12.py m/g12.py; echo done", [("m/f12.py", "m/g12.py", "")]),
        "dash-dash": ("mv -- m/f13.py m/g13.py", [("m/f13.py", "m/g13.py", "")]),
    }
    for number, (name, (command, pairs)) in enumerate(moves.items()):
        item = Item(f"move-{name}", joined=number % 3 == 1)
        call, result, _ = bench.run(item, command)
        for old, new, context in pairs:
            item.expect(
                call, "moved_by", new, None, ("path", old), context=context, witness=None if item.joined else result
            )
        yield item
    yield from printed_renames(bench)
    yield from move_refusals(bench)


def printed_renames(bench):
    """Renames as `git commit` and `git status` print them."""
    said = Item("rename-commit")
    bench.shell("git add -A && git commit -qm 'Settle' && git mv m/f14.py top.py && git mv m/f15.py m/sub/f15.py")
    _, result, output = bench.run(said, "git commit -m 'Move two'")
    said.expect(result, "moved_by", "top.py", None, ("path", "m/f14.py"))
    said.expect(result, "moved_by", "m/{ => sub}/f15.py", None, ("path", "m/f15.py"), context="to:m/sub/f15.py")
    said.expect(result, "committed", output.split("]")[0].split(" ")[-1], "commit", context="branch:main")
    yield said
    for name, command in (("short", "git status --short"), ("long", "git status")):
        item = Item(f"rename-status-{name}", joined=name == "long")
        bench.shell(f"git mv m/f16.py m/h-{name}.py && git commit -qm again || true")
        bench.shell(f"git mv m/h-{name}.py m/f16.py")
        _, result, _ = bench.run(item, command)
        yield item.expect(result, "moved_by", "m/f16.py", None, ("path", f"m/h-{name}.py"))
        bench.shell("git commit -qm back")


def move_refusals(bench):
    """Moves that failed, may not have happened, or cannot be read off the words."""
    bench.shell("git add -A; git commit -qm rest")
    lines = {
        "failed": "mv m/missing.py m/x.py",
        "failed-git": "git mv m/missing.py m/x.py",
        "hidden-failure": "mv m/missing.py m/x.py; echo done",
        "glob": "mv m/*.txt m/dst/",
        "loop": 'for f in m/f2[0-2].py; do mv "$f" "$f.bak"; done',
        "condition": "if [ -f m/nope.py ]; then mv m/nope.py m/x.py; fi",
        "either": "test -f m/f23.py || mv m/f24.py m/x24.py",
        "no-clobber": "mv -n m/f24.py m/f25.py",
        "echo": "echo mv m/f25.py m/x25.py",
        "heredoc": "cat > note.txt <<'EOF'\nmv m/f25.py m/x25.py\nEOF",
        "comment": "ls note.txt # mv m/f25.py m/x25.py",
        "variable": "T=m/x26.py; mv m/f26.py $T",
        "log": "git log --stat -1 HEAD~2",
    }
    for number, (name, command) in enumerate(lines.items()):
        item = Item(f"no-move-{name}", joined=number % 4 == 1)
        bench.run(item, command)
        yield item


PATCH = """*** Begin Patch
*** Add File: {n}/new.py
+def f():
+    return {n}
*** Update File: {n}/old.py
@@
-x = 0
+x = {n}
*** Update File: {n}/was.py
*** Move to: {n}/is.py
@@
-a
+b
*** Delete File: {n}/gone.py
*** End Patch"""

DIFF = "--- a/{n}/u.sql\n+++ b/{n}/u.sql\n@@ -1,2 +1,2 @@\n--- old note\n+++ new note\n select {n};\n"


def file_items():
    """Reads, writes, edits and patches. No harness is run here: the records have the shape of the contract."""
    for number in range(13):
        path, content = f"src/mod_{number}.py", f"# module {number}\nvalue = {number}\n" * (number + 1)
        yield written(number, path, content)
        yield looked_at(number, path, content)
        yield patched(number)
    yield from file_refusals()


def written(number, path, content):
    """A write, then an edit, then a write that nobody answered."""
    item = Item(f"write-{number}", joined=number % 3 == 0)
    masked = number == 5
    call = item.call("write", {"path": path, "content": content}, masked=masked)
    result = item.result("File written", ok=True if number % 2 else None)
    witness = None if item.joined else result
    item.expect(call, "touched", path, "path", anchor=None if masked else sha256(content), witness=witness)
    call = item.call("edit", {"path": f"{HOME}/{path}", "old": "value", "new": "worth"})
    after = sha256(content.replace("value", "worth", 1))
    result = item.result("ok", ok=True, sha256=after)
    item.expect(call, "touched", f"{HOME}/{path}", "path", anchor=after, witness=None if item.joined else result)
    call = item.call(("write", "edit")[number % 2], {"path": f"late/{number}.py", "content": "x"})
    return item.expect(call, "predicted_write", f"late/{number}.py", "path")


def looked_at(number, path, content):
    """A read of a whole file and one of a part."""
    item = Item(f"read-{number}", joined=number % 2 == 0)
    for place, digest in ((path, sha256(content)), (f"docs/part {number}.md", None)):
        call = item.call("read", {"path": place}, {"limit": 20 if digest is None else None})
        result = item.result(content[:200], ok=True, sha256=digest)
        item.expect(call, "read", place, "path", anchor=digest, witness=None if item.joined else result)
    return item


def patched(number):
    """A patch with all four headers, a unified diff, and a patch without an answer."""
    item = Item(f"patch-{number}", joined=number % 3 == 2)
    call = item.call("patch", {"patch": PATCH.format(n=number)})
    result = item.result("Success", ok=True)
    witness = None if item.joined else result
    item.expect(
        call, "touched", f"{number}/new.py", "path", anchor=sha256(f"def f():\n    return {number}\n"), witness=witness
    )
    for name in ("old", "is"):
        item.expect(call, "touched", f"{number}/{name}.py", "path", witness=witness)
    item.expect(call, "touched", f"{number}/gone.py", "path", witness=witness, context="deleted")
    item.expect(call, "moved_by", f"{number}/is.py", None, ("path", f"{number}/was.py"), witness=witness)
    call = item.call("patch", {"patch": DIFF.format(n=number)})
    result = item.result("applied", ok=True, exit_code=0)
    item.expect(call, "touched", f"{number}/u.sql", "path", witness=None if item.joined else result)
    call = item.call("patch", {"patch": DIFF.format(n=number + 100)})
    return item.expect(call, "predicted_write", f"{number + 100}/u.sql", "path")


def file_refusals():
    """Failed calls, calls without a path, and calls that the harness or we made."""
    for action in ("write", "edit", "read", "patch", "delete", "move"):
        item = Item(f"no-file-{action}", joined=action == "read")
        item.call(action, {"path": "a.py", "to": "b.py", "content": "x", "patch": PATCH.format(n=1)})
        item.result("Permission denied", ok=False)
        yield item
    gone = Item("delete")
    call = gone.call("delete", {"path": "old.py"})
    yield gone.expect(call, "touched", "old.py", "path", context="deleted", witness=gone.result("ok", ok=True))
    moved = Item("move-call")
    call = moved.call("move", {"path": "old.py", "to": "new.py"})
    yield moved.expect(call, "moved_by", "new.py", None, ("path", "old.py"), witness=moved.result("ok", ok=True))
    ours = Item("no-file-injected")
    ours.call("write", {"path": "a.py", "content": "x"}, flags=["injected"])
    yield ours


def main():
    """Make all items and put them into the label file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node-modules", type=Path, help="a node_modules folder with vitest, jest and mocha")
    options = parser.parse_args()
    programs = [str(options.node_modules / ".bin")] if options.node_modules else []
    folder = Path(tempfile.mkdtemp())
    try:
        items = [*git_items(Bench(folder / "repo", [])), *file_items(), *talk_items.make()]
        items += runner_items.make(folder / "tests", programs, options.node_modules)
    finally:
        shutil.rmtree(folder)
    save(items, "scripted")
    print(f"{len(items)} items")


if __name__ == "__main__":
    main()
