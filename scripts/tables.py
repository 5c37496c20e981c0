"""The reference pages that come out of the program's own tables: errors, vocabulary, methods, harnesses, tools."""

import inspect
import json
import re
import sys
from importlib.resources import files
from pathlib import Path

ERRORS = """\
# Errors

{made}

Every error has a stable `code`, a sentence (`message`), what to do about it (`hint`) and what it is `about`: an id, a
path, a place in a selector. The command line prints sentence and hint to stderr and ends with the exit code. With
`--json` stderr has one object, [Error](json.md#error). In Python they are exceptions from `muniment.errors`, all of
them kinds of `MunimentError`. Programs may match on codes; sentences may change.

| code | exit | class | when |
| --- | --- | --- | --- |
{rows}

A class that is indented is a kind of the one above it. Nothing is turned into an empty result: an answer without rows
gives its reason and is no error, and a command that would have changed nothing is one (`nothing_changed`).

After `busy`, `read_only` and `disk_full` nothing of the call was written, and the same call may be tried again. A
damaged, newer or odd store was left as it was; see [check a store](../how-to/check-a-store.md).
"""

VOCABULARY = """\
# Vocabulary

{made}

The predicates, version {version}. The list is closed: an unknown predicate is refused by name. Some are not drawn from
transcripts yet and are only stated (`add`); [methods](methods.md) lists what is drawn.

- An **occurrence** happened once. It never settles against another; only a verdict changes its standing.
- A **state** holds over an interval. *One*: one value for each subject and topic at a time, so that a new one
  supersedes the old. *One per topic*: the same where a topic is given; without a topic, many. *Many*: values do not
  compete.
- **By** says whose turns or calls it may be drawn from; what comes from elsewhere is refused.
- **World** marks what a tool can observe: there a tool's observation ends a person's older statement, and the pair is
  shown as `contested` until a person decides. See [authority](../explanation/authority.md).

| predicate | type | kind | values | by | world | about | means |
| --- | --- | --- | --- | --- | --- | --- | --- |
{rows}

`add TYPE` takes {usual}
unless `--predicate` says otherwise.

{opposite} of one topic exclude each other for the same value: the later ends the earlier.
"""

METHODS = """\
# Methods

{made}

Who draws facts, and how often it is right. A method is an extractor with its version; its precision was measured on a
labelled sample and is frozen with the version. One below {least:.2f} may only propose. `muniment why ID` shows the
method of a fact.

| method | precision | 95 % interval | sample | of it real | recall | may write |
| --- | --- | --- | --- | --- | --- | --- |
{rows}

*Sample* counts what the method drew. The *real* part comes from transcripts that harnesses wrote, the rest from
scripted ones with hard cases, which say little about how often such cases occur. Where the real part is small, the
figure speaks mostly of the scripted one. How the labels were made, and how to measure again:
[benchmarks/extract](../../benchmarks/extract/README.md);
of the methods `told.*`, which read what people tell in their turns: [benchmarks/told](../../benchmarks/told/RULES.md);
of `said.*`, which read promises and answers: [benchmarks/talk](../../benchmarks/talk/README.md). `said.asserted` is measured
and never runs.

What is stated to the program (`add`, `correct`) has the method `own.state`, what an agent asserts by tool `own.assert`. Both are
taken as given, so there is nothing to measure; an assertion is a hypothesis all the same.
"""


HARNESSES = """\
# Harnesses

{made}

What is read, where it is looked for, and what was seen in it, in the words of the adapters. *Checked* names the versions
(or the layout, where files tell no version) whose files were read when the adapter was last checked, on Linux; places on
macOS and Windows are as documented by their makers. `PROJECT` is the current folder, `EDITOR` each editor of the VS Code
family: {editors}. A type of record that nobody knows is kept raw and counted: `muniment doctor` reports it.

{sections}
"""


TOOLS = """\
# Tools

{made}

What an agent is offered by `muniment mcp`, always in this order. How to set it up:
[connect an agent](../how-to/connect-an-agent.md).

Every answer is one text: a line that frames what follows as quoted records, rows or records, and one line `Next:` with a call that
can be made as it stands. It has at most `budget` bytes of UTF-8 ({usual:,} unless said otherwise, {most:,} at most), and never one
more. Rows are those of [`query`](rows.md) and [`search`](../how-to/search.md); selectors are [here](selectors.md). No row is sent a
second time as structured content. With a budget of 0 there is no text, and `structuredContent` holds the cursor alone.

A call that goes wrong gives a result marked as an error: a line with the [code](errors.md) and what is wrong, and a line `Do:`.

Tools and instructions together cost an agent about {tokens:,} tokens in every request (an estimate; the limit is {limit:,}).
`muniment doctor` prints the number.

## When to ask

The server sends this with its first answer:

> {instructions}

{sections}

## Resources

For clients that show resources; each is reachable by a tool as well.

| uri | |
| --- | --- |
| `memory://wake` | what a new session should know |
| `memory://fact/ID` | a fact with the words that it rests on |
| `memory://receipt/SESSION:SEQ` | the exact words at a receipt |
"""


