"""The reference pages that come out of the program: its commands from the parser, its JSON from the table of shapes.

Made from the parser's own words and not from its help text, whose layout differs from one Python to the next.
"""

import argparse
from pathlib import Path

import http_page
import setup
import setup_page
import tables

FOLDER = Path("docs", "reference")
MADE = "<!-- made by scripts/docs.py --write; change the program, not this page -->"


def pages():
    """(path, text) of every generated page."""
    yield FOLDER / "cli.md", commands()
    yield FOLDER / "json.md", shapes()
    yield FOLDER / "errors.md", tables.errors(MADE)
    yield FOLDER / "vocabulary.md", tables.vocabulary(MADE)
    yield FOLDER / "methods.md", tables.methods(MADE)
    yield FOLDER / "tools.md", tables.tools(MADE)
    yield FOLDER / "harnesses.md", tables.harnesses(MADE)
    yield FOLDER / "hooks.md", tables.hooks(MADE)
    yield FOLDER / "setup.md", setup_page.page(MADE)
    yield FOLDER / "http.md", http_page.page(MADE)


def write():
    for path, text in pages():
        (setup.ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (setup.ROOT / path).write_text(text, encoding="utf-8", newline="\n")


def differences():
    """What is to be said of pages that are not as they would be made now."""
    for path, text in pages():
        file = setup.ROOT / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            yield f"{path.as_posix()} is not as the program says: python scripts/docs.py --write"


def commands():
    from muniment.surfaces.cli import parser

    built = parser.build()
    subparsers = next(a for a in built._actions if isinstance(a, argparse._SubParsersAction)).choices
    shared = next(g for g in built._action_groups if g.title == "everywhere")
    lines = [
        "# Command line", "", MADE, "",
        "Data goes to stdout, everything else to stderr; both are UTF-8 whatever the locale.",
        "How to ask: [selectors](selectors.md); what `--json` prints: [JSON](json.md).", "",
        "## Everywhere", "", *table(shared._group_actions), "",
        "`muniment --version` prints the version.",
        "A selector may begin with a dash: `muniment query -role:assistant`.", "",
        *epilog(built.epilog),
    ]  # fmt: skip
    for name, command in subparsers.items():
        own = [
            a
            for a in command._actions
            if a not in shared._group_actions and a.dest not in ("help", *shared_names(shared))
        ]
        lines += [f"## {name}", "", command.description, "", "```", usage(name, own), "```", ""]
        lines += [*table(own), ""] if own else []
    return "\n".join(lines).rstrip() + "\n"


def shared_names(group):
    return {action.dest for action in group._group_actions}


def epilog(text):
    """The closing words of the help, each block under a heading of its own."""
    for block in text.split("\n\n"):
        title, _, body = block.partition(":\n")
        yield from (f"## {title.capitalize()}", "", "```", *(line[2:] for line in body.splitlines()), "```", "")


def usage(name, actions):
    return " ".join(["muniment", name, *(place(action) for action in actions)])


def place(action):
    """An argument as the usage line shows it."""
    if not action.option_strings:
        shown = action.metavar or action.dest
        return {"*": f"[{shown} ...]", "?": f"[{shown}]"}.get(action.nargs, shown)
    value = f" {action.metavar}" if action.nargs != 0 else ""
    again = "..." if isinstance(action, argparse._AppendAction) else ""
    return f"[{action.option_strings[-1]}{value}]{again}"


def table(actions):
    """Arguments and options with what they mean."""
    yield from ("| | |", "| --- | --- |")
    for action in actions:
        value = f" {action.metavar}" if action.option_strings and action.nargs != 0 else ""
        names = ", ".join(action.option_strings) + value if action.option_strings else action.metavar
        yield f"| `{names}` | {(action.help or '').replace('|', chr(92) + '|')} |".replace("ID|RECEIPT", r"ID\|RECEIPT")


def shapes():
    from muniment.surfaces.cli.shapes import COMMANDS, SHAPES

    lines = [
        "# JSON", "", MADE, "",
        "With `--json` a command prints one object on one line of stdout, an error one object on stderr.",
        "`index --watch` and `bench all` print several, one a line. An object has exactly the fields of its table;",
        "later releases may add some.", "",
        "Types: text, whole (number), number, flag (true or false), any; `x?` may be null; `[x]` is a list, `{x}` an",
        "object of any keys, `(x, y)` a list of that length; a capital names a table below.", "",
        "| command | prints |", "| --- | --- |",
        *(f"| `{name}` | [{shape}](#{shape.lower()}) |" for name, shape in COMMANDS.items()),
        "| any, when it fails | [Error](#error) |", "",
    ]  # fmt: skip
    for shape, fields in SHAPES.items():
        lines += [f"## {shape}", "", "| field | type | |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | `{type_}` | {told} |" for name, type_, told in fields]
        lines += [""]
    return "\n".join(lines).rstrip() + "\n"
