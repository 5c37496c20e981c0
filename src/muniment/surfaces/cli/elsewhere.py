"""Commands about stores elsewhere: `copy` and `server`."""

from __future__ import annotations

import os
from pathlib import Path

from muniment.engine import copying, hosting
from muniment.errors import UsageError
from muniment.surfaces.cli import keeping, output
from muniment.surfaces.cli.invocation import Invocation
from muniment.surfaces.cli.progress import bar


def copy(run: Invocation) -> int:
    """All of this folder's memory to a server, or back; what was broken off goes on."""
    here, there = run.engine_at(""), run.engine_at(run.words.to or run.words.origin)
    source, target = (here, there) if run.words.to else (there, here)
    try:
        copying.demand_source(source)
        with bar(run.config.progress and not run.json) as show:
            report = copying.copy(source, target, run.caller(), show)
    finally:
        here.close()
        there.close()
    told = {"rows": report.rows, "taken_up": report.taken_up, "new": report.new, "digest": report.digest,
            "target_digest": report.target_digest, "is_equal": report.is_equal}  # fmt: skip
    if run.json:
        output.record(told)
    else:
        same = "both hold the same" if report.is_equal else "the target holds more than this"
        output.line(
            f"{report.rows} rows, {report.new} of them new there, {report.taken_up} from an earlier copy; {same}"
        )
    return output.OK


def server(run: Invocation) -> int:
    """Tenants of a server, the SQL of its tables, or keys of the HTTP server."""
    if run.words.what == "key":
        return keeping.keys(run)
    if run.words.what == "schema":
        texts = hosting.statements(run.words.partitions)
        if run.json:
            output.record({"statements": texts, "members": [], "erased": 0})
        else:
            output.line(";\n\n".join(texts) + ";")
        return output.OK
    url = run.words.url or os.environ.get("MUNIMENT_SERVER") or ""
    if not url or not run.words.action or (run.words.action != "list" and not run.words.name):
        hint = "`muniment server tenant add NAME --url postgresql://OWNER@HOST/DATABASE`"
        raise UsageError("server tenant takes an action, a name, and an address", hint=hint)
    return _tenant(run, url)


def _tenant(run: Invocation, url: str) -> int:
    erased = 0
    with hosting.tenants(url) as tenants:
        if run.words.action == "add":
            members = [tenants.add(run.words.name, _password(run.words.password_file), run.words.of)]
        elif run.words.action == "remove":
            erased, members = tenants.remove(run.words.name, erase=run.words.erase), []
        else:
            members = tenants.members()
    if run.json:
        output.record({"statements": [], "members": [m._asdict() for m in members], "erased": erased})
        return output.OK
    for member in members:
        output.line(f"{member.role}\t{member.tenant}\t{member.since}")
    if run.words.action == "remove":
        output.line(f"{run.words.name} is gone, and {erased} rows with it")
    return output.OK


def _password(file: str | None) -> str | None:
    """A password on the command line would be everybody's to read."""
    if file is None:
        return None
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].strip():
        raise UsageError(f"{file} has no password in its first line", about=file)
    return lines[0].strip()
