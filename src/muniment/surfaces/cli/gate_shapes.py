"""The shapes of what `mask` and `doctor --quality` print."""

from __future__ import annotations

SHAPES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Masked": (
        ("applied", "flag", "false: it was only looked at"),
        ("events", "[text]", "receipts of events of which something is covered"),
        ("verdicts", "[text]", "ids, in hexadecimal"),
        ("sessions", "[text]", "whose name, folder or file is covered"),
        (
            "facts",
            "[(text, text)]",
            "whose words are covered: the id that was, the id that is (empty before it is done)",
        ),
        ("files", "[text]", "beside the store, below the home"),
        ("left", "[text]", "what was not touched, and why"),
    ),
    "Quality": (
        ("without_evidence", "Sort", "open states that rest on words alone"),
        ("hypotheses", "Sort", "the oldest first"),
        ("hypotheses_by_age", "{whole}", ""),
        ("contested", "[(text, text)]", "ids: what a person said, what was observed"),
        ("never_confirmed", "Sort", "open states older than 180 days, said once"),
        ("alike", "[NearPair]", "open statements with at least 80 % of their words in common; nothing merges them"),
        ("alike_by_share", "{whole}", "pairs from 50 % on, by tenths"),
        ("origins", "{number}", "shares of the open facts"),
        ("outside", "number", "the share of web, repository, other agents and imports nobody vouches for"),
        ("methods", "[Yield]", "the extractors"),
        ("proposed", "{whole}", "open proposals by reason"),
        ("turns", "whole", "of a person"),
        ("writes_per_100_turns", "number", "states drawn from them"),
        ("masks", "{whole}", "events by kind of rule: shape, named, number, private, url, own, record"),
        ("unknown", "{whole}", "records by type that no adapter knows"),
    ),
    "Sort": (("count", "whole", ""), ("ids", "[text]", "of the first 20")),
    "NearPair": (("first", "text", "id"), ("second", "text", "id"), ("share", "number", "of the words of both")),
    "Yield": (
        ("name", "text", ""),
        ("version", "whole", ""),
        ("precision", "number", "as measured"),
        ("interval", "(number, number)", "95 %"),
        ("sample", "whole", "how many were judged"),
        ("may_write", "flag", "else it only proposes"),
        ("facts", "whole", "of it in this store"),
    ),
}

COMMANDS: dict[str, str] = {"mask": "Masked", "doctor --quality": "Quality"}