def errors(made):
    """Every error by its code, with those that are a kind of another below it."""
    from muniment.errors import MunimentError

    return ERRORS.format(made=made, rows="\n".join(tree(MunimentError, 0)))


def tree(error, depth):
    told = "any error" if depth == 0 else (inspect.getdoc(error) or "").splitlines()[0]
    yield f"| `{error.code}` | {error.exit_code} | {'&nbsp;&nbsp;' * depth}`{error.__name__}` | {told} |"
    for kind in error.__subclasses__():
        if kind.__module__ == "muniment.errors":
            yield from tree(kind, depth + 1)


def vocabulary(made):
    """Every predicate, with what it does."""
    from muniment.model import vocabulary as words

    return VOCABULARY.format(
        made=made,
        version=words.VERSION,
        rows="\n".join(predicate(verb) for verb in words.VOCABULARY.values()),
        usual=", ".join(f"`{verb}` for `{type_}`" for type_, verb in words.DEFAULT_PREDICATE.items()),
        opposite=" and ".join(f"`{verb}`" for verb in words.OPPOSITE),
    )


def predicate(verb):
    kind = "state" if verb.state else "occurrence"
    values = ("one" if verb.single else "one per topic" if verb.topic_single else "many") if verb.state else ""
    about = f"{', '.join(verb.subjects)} → {verb.object_kind or 'text'}"
    world = "yes" if verb.world else ""
    return f"| `{verb.name}` | {verb.type} | {kind} | {values} | {verb.by} | {world} | {about} | {verb.means} |"


def methods(made):
    """Every extractor, with what was measured of it."""
    from muniment.gate.admission import LEAST_PRECISION

    folder = files("muniment.capture.extract")
    places = (folder.joinpath("methods.json"), folder.joinpath("said.json"), folder.joinpath("told", "methods.json"))
    rows = "\n".join(method(name, row) for p in places for name, row in json.loads(p.read_text("utf-8")).items())
    return METHODS.format(made=made, least=LEAST_PRECISION, rows=rows)


def method(name, row):
    between = f"{row['interval_low']:.3f} to {row['interval_high']:.3f}"
    write = "yes" if row["may_write"] else "no, proposes"
    counts = f"{row['sample']} | {row['real']['n']}"
    recall = f"{row['recall']:.3f}" if "recall" in row else "by category"
    return f"| `{name}` | {row['precision']:.3f} | {between} | {counts} | {recall} | {write} |"


PLATFORMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}


def harnesses(made):
    """Every module of adapters, with what it says of its harnesses and where it looks for them."""
    from muniment.capture.transcripts.adapters import adapters
    from muniment.capture.transcripts.editors import CODE

    modules = {}
    for adapter in sorted(adapters(), key=lambda a: a.name):
        modules.setdefault(type(adapter).__module__, []).append(adapter)
    return HARNESSES.format(
        made=made, editors=", ".join(CODE), sections="\n\n".join(map(harness, modules, modules.values()))
    )


def harness(module, adapters):
    rows = [f"## {', '.join(a.name for a in adapters)}", "", inspect.getdoc(sys.modules[module]).strip(), ""]
    rows += ["| harness | checked | system | places |", "| --- | --- | --- | --- |"]
    for adapter in adapters:
        found = {name: places(adapter, key) for key, name in PLATFORMS.items()}
        for shown in dict.fromkeys(found.values()):
            systems = ", ".join(name for name, there in found.items() if there == shown)
            rows.append(f"| {adapter.name} | {', '.join(adapter.checked)} | {systems} | {shown} |")
    return "\n".join(rows)


def places(adapter, platform):
    home, project = Path("/~"), Path("/PROJECT")
    found = [p.as_posix() for p in adapter.places(home, {"PWD": str(project)}, platform)]
    inner = [folded(place) for place in found if place.startswith(("/~", "/PROJECT"))]
    return ", ".join(f"`{place.removeprefix('/')}`" for place in dict.fromkeys(inner)) or "none"


def folded(place):
    """A place of an extension, for all editors at once."""
    place = re.sub(r"/\.[a-z-]+-server(?:-insiders)?/data/User/", "/.EDITOR-server/data/User/", place)
    return re.sub(r"/(?!data/)[^/]+/User/(?=globalStorage/[^/]+/tasks)", "/EDITOR/User/", place)


