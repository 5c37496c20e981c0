"""An invented project: a tree of plausible files whose contents are remembered and evolve.

`Project` is the world that a story acts on. What an agent reads, edits, writes or moves in a story is read from or
kept here, so that the content of a file after any step is known exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

from muniment.testing.lexicon import Dice, Lexicon


@dataclass(frozen=True, slots=True)
class Language:
    """How the code of one kind of project looks and how it is tested."""

    name: str
    extension: str
    runners: tuple[str, ...]
    folders: tuple[str, ...]
    test_path: str
    extras: tuple[str, ...]
    header: str
    blocks: tuple[str, ...]


PYTHON = Language(
    "python", "py", ("pytest", "unittest"), ("src/{p}", "src/{p}/api", "src/{p}/store", "scripts"), "tests/test_{n}.py",
    ("README.md", "pyproject.toml", "CHANGELOG.md", "docs/architecture.md", ".github/workflows/ci.yaml"),
    '"""{C}."""\n\nfrom __future__ import annotations\n\nimport logging\nfrom dataclasses import dataclass\n\nlogger = logging.getLogger(__name__)\n',
    (
        ('\n\ndef {f}({a}: str, *, {b}: int = {x}) -> {T} | None:\n    """{C}."""\n    if not {a}:\n        raise ValueError("{c}")\n'
        '    {n} = {g}({a}, limit={b})\n    for {m} in {n}:\n        if {m}.{o} is None:\n            continue\n        logger.debug("{v} %s", {m})\n'
        "    return {n}[0] if {n} else None\n"),
        ('\n\n@dataclass(frozen=True, slots=True)\nclass {T}:\n    """{C}."""\n\n    {a}: str\n    {b}: int = {x}\n    {o}: tuple[str, ...] = ()\n\n'
        '    def {f}(self) -> str:\n        """{C}."""\n        return f"{self.{a}}:{self.{b}}"\n'),
        "\n\n{S} = {\n    \"{a}\": {x},\n    \"{b}\": {y},\n    \"{o}\": \"{c}\",\n}\n",
        ("\n\nasync def {f}(client: {T}, {a}: bytes) -> dict[str, int]:\n    async with client.{o}() as {n}:\n        # {c}\n"
        "        result = await {n}.{v}({a}, timeout={x})\n    return {\"{b}\": result.count, \"{m}\": len({a})}\n"),
    ),
)  # fmt: skip
GO = Language(
    "go", "go", ("go",), ("cmd/{p}", "internal/{n}", "internal/{m}", "pkg/{o}"), "internal/{n}/{n}_test.go",
    ("README.md", "go.mod", "Makefile", "docs/design.md", ".golangci.yaml"),
    'package {p}\n\nimport (\n\t"context"\n\t"errors"\n\t"fmt"\n)\n\n// Err{T} says that {c}.\nvar Err{T} = errors.New("{c}")\n',
    (
        ("\n// {F} {c}.\nfunc (s *{T}) {F}(ctx context.Context, {a} string) (int, error) {\n\tif {a} == \"\" {\n\t\treturn 0, Err{T}\n\t}\n"
        "\t{n}, err := s.{g}(ctx, {a})\n\tif err != nil {\n\t\treturn 0, fmt.Errorf(\"{v} {m}: %w\", err)\n\t}\n\treturn len({n}) + {x}, nil\n}\n"),
        "\n// {T} holds the {n}; {c}.\ntype {T} struct {\n\t{A} string `json:\"{a}\"`\n\t{B} int    `json:\"{b},omitempty\"`\n\t{o} map[string]int\n}\n",
        "\nfunc {g}({a} []byte) error {\n\tfor i, {m} := range {a} {\n\t\tif int({m}) > {x} {\n\t\t\treturn fmt.Errorf(\"{c} at %d\", i)\n\t\t}\n\t}\n\treturn nil\n}\n",
    ),
)  # fmt: skip
RUST = Language(
    "rust", "rs", ("cargo",), ("src", "src/{n}", "crates/{p}/src"), "tests/{n}.rs",
    ("README.md", "Cargo.toml", "CHANGELOG.md", "benches/{n}.rs", "docs/format.md"),
    "//! {C}.\n\nuse std::collections::HashMap;\n\nuse anyhow::{Context, Result};\nuse serde::{Deserialize, Serialize};\n",
    (
        ("\n/// {C}.\npub fn {f}({a}: &str, {b}: usize) -> Result<Vec<{T}>> {\n    let mut {n} = Vec::with_capacity({b});\n"
        "    for line in {a}.lines().take({x}) {\n        let {m} = line.trim().parse::<{T}>().context(\"{c}\")?;\n        {n}.push({m});\n    }\n    Ok({n})\n}\n"),
        "\n#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]\npub struct {T} {\n    pub {a}: String,\n    pub {b}: u64,\n    /// {C}.\n    pub {o}: HashMap<String, u32>,\n}\n",
        "\nimpl {T} {\n    /// {C}.\n    pub fn {f}(&self) -> Option<&u32> {\n        match self.{o}.get(\"{m}\") {\n            Some({n}) if *{n} > {x} => Some({n}),\n            _ => None,\n        }\n    }\n}\n",
    ),
)  # fmt: skip
TYPESCRIPT = Language(
    "typescript", "ts", ("vitest", "jest", "npm"), ("src", "src/{n}", "src/components", "src/lib"), "src/{n}.test.ts",
    ("README.md", "package.json", "tsconfig.json", "docs/usage.md", "vite.config.ts"),
    "import { z } from 'zod'\nimport { {g} } from './{n}'\n\n// {C}\n",
    (
        ("\nexport async function {h}({a}: string, {b} = {x}): Promise<{T} | null> {\n  const {n} = await {g}({a}, { limit: {b} })\n"
        "  if ({n}.length === 0) {\n    throw new Error('{c}')\n  }\n  return {n}.find(({m}) => {m}.{o} !== undefined) ?? null\n}\n"),
        "\nexport interface {T} {\n  {a}: string\n  {b}?: number\n  /** {C} */\n  {o}: Record<string, unknown>\n}\n",
        "\nexport const {S} = z.object({\n  {a}: z.string().min({x}),\n  {b}: z.number().optional(),\n  {m}: z.enum(['{n}', '{o}']),\n})\n",
        ("\nexport function use{T}({ {a}, {b} }: Props) {\n  const [{n}, set{T}] = useState<string[]>([])\n  useEffect(() => {\n    // {c}\n    {g}({a}).then(set{T})\n"
        "  }, [{a}, {b}])\n  return { {n}, {m}: {n}.length > {x} }\n}\n"),
    ),
)  # fmt: skip
C = Language(
    "c", "c", ("make",), ("src", "src/{n}", "include"), "tests/test_{n}.c",
    ("README.md", "Makefile", "docs/protocol.md", "include/{p}.h"),
    "/* {C}. */\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n#include \"{p}.h\"\n",
    (
        ("\n/* {C}. */\nint {f}(struct {n} *{a}, size_t {b})\n{\n\tif ({a} == NULL || {b} > {x})\n\t\treturn -EINVAL;\n\tfor (size_t i = 0; i < {b}; i++)\n"
        "\t\tif ({a}->{o}[i] != 0)\n\t\t\treturn {g}({a}, i);\n\treturn 0;\n}\n"),
        "\nstruct {n}_{m} {\n\tuint32_t {a};\n\tuint64_t {b};\n\tchar {o}[{x}]; /* {c} */\n};\n",
    ),
)  # fmt: skip
LANGUAGES = (PYTHON, TYPESCRIPT, GO, RUST, PYTHON, TYPESCRIPT, C)


def camel(name: str) -> str:
    """snake_case as CamelCase."""
    return "".join(part.capitalize() for part in name.split("_"))


def fill(template: str, dice: Dice, words: Lexicon, package: str) -> str:
    """A template with its slots filled: names, clauses and numbers."""
    names = dice.choices(words.identifiers, k=3)
    nouns = dice.choices(words.nouns, k=7)
    text = template
    values = (
        ("{f}", names[0]), ("{g}", names[1]), ("{F}", camel(names[0])), ("{h}", names[2].split("_")[0] + camel(nouns[0])),
        ("{T}", camel(nouns[0]) + camel(nouns[1])), ("{S}", f"{nouns[0]}_{nouns[5]}".upper()),
        ("{a}", nouns[1]), ("{b}", f"{nouns[2]}_{nouns[6]}"), ("{A}", camel(nouns[1])), ("{B}", camel(nouns[2])),
        ("{n}", nouns[3]), ("{m}", nouns[4]), ("{o}", f"{nouns[5]}s"), ("{v}", names[2].split("_")[0]), ("{p}", package),
        ("{x}", str(dice.below(4096))), ("{y}", str(dice.below(100))),
    )  # fmt: skip
    for slot, value in values:
        if slot in text:
            text = text.replace(slot, value)
    while "{c}" in text:
        text = text.replace("{c}", dice.pick(words.clauses).replace("`", "").replace("{", ""), 1)
    while "{C}" in text:
        text = text.replace("{C}", dice.pick(words.openings).replace("`", "").replace("{", ""), 1)
    return text


class Project:
    """The remembered tree: `files` maps each path inside the workspace to its content right now."""

    LARGEST = 48_000

    def __init__(self, dice: Dice, words: Lexicon) -> None:
        self.dice, self.words = dice, words
        self.language = dice.pick(LANGUAGES)
        self.package = dice.pick(words.nouns)
        self.paths: list[str] = []
        self.files: dict[str, str] = {}
        for extra in self.language.extras:
            self._know(fill(extra, dice, words, self.package))
        for _ in range(dice.between(12, 40)):
            self.fresh_path()

    def _know(self, path: str) -> str:
        if path not in self.paths:
            self.paths.append(path)
        return path

    def fresh_path(self) -> str:
        """A new path of this project, not on disk yet until it is read or written."""
        language, dice = self.language, self.dice
        noun = dice.pick(self.words.nouns)
        if dice.chance(0.3):
            return self._know(language.test_path.replace("{n}", noun))
        folder = fill(dice.pick(language.folders), dice, self.words, self.package)
        name = noun if dice.chance(0.6) else f"{noun}_{dice.pick(self.words.nouns)}"
        return self._know(f"{folder}/{name}.{language.extension}")

    def compose(self, path: str, size: int) -> str:
        """New content for a path, of about `size` bytes, always ending in a newline."""
        dice, words = self.dice, self.words
        if path.endswith((".md", ".toml", ".yaml", ".json", ".mod", "Makefile")):
            return f"# {self.package}\n\n{words.prose(dice, max(size, 200), 3)}\n\n{words.bullets(dice, max(size // 3, 60))}\n"
        parts = [fill(self.language.header, dice, words, self.package)]
        length = len(parts[0])
        while length < size:
            parts.append(fill(dice.pick(self.language.blocks), dice, words, self.package))
            length += len(parts[-1])
        return "".join(parts)

    def content(self, path: str, cap: int) -> str:
        """What the file holds; a file never seen before is made up now, no larger than about `cap`."""
        if path not in self.files:
            self.files[path] = self.compose(path, max(120, self.dice.lognormal(2_600, 16_000, min(cap, self.LARGEST))))
        return self.files[path]

    def put(self, path: str, content: str) -> None:
        """Remember new content."""
        self._know(path)
        self.files[path] = content

    def move(self, old: str, new: str) -> None:
        """Give a known file another path."""
        self.files[new] = self.files.pop(old)
        if old in self.paths:
            self.paths[self.paths.index(old)] = new
        else:  # forgotten in the meantime
            self.paths.append(new)

    def forget_oldest(self, keep: int) -> None:
        """Hold memory constant in endless stories: the oldest paths are never touched again."""
        while len(self.paths) > keep:
            self.files.pop(self.paths.pop(0), None)
