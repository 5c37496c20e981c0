"""`sql`: one SELECT over what a profile grants, as rows under a line of names."""

from __future__ import annotations

from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def sql(run: Invocation) -> int:
    """Print the rows, tab separated with control characters written out; what was cut is said on stderr."""
    from muniment.engine import scoped
    from muniment.views import table

    words = run.words
    with scoped.scoped(run.engine, words.profile) as view:
        found = view.sql(words.query)
    if run.json:
        rows = [[table.plain(value) for value in row] for row in found.rows]
        output.record(
            {"profile": words.profile, "columns": list(found.columns), "rows": rows, "partial": found.is_partial}
        )
    else:
        output.data(table.text(found.columns, found.rows))
    if found.is_partial:
        output.say(f"muniment: cut at the limits of profile {words.profile}; there is more")
    return output.OK
