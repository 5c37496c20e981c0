"""What `--json` prints of forgetting, of pages and of rules files; a part of the table in `shapes`."""

from __future__ import annotations

Fields = tuple[tuple[str, str, str], ...]

SHAPES: dict[str, Fields] = {
    "Held": (
        ("store", "text", "a store of the home that holds the same, as a path in it"),
        ("events", "whole", ""),
        ("erased", "flag", "there too, by now"),
    ),
    "Outlook": (
        ("outcome", "text", "would erase"),
        ("events", "[text]", "receipts of what would go"),
        ("facts", "[text]", "ids"),
        ("verdicts", "whole", ""),
        ("proposals", "whole", ""),
        ("sessions", "[text]", "that would go whole"),
        ("others", "[Held]", ""),
    ),
    "Certificate": (
        ("at", "text", "when"),
        ("workspace", "text", "the id"),
        ("events", "[(text, text)]", "receipt and keyed hash of each sighting"),
        ("facts", "[text]", "ids"),
        ("verdicts", "whole", ""),
        ("sessions", "whole", "that went whole"),
        ("proposals", "whole", ""),
        ("files", "[text]", "beside the store, that changed or went"),
        ("others", "[Held]", ""),
        ("left", "[text]", "where the words still stand"),
        ("bytes_before", "whole", "of the store"),
        ("bytes_after", "whole", ""),
        ("done", "flag", ""),
    ),
    "Page": (
        ("uuid", "text", ""),
        ("name", "text", "the path in the folder, without .md"),
        ("title", "text", ""),
        ("standing", "text", ""),
        ("by", "text", "the uuid of the page that supersedes it"),
        ("evidence", "whole", "addresses that it gives"),
        ("receipt", "text", "opens all of it"),
        ("problem", "text", "why its fields could not be read"),
    ),
    "Pages": (
        ("folder", "text", ""),
        ("read", "whole", "pages"),
        ("known", "whole", "that were as they are"),
        ("new", "whole", ""),
        ("changed", "whole", ""),
        ("gone", "whole", "whose file is there no more"),
        ("ids", "[text]", "of the facts"),
        ("notes", "[text]", ""),
        ("pages", "[Page]", ""),
    ),
    "Bundled": (
        ("format", "text", ""),
        ("path", "text", ""),
        ("pages", "whole", "files"),
        ("bytes", "whole", ""),
        ("notes", "[text]", ""),
    ),
    "Unpacked": (
        ("format", "text", ""),
        ("folder", "text", ""),
        ("written", "[text]", "files"),
        ("known", "whole", "that were there"),
        ("notes", "[text]", ""),
        ("ids", "[text]", "of the facts"),
    ),
    "RulesFile": (
        ("path", "text", ""),
        ("ids", "[text]", "of the facts whose lines it has"),
        ("proposals", "[text]", "that lines written by hand became"),
    ),
    "RulesOffer": (
        ("path", "text", ""),
        ("difference", "text", "a unified diff"),
        ("waiting", "whole", "rules for which there is no room"),
    ),
}

COMMANDS: dict[str, str] = {
    "forget": "Admission",
    "forget --erase": "Certificate",
    "forget --dry-run": "Outlook",
    "pages": "Pages",
    "export okf": "Bundled",
    "export memoryfield": "Bundled",
    "load okf": "Unpacked",
    "load memoryfield": "Unpacked",
    "rules": "RulesFile",
    "rules --dry-run": "RulesOffer",
}
