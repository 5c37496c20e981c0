"""The routes, one table: method, path, the verb of `Memory` that answers, and where each of its arguments stands.

The document, the application and the client are all read off this table and the signatures of `Memory`, so that none of the
three can say something that the others do not do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, signature

PREFIX = "/v1"


@dataclass(frozen=True)
class Route:
    """One route. Arguments that the path names stand there; the others in the query of a GET, else in the JSON body."""

    method: str
    path: str
    verb: str
    summary: str
    needs: str = "read"
    """What a key must be allowed: read, write, or own (what reads or writes files of the server's machine)."""
    without: frozenset[str] = frozenset({"progress"})
    """Arguments of the verb that do not travel."""
    then: str = ""
    """The method of what the verb gives back that is called with the rest of the arguments."""
    files: str = ""
    """`down`: the answer is a file that the verb writes; `up`: the body is a file that the verb reads."""

    @property
    def is_revision(self) -> bool:
        """Does it change one fact that the caller may have read before?"""
        return self.method in ("PATCH", "POST") and "{id}" in self.path and self.needs == "write"


ROUTES: tuple[Route, ...] = (
    Route("GET", "/facts", "query", "The facts that are still true and match a selector, best first."),
    Route("GET", "/search", "search", "What was said and what is known that answers a question in words."),
    Route("GET", "/types/{type}", "list", "Everything of one type."),
    Route("GET", "/statements", "get", "Statements that a few words lead to; what is returned is noted as used."),
    Route("GET", "/records/{id}", "read", "The exact words behind an id or a receipt, with what stood around them."),
    Route("GET", "/facts/{id}/history", "history", "All that was said under the fact's key, and what became of it."),
    Route("GET", "/facts/{id}/why", "why", "Where a fact comes from, what it met, and the numbers of its rank."),
    Route("GET", "/blast", "blast", "How far a fact reached, or all that came from a session, a source or an origin."),
    Route("GET", "/diff", "diff", "What changed in what we believe between two moments."),
    Route("GET", "/views/{name}", "view", "A view as text: wake, handoff, timeline, ..."),
    Route("GET", "/review", "review", "What waits for a person, the most pressing first."),
    Route("POST", "/conflicts", "conflicts", "What holds against a text."),
    Route("POST", "/similar", "similar", "What shares words with a text."),
    Route("POST", "/extract", "extract", "What would be drawn from a person's turn; nothing is kept."),
    Route("POST", "/sql", "scoped", "One SELECT over what a profile grants.", then="sql"),
    Route("GET", "/drifts", "drifts", "What is in doubt because of its evidence, what changed there, and who did it."),
    Route("GET", "/health", "healthy", "Four lights, when memory last worked, and what waits."),
    Route("POST", "/pages", "pages", "Take in the pages of a folder of the server's machine.", "own"),
    Route("POST", "/verify", "verify", "Every hash and the store's shape, checked."),
    Route("POST", "/facts", "add", "State one fact.", "write"),
    Route("POST", "/facts/{id}/revisions", "revise", "confirm, correct, supersede, retract, ...", "write"),
    Route("PATCH", "/facts/{id}", "update", "Other tags, topic, context, expiry or confidence.", "write"),
    Route("POST", "/retractions", "retract_source", "Retract all that came from a session, a URL or an origin.", "write"),
    Route("POST", "/suspicions", "suspect_source", "Mark all that came from a source as doubtful.", "write"),
    Route("POST", "/restorations", "restore_source", "Take back what was decided about all of a source.", "write"),
    Route("POST", "/forgettings", "forget", "Hide what is meant, or with `erase` remove it for good.", "write"),
    Route("POST", "/review/{proposal}", "decide", "Accept, decline or undo a proposal.", "write"),
    Route("POST", "/turns", "ingest", "Take in a conversation.", "write"),
    Route("POST", "/check", "check", "Look at the evidence of all facts: files, git, databases.", "own"),
    Route("POST", "/suggestions", "suggest", "Let the configured model point at statements; each waits for review.", "own"),
    Route("POST", "/index", "index", "Read transcripts on the server's machine.", "own"),
    Route("GET", "/export/{format}", "export", "The memory as a file.", "own", files="down"),
    Route("POST", "/load/{format}", "load", "Take in a file.", "own", files="up"),
)  # fmt: skip


@cache
def parameters(route: Route) -> Mapping[str, Parameter]:
    """The arguments of the route's verb that travel, by name, with evaluated annotations left as text."""
    from muniment.surfaces.http.wire import called

    given = {name: each for verb in called(route.verb, route.then) for name, each in signature(verb).parameters.items()}
    left = {"self", *route.without, *(("path",) if route.files else ())}
    return {name: each for name, each in given.items() if name not in left}


def in_path(route: Route) -> tuple[str, ...]:
    """The names in braces."""
    return tuple(part[1:-1] for part in route.path.split("/") if part.startswith("{"))


@cache
def by_verb() -> Mapping[str, Route]:
    """The routes by the verb that answers."""
    return {route.verb: route for route in ROUTES}
