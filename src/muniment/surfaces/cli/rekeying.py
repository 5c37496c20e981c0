"""`rekey`: every store of the home under another key, and what to set so that it is found from now on."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from muniment import config
from muniment.errors import ReadOnlyStoreError, UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def rekey(run: Invocation) -> int:
    """Encrypt anew with what is set now as the old key."""
    from muniment.engine import rekeying

    words, home, caller = run.words, run.config.home, run.caller()
    old = config.key(home, os.environ)
    new, told = _new(run)
    done = rekeying.rekey(home, caller, old, new)
    if words.to_keyring and new is not None:
        config.keep_in_keyring(home, new)
    if run.json:
        output.record(output.plain(done))
    else:
        for name in (*done.stores, *done.known):
            output.line(f"{'encrypted' if done.encrypted else 'plain'}\t{name}")
    output.say(f"muniment: from now on {told}")
    return output.OK


def _new(run: Invocation) -> tuple[str | None, str]:
    """The new key, and what has to be set."""
    words, home = run.words, run.config.home
    if words.to_plain:
        return None, "no key may be set: take [encryption] out of config.toml and MUNIMENT_KEY out of the environment"
    if words.to_file:
        path = Path(os.path.abspath(words.to_file))
        return _of_file(path), f'[encryption] key_file = "{path}" in {home / "config.toml"}, or MUNIMENT_KEY_FILE'
    if words.to_variable:
        name = words.to_variable
        if name not in os.environ:
            raise UsageError(f"there is no variable {name}", hint=f"export {name}=...", about="--to-variable")
        return config.checked_key(os.environ[name], name), f"MUNIMENT_KEY has to hold what {name} holds"
    key = config.next_in_keyring(home) or secrets.token_hex(32)
    config.keep_in_keyring(home, key, is_next=True)  # before the first store has it: it must not be lost on the way
    return key, f"[encryption] keyring = true in {home / 'config.toml'}"


def _of_file(path: Path) -> str:
    if not path.exists():
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                file.write(f"{secrets.token_hex(32)}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ReadOnlyStoreError(f"{path} cannot be made: {error.strerror}", hint="nothing was changed") from error
    return config.key_file(path)
