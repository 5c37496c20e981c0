"""Codex's trust in our hooks: asked of the person, then written by Codex, then read back from it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from muniment.errors import MunimentError
from muniment.harness import installing, trust
from muniment.harness.contract import Harness
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_NAME = "codex"


def trust_needed(hooks: Sequence[trust.Hook]) -> list[trust.Hook]:
    """Hooks of ours that Codex would skip."""
    return [hook for hook in hooks if not hook.is_trusted]


def _settle(run: Invocation, codex: str, folder: str) -> bool:
    """Ask for what is missing, and grant it; was anything granted?"""
    due = trust_needed(trust.listed(codex, folder, os.environ))
    if not due or not _is_wanted(run, due):
        return False
    config = os.path.join(
        os.environ.get("CODEX_HOME") or os.path.expanduser(os.path.join("~", ".codex")), "config.toml"
    )
    with installing.watched(str(run.config.home), config, _NAME) as granted:
        now = trust.grant(codex, folder, os.environ)
        granted += [(hook.key, hook.current) for hook in due]
    left = trust_needed(now)
    for hook in left:
        output.say(f"muniment: Codex still does not trust its hook {hook.event}; trust it in Codex: /hooks")
    return len(left) < len(due)


def trust_in_codex(run: Invocation, chosen: Sequence[Harness]) -> bool:
    """Settle Codex's trust, if Codex is set up and can be asked; was anything written?"""
    import shutil

    codex = shutil.which(_NAME)
    if codex is None or not any(each.name == _NAME for each in chosen):
        return False
    if not run.words.trust_hooks and not _can_ask(run):
        # Only Codex can tell, and to be asked it is started in the person's own folder of settings, which it fills.
        output.say(
            "muniment: Codex runs our hooks only if you trust them: muniment init --trust-hooks, or /hooks in Codex"
        )
        return False
    try:
        return _settle(run, codex, run.engine.workspace.root)
    except MunimentError as problem:
        output.say(f"muniment: Codex's trust in our hooks was not written: {problem.message}; {problem.hint}")
        return False


def _is_wanted(run: Invocation, due: Sequence[trust.Hook]) -> bool:
    if run.words.trust_hooks:
        return True
    output.close()
    output.say(
        f"Codex runs {len(due)} hooks of ours only if you trust them. Write that you do into Codex's settings? [y/N]"
    )
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _can_ask(run: Invocation) -> bool:
    return not (run.words.yes or run.json) and sys.stdin.isatty()
