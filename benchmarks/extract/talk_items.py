"""Labelled items of talk: prompts, messages, plans. Written by hand; no tool is needed."""

from __future__ import annotations

from fixture import Item

ME, SELF = ("person", "me"), ("session", "")

PROMPTS = (
    ("one-line", "Fix the flaky login test", "Fix the flaky login test"),
    ("question", "  Why does `make check` fail on CI?\n", "Why does `make check` fail on CI?"),
    ("two-paragraphs", "Add a cache.\n\nKeep it small, please.", "Add a cache."),
    ("lines", "Rename the module\nand its tests\n\nThen commit.", "Rename the module\nand its tests"),
    ("quote-first", "> ship it today\n> said the mail\n\nIs that realistic?", "Is that realistic?"),
    ("fence-first", "```\nTypeError: x\n```\nWhat does this mean?", "What does this mean?"),
    (
        "tag-first",
        "<system-reminder>\nbe brief\n\nreally\n</system-reminder>\n\nGo on with step 2",
        "Go on with step 2",
    ),
    ("then-quote", "Please answer this mail:\n> when is it ready?", "Please answer this mail:"),
    ("then-fence", "Explain:\n```py\nx = 1\n```", "Explain:"),
    ("chinese", "请把登录测试修好\n\n谢谢", "请把登录测试修好"),
    ("emoji", "🚀 deploy to staging", "🚀 deploy to staging"),
    ("less-than", "<3 this, but make it faster", "<3 this, but make it faster"),
    ("open-tag", "<div> is not closed in index.html, fix it", "<div> is not closed in index.html, fix it"),
    ("long", "word " * 150, ("word " * 100).rstrip()),
    ("long-no-space", "x" * 600, "x" * 500),
    ("windows", "First line\r\n\r\nSecond paragraph", "First line"),
    ("thanks", "thanks, looks good", "thanks, looks good"),
    ("yes", "yes", "yes"),
    ("path", "@src/app.py add a main()", "@src/app.py add a main()"),
    ("list", "1. read the issue\n2. fix it", "1. read the issue\n2. fix it"),
)

NOT_ASKED = (
    ("quote-only", "> you said it works\n> on my machine"),
    ("fence-only", "```\n12 passed in 0.3s\n```"),
    ("blank", " \n\t\n"),
    ("empty", ""),
    ("tags-only", "<command-output>\ngit commit\n\n[main abc1234] x\n</command-output>\n"),
)

TASKS = (
    "Search the repository for uses of the old API and list them.",
    "Review the diff.\n\nLook for races.",
    "Run the tests " + "again " * 120,
)


def make():
    """All items of talk."""
    return [*prompts(), *refusals(), *messages(), *plans()]


def prompts():
    """Prompts of a person and of an agent."""
    for name, text, first in PROMPTS:
        item = Item(f"prompt-{name}")
        yield item.expect(item.event("user", "person", "prompt", text), "asked", first, None, ME)
    for number, (name, text, first) in enumerate(PROMPTS[:6]):
        item = Item(f"prompt-agent-{name}")
        origin = ("agent", "import")[number % 2]
        yield item.expect(item.event("user", origin, "prompt", text), "asked", first, None, SELF)


def refusals():
    """Prompts with no words of their own, and words that are nobody's prompt."""
    for name, text in NOT_ASKED:
        item = Item(f"no-prompt-{name}")
        item.event("user", "person", "prompt", text)
        yield item
    others = (
        ("injected", "user", "person", "prompt", ["injected"]),
        ("harness-role", "harness", "harness", "prompt", []),
        ("harness-origin", "user", "harness", "prompt", []),
        ("reply", "assistant", "model", "reply", []),
        ("command", "user", "person", "command", []),
        ("summary", "user", "harness", "summary", []),
    )
    for name, role, origin, kind, flags in others:
        item = Item(f"no-prompt-{name}")
        item.event(role, origin, kind, "Fix the test. Remember that we use MySQL.", flags=flags)
        yield item


def messages():
    """Tasks for sub-agents and messages, answered, unanswered and failed."""
    for number in range(27):
        action, text = ("delegate", "message")[number % 2], f"{number}: {TASKS[number % 3]}"
        item = Item(f"send-{number:02}", joined=number % 4 == 0)
        call = item.call(action, {"to": ("explorer", "code reviewer", "agent-7")[number % 3], "prompt": text})
        if number % 3:
            item.result("done", ok=True)
        to = ("explorer", "code_reviewer", "agent-7")[number % 3]
        item.expect(call, "sent", text[:500], context=f"to:{to}")
        yield item
    for name, ok, flags in (("failed", False, []), ("injected", None, ["injected"])):
        item = Item(f"no-send-{name}")
        item.call("delegate", {"to": "explorer", "prompt": "look around"}, flags=flags)
        item.result("no such agent", ok=ok)
        yield item
    empty = Item("no-send-empty")
    empty.call("message", {"to": "explorer", "prompt": " "})
    yield empty


def plans():
    """Plans with and without an item taken up."""
    for number in range(26):
        item = Item(f"plan-{number:02}", joined=number % 2 == 0)
        active = f"Write tests for part {number}"
        call = item.call("plan", {"active": active, "todos": f"[x] read\n[ ] {active}"})
        item.result("Todos updated", ok=True)
        yield item.expect(call, "claimed", active)
    idle = Item("no-plan-idle")
    idle.call("plan", {"todos": "[x] read\n[ ] write"})
    idle.result("Todos updated", ok=True)
    yield idle
