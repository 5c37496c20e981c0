"""A plausible coding session as harness-independent steps, from a seed.

A step is what happened; how it looks on disk is the business of the writers. File contents are remembered: `before`
and `after` of an edit are whole files, so the hash of a file after any step is known.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator

from muniment.testing.lexicon import Dice, cut, derive, lexicon
from muniment.testing.outputs import COMMANDS
from muniment.testing.project import Project, camel, fill
from muniment.testing.runners import RUNNERS, Counts
from muniment.testing.steps import (
    Compact,
    Delegate,
    Edit,
    Fetch,
    Hunk,
    Prompt,
    Read,
    Run,
    Say,
    Step,
    Think,
    Todo,
    Write,
    hunk,
    weight,
)

TOOLS = (
    "PostgreSQL",
    "SQLite",
    "Redis",
    "Kafka",
    "MySQL",
    "pytest",
    "ruff",
    "Terraform",
    "pnpm",
    "uv",
    "gRPC",
    "Vite",
    "Playwright",
    "NATS",
)
REQUESTS = (
    "fix the failing test in {p}", "why does `{i}` {v} the {n}?", "add a {n} to {p}", "can you {v} the {n} in {p}? {C}.",
    "run the tests", "commit this", "rename `{i}` to `{j}`", "please look at {p}, {c}", "continue", "yes, go on",
    "{C}. {C}.", "refactor {p} so that {c}", "no, {c}. Revert that and {v} the {n}", "write a test for `{i}`",
    "the {n} is {a} again: {c}", "explain {p} to me", "what did we decide about the {n}?", "ok. now {v} `{i}` as well",
)  # fmt: skip
STATEMENTS = (
    "We decided to use {t} for the {n} because {c}.", "I prefer {t} over {u} for the {n}.", "Don't use {t}; use {u} instead.",
    "Remember that the staging {n} runs on {n}-0{d}.example.com.", "Always run the {n} checks before you commit.",
    "Never touch {p} without asking me.", "The deadline for the {n} is 2026-12-1{d}.", "My name is Robin and I work on the {n} team.",
    "Let's go with {t}: {c}.", "Our {n} must not exceed {d}00 ms.", "The default port of the {n} is 80{d}0, not 3000.",
)  # fmt: skip
ABROAD = (
    "Bitte prüfe den Fehler in der Übersicht, er tritt nur bei größeren Dateien auf.", "テストが失敗しているので直してください。",
    "Peux-tu vérifier que le déploiement n’a rien cassé ? Merci !", "请把数据库连接改成连接池，并补充测试。", "looks good 👍 ship it 🚀",
    "«Проверь, пожалуйста, почему кэш не обновляется»", "¿Por qué tarda tanto la migración? Son sólo 3 tablas…",
)  # fmt: skip
WORD = re.compile(r"[a-z][a-z_]{4,}")


class Story:
    """An endless session, turn by turn. `limit` caps the size of outputs and may be lowered at any time."""

    def __init__(self, seed: int, *, dialect: int = 0) -> None:
        self.dice = Dice(derive("story", seed))
        self.words = lexicon(dialect)
        self.project = Project(self.dice, self.words)
        self.limit = 50_000
        self.said = 0
        self._window = self.dice.between(60_000, 700_000)
        self._recent: deque[str] = deque(maxlen=10)
        self._todo: list[tuple[str, str]] = []
        self._actions: tuple[tuple[Callable[[], Step], float], ...] = (
            (self._read, 27), (self._edit, 21), (self._write, 5), (self._command, 24), (self._test, 10), (self._commit, 4),
            (self._move, 1.5), (self._fetch, 2), (self._plan, 5), (self._delegate, 1.2),
        )  # fmt: skip
        self._acts, self._weights = [act for act, _ in self._actions], [weight for _, weight in self._actions]

    @property
    def files(self) -> dict[str, str]:
        """What every file seen so far holds now."""
        return self.project.files

    def turn(self) -> Iterator[Step]:
        """One turn: the person's prompt, the work, the last words; at times the compaction before it."""
        if self.said > self._window:
            self.said = 0
            yield Compact(
                self.words.prose(self.dice, min(self.limit, self.dice.lognormal(3_000, 9_000, 16_000)), 4),
                self.dice.chance(0.75),
            )
        yield self._prompt()
        if self.dice.chance(0.75):
            yield from self._aside(0.8)
        for act in self.dice.choices(self._acts, self._weights, k=1 + min(40, int(self.dice.lognormal(5, 20, 40)))):
            step = act()
            self.said += weight(step)
            yield step
            if self.dice.chance(0.4):
                yield from self._aside(0.7)
        yield Say(self._answer(self._size(500, 3_000)), final=True)

    def _size(self, median: int, p95: int) -> int:
        return max(8, self.dice.lognormal(median, p95, self.limit))

    def _aside(self, spoken: float) -> Iterator[Step]:
        if self.dice.chance(0.25):
            yield Think(self.words.prose(self.dice, self._size(300, 1_800)))
        if self.dice.chance(spoken):
            yield Say(self.words.prose(self.dice, self._size(110, 420)))

    def _phrase(self, template: str) -> str:
        dice, words, text = self.dice, self.words, template
        pools = (
            ("{p}", self.project.paths),
            ("{i}", words.identifiers),
            ("{j}", words.identifiers),
            ("{n}", words.nouns),
            ("{t}", TOOLS),
            ("{u}", TOOLS),
            ("{c}", words.clauses),
            ("{C}", words.openings),
        )
        for slot, pool in pools:
            while slot in text:
                text = text.replace(slot, dice.pick(pool), 1)
        return (
            text.replace("{v}", dice.pick(words.identifiers).split("_")[0])
            .replace("{a}", "stale")
            .replace("{d}", str(dice.below(10)))
        )

    def _prompt(self) -> Prompt:
        dice, size = self.dice, self._size(120, 2_000)
        if dice.chance(0.02):
            return Prompt(dice.pick(ABROAD))
        parts = [self._phrase(dice.pick(REQUESTS))]
        if dice.chance(0.12):
            parts.append(self._phrase(dice.pick(STATEMENTS)))
        rest = size - len(parts[0])
        if rest > 400 and dice.chance(0.5):
            pasted = cut("\n".join(dice.choices(self.words.lines, k=rest // 120)), rest)
            parts.append(f"\n\n```\n{pasted}\n```")
        elif rest > 40:
            parts.append(self.words.prose(dice, rest))
        return Prompt(" ".join(parts))

    def _answer(self, size: int) -> str:
        dice = self.dice
        text = self.words.prose(dice, max(24, size * 2 // 3), 3)
        if size > 300:
            text += f"\n\n**{camel(dice.pick(self.words.nouns))}**\n\n{self.words.bullets(dice, size // 3)}"
        return text

    def filler(self, size: int) -> str:
        """Prose of exactly `size` ASCII bytes without characters that JSON escapes: writers end a file with it."""
        text = self.words.prose(self.dice, size, 10_000_000)
        return text + "." * (size - len(text))

    def _read(self) -> Step:
        dice = self.dice
        path = dice.pick(self._recent) if self._recent and dice.chance(0.3) else dice.pick(self.project.paths)
        content = self.project.content(path, self.limit)
        self._recent.append(path)
        total = content.count("\n") + 1
        wanted = self._size(1_500, 12_000)
        if len(content) <= max(wanted, 2_500):
            return Read(path, content, 1, total, total)
        start = dice.below(max(1, total - 20))
        lines = content.split("\n")[start : start + max(5, wanted * total // len(content))]
        return Read(path, "\n".join(lines), start + 1, len(lines), total)

    def _target(self) -> str:
        return (
            self.dice.pick(self._recent)
            if self._recent and self.dice.chance(0.8)
            else self.dice.pick(self.project.paths)
        )

    def _edit(self) -> Step:
        dice, path = self.dice, self._target()
        before = self.project.content(path, self.limit)
        if len(before) > 2 * self.limit:
            return self._read()
        edit = self._rename(path, before) if dice.chance(0.06) else self._replace(path, before)
        if edit is None:
            return self._write()
        self.project.put(path, edit.after)
        self._recent.append(path)
        return edit

    def _replace(self, path: str, before: str) -> Edit | None:
        dice, lines = self.dice, before.split("\n")
        start = dice.below(len(lines) - 1)
        end = min(start + dice.between(1, 5), len(lines) - 1)
        old = "\n".join(lines[start:end])
        while (not old.strip() or before.count(old) != 1) and end < min(start + 12, len(lines) - 1):
            end += 1
            old = "\n".join(lines[start:end])
        if not old.strip() or before.count(old) != 1:
            return None
        changed = self._changed(lines[start:end], shrink=len(before) > 30_000 or dice.chance(0.3))
        new = "\n".join(changed)
        if new == old:
            return None
        after = before.replace(old, new, 1)
        return Edit(path, old, new, before, after, (hunk(lines, start, end, changed, 0),), False)

    def _changed(self, lines: list[str], *, shrink: bool) -> list[str]:
        dice = self.dice
        kept = [
            line if dice.chance(0.5) else WORD.sub(lambda _: dice.pick(self.words.identifiers), line, count=1)
            for line in lines
        ]
        if shrink and len(kept) > 1:
            del kept[dice.below(len(kept))]
        else:
            block = (
                fill(dice.pick(self.project.language.blocks), dice, self.words, self.project.package)
                .strip("\n")
                .split("\n")
            )
            at = dice.below(len(kept) + 1)
            kept[at:at] = block[: dice.between(1, len(block))]
        return kept

    def _rename(self, path: str, before: str) -> Edit | None:
        found = WORD.findall(before, 0, 4_000)
        if not found:
            return None
        old, new = self.dice.pick(found), self.dice.pick(self.words.identifiers)
        if old == new:
            return None
        lines = before.split("\n")
        hunks: list[Hunk] = []
        n, last = 0, len(lines) - 1
        while n < last:
            if old in lines[n]:
                end = n + 1
                while end < last and any(old in line for line in lines[end : end + 7]):
                    end += 1
                hunks.append(hunk(lines, n, end, [line.replace(old, new) for line in lines[n:end]], 0))
                n = end
            n += 1
        return Edit(path, old, new, before, before.replace(old, new), tuple(hunks), True)

    def _write(self) -> Step:
        dice = self.dice
        path = self._target() if dice.chance(0.45) else self.project.fresh_path()
        before = self.project.files.get(path)
        if before is not None and len(before) > min(8_000, self.limit):
            path = self.project.fresh_path()
            before = self.project.files.get(path)
        after = self.project.compose(path, self._size(1_800, 9_000))
        self.project.put(path, after)
        self.project.forget_oldest(160)
        self._recent.append(path)
        return Write(path, after, before)

    def _command(self) -> Step:
        made = self.dice.pick(COMMANDS)(self.project, self._size(600, 8_000))
        return self._ran(made.command, self._says(), made.stdout, made.stderr, made.exit_code)

    def _says(self) -> str:
        return cut(self.dice.pick(self.words.openings), 60)

    def _ran(
        self,
        command: str,
        description: str,
        stdout: str,
        stderr: str,
        exit_code: int,
        *,
        tests: Counts | None = None,
        commit: str | None = None,
        moved: tuple[str, str] | None = None,
    ) -> Run:
        return Run(
            command,
            description,
            stdout,
            stderr,
            exit_code,
            self.dice.lognormal(300, 20_000, 600_000) / 1000,
            tests,
            commit,
            moved,
        )

    def _test(self) -> Step:
        made, counts = RUNNERS[self.dice.pick(self.project.language.runners)](self.project, self._size(600, 8_000))
        return self._ran(made.command, "Run the tests", made.stdout, made.stderr, made.exit_code, tests=counts)

    def _commit(self) -> Step:
        dice = self.dice
        message, sha = cut(dice.pick(self.words.openings).replace("`", ""), 64), dice.hex(7)
        files, plus, minus = dice.between(1, 9), dice.between(1, 400), dice.below(200)
        command = (
            f'git commit -m "{message}"'
            if dice.chance(0.5)
            else f"git add -A && git commit -m \"$(cat <<'EOF'\n{message}\n\n{self.words.prose(dice, 160)}\nEOF\n)\""
        )
        out = f"[main {sha}] {message}\n {files} file{'s' * (files > 1)} changed, {plus} insertions(+), {minus} deletions(-)"
        return self._ran(command, "Commit the change", out, "", 0, commit=sha)

    def _move(self) -> Step:
        old = self._target()
        self.project.content(old, self.limit)
        folder, _, name = old.rpartition("/")
        new = f"{folder}/{self.dice.pick(self.words.nouns)}_{name}".lstrip("/")
        if new in self.project.files:
            return self._read()
        self.project.move(old, new)
        self._recent = deque((new if path == old else path for path in self._recent), maxlen=10)
        return self._ran(f"git mv {old} {new}", "Move the file", "", "", 0, moved=(old, new))

    def _fetch(self) -> Step:
        dice = self.dice
        url = f"https://docs.example.org/{dice.pick(self.words.nouns)}/{dice.pick(self.words.nouns)}.html"
        text = f"# {camel(dice.pick(self.words.nouns))}\n\n{self._answer(self._size(1_500, 8_000))}"
        return Fetch(url, f"{self._says()}?", text)

    def _plan(self) -> Step:
        dice = self.dice
        open_items = [n for n, (_, state) in enumerate(self._todo) if state != "completed"]
        if not open_items or (len(self._todo) < 4 and dice.chance(0.4)):
            if not open_items:
                self._todo.clear()
            self._todo.append((self._says(), "pending"))
            return Todo(tuple(self._todo), len(self._todo) - 1, True)
        first = open_items[0]
        text, state = self._todo[first]
        self._todo[first] = (text, "in_progress" if state == "pending" else "completed")
        return Todo(tuple(self._todo), first, False)

    def _delegate(self) -> Step:
        steps: list[Step] = []
        for act in self.dice.choices((self._read, self._command), k=self.dice.between(1, 5)):
            steps += [*self._aside(0.5), act()]
        report = self._answer(self._size(700, 3_000))
        return Delegate(
            cut(self._says(), 32), self.words.prose(self.dice, self._size(400, 1_800)), tuple(steps), report
        )


def story(seed: int, turns: int, *, dialect: int = 0) -> Iterator[Step]:
    """The steps of a session of so many turns; the same seed gives the same steps everywhere."""
    made = Story(seed, dialect=dialect)
    for _ in range(turns):
        yield from made.turn()
