"""Rules out of instruction files: bullets and directing sentences, each with its line; nothing of code, tables, comments."""

from __future__ import annotations

import pytest

from muniment.capture.extract.rules import LONGEST, rules

FILE = """---
title: not this
---
# Project

The service talks to three queues. Always use the client in `lib/queue.py`.
What about retries? Never retry a payment.

## Style

- Use tabs,
  never spaces
* [x] Name tests as sentences
1. Run `make check` before a commit
- [the guide](docs/guide.md)
- @docs/more.md
- ok

| column | another |
| --- | --- |
| must not | be read |

```sh
- always fenced
```

<!-- - never commented
- nor this -->
<!-- muniment:begin -->
- ours, always
<!-- muniment:end -->
- Keep functions short
- Use tabs, never spaces
"""


def test_each_rule_is_told_once_with_its_line_and_its_heading():
    assert [(r.line, r.text, r.heading) for r in rules(FILE)] == [
        (6, "Always use the client in `lib/queue.py`.", "Project"),
        (7, "Never retry a payment.", "Project"),
        (11, "Use tabs, never spaces", "Style"),
        (13, "Name tests as sentences", "Style"),
        (14, "Run `make check` before a commit", "Style"),
        (32, "Keep functions short", "Style"),
    ]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a heading", "```\n- open fence", "<!-- open", "---\nno: end", "-", "- "]
)
def test_what_holds_no_rule_gives_none(text):
    assert rules(text) == []


def test_a_long_rule_is_cut():
    (rule,) = rules("- always " + "word " * 500)
    assert len(rule.text) == LONGEST
