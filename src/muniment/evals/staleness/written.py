"""Histories that are written: a project in eight languages whose files carry the identity of each line, so that the script of
edits itself says which cited lines and definitions are still there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

LANGUAGES = ("py", "js", "ts", "go", "rs", "java", "c", "cpp")
_WORDS = "order invoice retry cache route batch token ledger replica shard quota cursor signal report window".split()
_VERBS = "load merge count write fetch check build parse split close".split()


@dataclass(slots=True)
class Line:
    """A line of a file; `id` goes with it wherever it is moved, and another text is another line."""

    id: int
    text: str


@dataclass(slots=True)
class Function:
    """A definition. `meaning` changes with what it does, and with nothing else."""

    name: str
    language: str
    meaning: int
    arguments: list[str]
    body: list[tuple[str, str]]
    """(target, expression) of each step."""
    style: int = 0
    note: str = ""
    lines: list[Line] = field(default_factory=list)
    known: dict[tuple[str, int], Line] = field(default_factory=dict)
    """Every line that it ever had, by its text and which of them it is: what is written back is the same line again."""


@dataclass(slots=True)
class File:
    """A file: its head and its definitions."""

    path: str
    head: list[Line]
    functions: list[Function]

    def lines(self) -> list[Line]:
        """All lines in their order."""
        return [*self.head, *(line for f in self.functions for line in f.lines)]

    def text(self) -> str:
        """What stands in it."""
        return "".join(f"{line.text}\n" for line in self.lines())


class Project:
    """Files that are edited by a script which knows what it does."""

    def __init__(self, seed: int, files: int) -> None:
        self._random = random.Random(seed)
        self._next = 0
        self.files: list[File] = []
        for number in range(files):
            language = LANGUAGES[number % len(LANGUAGES)]
            folder = self._random.choice(("src", "src/core", "lib", "service/api"))
            self.files.append(self._file(f"{folder}/{self._word()}_{number}.{language}", language))

    # -- what an edit is

    def edit(self, kind: str) -> None:
        """One edit of that kind, somewhere."""
        _EDITS[kind](self)

    def change(self) -> None:
        """A step computes something else."""
        function = self._function()
        at = self._random.randrange(len(function.body))
        target, expression = function.body[at]
        function.body[at] = (target, f"{expression} + {self._random.randint(100, 999)}")
        function.meaning = self._id()
        self._render(function)

    def insert(self) -> None:
        """A further step in the middle."""
        function = self._function()
        step = (
            f"{self._word()}{self._random.randint(10, 99)}",
            f"{function.arguments[0]} * {self._random.randint(2, 99)}",
        )
        function.body.insert(self._random.randrange(len(function.body) + 1), step)
        function.meaning = self._id()
        self._render(function)

    def remove(self) -> None:
        """A step goes."""
        function = self._function()
        if len(function.body) > 2:
            del function.body[self._random.randrange(len(function.body))]
            function.meaning = self._id()
            self._render(function)

    def head(self) -> None:
        """A line more at the top of a file: everything below moves."""
        file = self._random.choice(self.files)
        file.head.append(
            self._line(_comment(_language(file.path), f"see {self._word()} {self._random.randint(1, 9999)}"))
        )

    def note(self) -> None:
        """A comment inside of a definition is put or changed."""
        function = self._function()
        function.note = f"{self._word()} {self._word()} {self._random.randint(1, 9999)}"
        self._render(function)

    def reformat(self) -> None:
        """A file is written out in another way; what it does stays."""
        file = self._random.choice(self.files)
        for function in file.functions:
            function.style = 1 - function.style
            self._render(function)

    def shift(self) -> None:
        """A definition goes to another place of its file."""
        file = self._random.choice(self.files)
        if len(file.functions) > 1:
            function = file.functions.pop(self._random.randrange(len(file.functions)))
            file.functions.insert(self._random.randrange(len(file.functions) + 1), function)

    def carry(self) -> None:
        """A definition goes to another file of its language."""
        file = self._random.choice(self.files)
        others = [f for f in self.files if _language(f.path) == _language(file.path) and f is not file]
        if others and len(file.functions) > 1:
            function = file.functions.pop(self._random.randrange(len(file.functions)))
            self._random.choice(others).functions.append(function)

    def rename(self) -> None:
        """A file gets another name."""
        file = self._random.choice(self.files)
        folder, _, name = file.path.rpartition("/")
        file.path = f"{folder}/{self._word()}_{self._random.randint(1000, 9999)}_{name.split('_')[-1]}"

    def regroup(self) -> None:
        """All files of a folder move."""
        folder = self._random.choice(self.files).path.rpartition("/")[0]
        new = f"{self._word()}/{self._random.randint(10, 99)}"
        for file in self.files:
            if file.path.rpartition("/")[0] == folder:
                file.path = f"{new}/{file.path.rpartition('/')[2]}"

    def drop(self) -> None:
        """A definition goes."""
        file = self._random.choice(self.files)
        if len(file.functions) > 1:
            del file.functions[self._random.randrange(len(file.functions))]

    def delete(self) -> None:
        """A file goes."""
        if len(self.files) > len(LANGUAGES):
            del self.files[self._random.randrange(len(self.files))]

    # -- making

    def _file(self, path: str, language: str) -> File:
        head = [self._line(text) for text in _head(language, path)]
        return File(path, head, [self._made(language) for _ in range(self._random.randint(4, 7))])

    def _made(self, language: str) -> Function:
        name = f"{self._random.choice(_VERBS)}{self._word().capitalize()}{self._random.randint(10, 999)}"
        arguments = [f"{self._word()}{n}" for n in range(self._random.randint(1, 3))]
        steps = [
            (f"{self._word()}{n}", f"{self._random.choice(arguments)} + {self._random.randint(1, 999)}")
            for n in range(self._random.randint(3, 8))
        ]
        function = Function(name, language, self._id(), arguments, steps)
        self._render(function)
        return function

    def _render(self, function: Function) -> None:
        """Lines that read as before stay those lines."""
        found: list[Line] = []
        for text in _written(function):
            key = (text, sum(line.text == text for line in found))
            if key not in function.known:
                function.known[key] = self._line(text)
            found.append(function.known[key])
        function.lines = found

    def _function(self) -> Function:
        return self._random.choice(self._random.choice(self.files).functions)

    def _line(self, text: str) -> Line:
        """Empty lines and brackets have no identity of their own."""
        return Line(self._id() if any(c.isalnum() for c in text) else -1 - len(text), text)

    def _id(self) -> int:
        self._next += 1
        return self._next

    def _word(self) -> str:
        return self._random.choice(_WORDS)


_EDITS: dict[str, Callable[[Project], None]] = {
    "change": Project.change, "insert": Project.insert, "remove": Project.remove, "head": Project.head,
    "note": Project.note, "reformat": Project.reformat, "shift": Project.shift, "carry": Project.carry,
    "rename": Project.rename, "regroup": Project.regroup, "drop": Project.drop, "delete": Project.delete,
}  # fmt: skip


def _language(path: str) -> str:
    return path.rpartition(".")[2]


def _comment(language: str, text: str) -> str:
    return f"# {text}" if language == "py" else f"// {text}"


def _head(language: str, path: str) -> list[str]:
    name = path.rpartition("/")[2].split(".")[0]
    first = {
        "go": ["package core"],
        "java": [f"// class of {name}"],
        "c": ["#include <stdio.h>"],
        "cpp": ["#include <string>"],
    }
    return [_comment(language, f"{name}: what the {name.split('_')[0]} does"), *first.get(language, []), ""]


def _written(f: Function) -> Iterator[str]:
    """A definition in one of two ways of writing it."""
    yield from _WRITERS[f.language](f, "  " if f.style else "    ")
    yield ""


def _python(f: Function, pad: str) -> Iterator[str]:
    if f.style:
        yield f"def {f.name}("
        yield from (f"{pad}{a}," for a in f.arguments)
        yield "):"
    else:
        yield f"def {f.name}({', '.join(f.arguments)}):"
    yield from (f"{pad}# {n}" for n in [f.note] if n)
    for target, expression in f.body:
        yield f"{pad}{target} = ({expression})" if f.style else f"{pad}{target} = {expression}"
    yield f"{pad}return {f.body[-1][0]}"


def _braced(opening: str, step: str, closing: str) -> Callable[[Function, str], Iterator[str]]:
    def writer(f: Function, pad: str) -> Iterator[str]:
        head = opening.format(name=f.name, list=", ".join(_PARAMETER[f.language].format(a) for a in f.arguments))
        if f.style and f.language != "go":
            yield head.removesuffix(" {")
            yield "{"
        else:
            yield head
        yield from (f"{pad}// {n}" for n in [f.note] if n)
        for target, expression in f.body:
            yield pad + step.format(target, expression.replace(" + ", "+") if f.style else expression)
        yield pad + closing.format(f.body[-1][0])
        yield "}"

    return writer


_PARAMETER = {
    "js": "{}", "ts": "{}: number", "go": "{} int", "rs": "{}: i64", "java": "int {}", "c": "int {}", "cpp": "int {}"
}  # fmt: skip
_WRITERS: dict[str, Callable[[Function, str], Iterator[str]]] = {
    "py": _python,
    "js": _braced("function {name}({list}) {{", "const {} = {};", "return {};"),
    "ts": _braced("export function {name}({list}): number {{", "const {} = {};", "return {};"),
    "go": _braced("func {name}({list}) int {{", "{} := {}", "return {}"),
    "rs": _braced("pub fn {name}({list}) -> i64 {{", "let {} = {};", "return {};"),
    "java": _braced("static int {name}({list}) {{", "int {} = {};", "return {};"),
    "c": _braced("static int {name}({list}) {{", "int {} = {};", "return {};"),
    "cpp": _braced("int {name}({list}) {{", "auto {} = {};", "return {};"),
}
