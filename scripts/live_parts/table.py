"""What a run of `scripts/live.py` showed: a line as it goes, a table at the end, and the page in the documentation."""

HEAD = (
    "harness",
    "version",
    "seen on",
    "marks on the wire",
    "the view",
    "tools",
    "query",
    "assert",
    "own turn",
    "compaction",
)


def line(row):
    """One harness in one line."""
    if "error" in row:
        return f"FAIL  {row['harness']:<13} {row['version']:<10} {row['error']}"
    verdict = "FAIL" if row["missing"] else "ok  "
    missing = f"; missing: {', '.join(row['missing'])}" if row["missing"] else ""
    ended = "" if all(e == "exit 0" for e in row["steps"].values()) else f"; {ends(row)}"
    return f"{verdict}  {row['harness']:<13} {row['version']:<10} {' | '.join(cells(row)[3:])}{missing}{ended}"


def ends(row):
    """Turns that did not end well."""
    return ", ".join(f"{name}: {end}" for name, end in row["steps"].items() if end != "exit 0")


def cells(row):
    """The cells of a harness."""
    if "error" in row:
        return [row["title"], row["version"], row["date"], f"did not run: {row['error'][:80]}", *[""] * 6]
    fact = row["fact"]
    own = "yes" if fact.get("own") and fact.get("said") and fact.get("verified") else "no" if fact else "-"
    return [
        row["title"], row["version"], row["date"], seen({**row["points"], **row["rules"]}), seen(row["wake"]),
        str(len(row["tools"])) if row["tools"] else "deferred" if row["queried"] else "-", told(row["queried"]),
        told(row["asserted"]), own, "yes" if row["compacted"] else "-",
    ]  # fmt: skip


def seen(places):
    """What was seen, with the role in which it stood; what was not, struck out."""
    return ", ".join(f"{n} ({place[2] or 'result'})" if place else f"~~{n}~~" for n, place in places.items()) or "-"


def told(place):
    return "yes" if place else "-"


def markdown(rows):
    """The table."""
    lines = [HEAD, ["---"] * len(HEAD), *[cells(row) for row in rows]]
    return "".join(f"| {' | '.join(str(c).replace('|', '/') for c in cols)} |\n" for cols in lines)


PAGE = """\
# Harnesses, as seen on the wire

<!-- made by scripts/live.py; run `make live`, do not change this page -->

Each row is a run of the real program, installed from its registry and started headless in an empty home with a clean
environment, {walled}, against a model server of our own. What is told here was read from the
requests that the program sent and from the transcript that it left; nothing was asked of a model.

* **marks on the wire**: hooks, plugins and files of rules whose text was found in a request, and in whose role it stood there.
* **the view**: moments at which our own hook (or file) gave the text of `muniment wake`, found in the very first request of
  that turn, or in the first one behind the compaction. *trusted*: in a turn whose command line overrides no trust.
* **tools**: how many of our tools the request offered; *deferred*: the program offers them by a search of its own.
* **query**, **assert**: `memory_query` and `memory_assert` were called and answered.
* **own turn**: the receipt of the asserted fact opens the person's words in the transcript that the program itself wrote.
* **compaction**: a request for a summary was seen.

{sums}

{table}{notes}"""


def sums(rows):
    """How many ran, and how many did all that was to be seen."""
    ran = sum("error" not in row and row["requests"] > 0 for row in rows)
    calls = sum(cells(row)[-4:-1] == ["yes"] * 3 for row in rows)
    given = [row for row in rows if "error" not in row and row["wake"]]
    had = sum(all(row["wake"].values()) for row in given)
    return (
        f"{ran} of {len(rows)} programs ran. {calls} completed a query and an assertion by our tools, whose receipt opens the "
        f"program's own\ntranscript. {len(given)} are given the view at moments of their own; {had} of them had it in the request "
        f"every time."
    )


def page(rows):
    """The page."""
    walled = (
        "behind a wall with loopback only" if all(r["walled"] for r in rows) else "on a machine with its network on"
    )
    notes = "".join(f"* {row['title']}: {row['note']}.\n" for row in rows if row.get("note"))
    return PAGE.format(walled=walled, sums=sums(rows), table=markdown(rows), notes=f"\n{notes}" if notes else "")