HOOKS = """{made}

# Hooks

`muniment-hook HARNESS [EVENT]` reads one event from stdin and answers on stdout. The exit code is 0 whatever happens;
the answer is one whole object (or text) in the harness's own form, at most {most:,} characters, or nothing; after
{deadline} seconds it ends without one. It opens no network connection, loads no model, writes to no store and never
opens the transcript. [How to register it](../how-to/give-it-to-agents-by-hooks.md).

## Moments

The view of `muniment wake` is given at *start*, *resume* and *compact*, once each: a second hook of the same moment
and session within {window} seconds is silent, so that two files may register it. Where a start is not sure to arrive,
a session that was given nothing yet is given it at its first *prompt*. Where a compaction is announced and nothing
follows it, the next *prompt* is given the view. At all other moments the hook leaves a record and says nothing.

**Grounds**: *wire*, the text was seen in the request that the harness sent to its model; *fires*, the hook ran and
what it said was dropped; *read*, from the harness's documents.

{table}

Harnesses with plugins instead of hooks (`opencode`, `kilo`, `pi`, `openclaw`) have the moment itself as the event's
name.

## What an event may hold

| what | names, the first that is there counts |
| --- | --- |
{fields}

What is not there is done without. A folder that does not exist is not believed: the hook's own folder counts.

## What hooks leave

Under the home folder; each file is replaced whole, so that whoever reads it sees the old one or the new one.

| file | holds |
| --- | --- |
| `spool/sessions/<harness>-<pid>.json` | the session that a running harness has: `v`, `harness`, `session`, `transcript`, `cwd`, `pid`, `started`, `at`. `pid` is the hook's nearest ancestor that is no shell, `started` when that process began, as the system counts it. Removed when the session ends |
| `spool/queue/<workspace>/*.json` | a session with something new, for the next `muniment index` |
| `spool/missed/<workspace>/*.json` | a moment at which the view could not be given, and why; `muniment index` tells it once |
| `spool/claims/*` | which moments are taken, and which sessions were given the view; kept for a minute, and for thirty days |
| `journal/<workspace>.jsonl` | every text that was given: `session`, `at`, `surface` (`hook`), `moment`, `agent_role`, `fact_ids`, `bytes`, `harness`. It is written before the text is given; what cannot be recorded is not given |

## Whose words they are

What a hook gave comes back in the harness's transcript. It stands in the frame `<muniment ...>`, and in whatever form
the harness keeps it is read as the harness's, never as anybody's words: no fact gains a source from it.
"""  # noqa: E501 - rows of a table


def hooks(made):
    """Every event of every harness as the hook takes it."""
    from muniment.engine import hot
    from muniment.surfaces.hook import answering, table

    rows = ["| harness | grounds | gives at | events |", "| --- | --- | --- | --- |"]
    for name, row in table.HARNESSES.items():
        rows.append(f"| {name} | {row['grounds']} | {given_at(row)} | {events(row['events'])} |")
    fields = [f"| {name} | {', '.join(f'`{n}`' for n in names)} |" for name, names in table.FIELDS.items()]
    return HOOKS.format(
        made=made, table="\n".join(rows), fields="\n".join(fields), most=answering.MOST_CHARACTERS,
        deadline=answering.DEADLINE_S, window=hot.WINDOW_S,
    )  # fmt: skip


def given_at(row):
    moments = [*row["gives"], *(["the first prompt"] if row.get("first") else [])]
    moments += ["the prompt after a compaction"] if row.get("again") else []
    return ", ".join(moments) or "never"


def events(names):
    """The events by moment; those of plugins have its name."""
    if all(event == moment for event, moment in names.items()):
        return "the moments by their own names"
    by = {}
    for event, moment in names.items():
        told = "start, resume or compact, by its source" if isinstance(moment, dict) else moment
        by.setdefault(told, []).append(f"`{event}`")
    return "; ".join(f"{', '.join(found)}: {moment}" for moment, found in by.items())


SQL_TOOL = """It is listed only where the server was started with a profile that grants it, and then alone unless the profile says
`beside`: [ask with SQL](../how-to/ask-with-sql.md)."""


def tools(made):
    """Every tool with its arguments, as agents are told of them."""
    from muniment.views import tools as told

    return TOOLS.format(
        made=made, usual=told.DEFAULT_BUDGET, most=told.MOST_BUDGET, tokens=told.tokens(), limit=told.MOST_TOKENS,
        instructions=told.INSTRUCTIONS.replace("\n", "\n> "),
        sections="\n\n".join([*map(tool, told.TOOLS), tool(told.SQL), SQL_TOOL]),
    )  # fmt: skip


def tool(each):
    lines = [f"## {each.name}", "", each.description, "", "| argument | type | |", "| --- | --- | --- |"]
    for name, schema in each.arguments.items():
        required = "required" if name in each.required else ""
        usual = f"usually {json.dumps(schema['default'])}" if "default" in schema else ""
        limits = f"{schema['minimum']:,} to {schema['maximum']:,}" if "minimum" in schema else ""
        listed = "one of: " + ", ".join(f"`{v}`" for v in schema["enum"]) if "enum" in schema else ""
        about = "; ".join(filter(None, (required, schema.get("description", ""), limits, usual, listed)))
        lines.append(f"| `{name}` | {schema['type']} | {about} |")
    kind = "Reads; writes nothing." if each.reads else "Writes, and destroys nothing."
    return "\n".join([*lines, "", kind + (" Asked twice, it does what it does once." if each.idempotent else "")])
