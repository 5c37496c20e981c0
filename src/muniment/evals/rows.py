"""`bench rows`: what a row costs beside the sentence it replaces, and how much of a session 4 KB of rows carry.

Two open questions of the design, answered on the bundled real samples or on the transcripts in `data`. The *sentence*
says in plain English what the row says, once with its proof (receipt, id, time to the second) and once without; the
*report* is thirty lines of such sentences, which is what agents write into a memory file when asked for a summary. The
*turns* are the verbatim events behind the same facts.
"""

from __future__ import annotations

import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.evals.report import report

BUDGET = 4096
REPORT_LINES = 30
_VERBS = {
    "ran": "ran the command `{o}`",
    "read": "read the file {o}",
    "touched": "changed the file {o}",
    "predicted_write": "was about to write the file {o}",
    "asked": "asked: {o}",
    "passed": "ran the tests, with the result {o}",
    "committed": "made the commit {o}",
    "moved_by": "was moved to {o}",
    "sent": "sent the message: {o}",
    "claimed": "took on the task: {o}",
}


def run(size: int = 0, data: Path | None = None, seed: int = 0) -> dict[str, Any]:
    """Index the samples (or `data`) in a temporary home and compare. `size` and `seed` have no meaning here."""
    del size, seed
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "project").mkdir()
        source = data or _samples(root)
        with Memory.open(root / "project", root / "home") as memory:
            memory.index([source], adopt=True)
            return report(
                "rows", {"data": "samples" if data is None else data.name, "budget": BUDGET}, _compare(memory)
            )


def _samples(root: Path) -> Path:
    with as_file(files("muniment") / "samples") as folder:
        return Path(shutil.copytree(folder, root / "samples"))


def _compare(memory: Memory) -> dict[str, float]:
    hits = memory.query("", 50_000_000).hits
    rows = [_size(h.row) + 1 for h in hits]
    proven = [_size(_sentence(h, proof=True)) + 1 for h in hits]
    plain = [_size(_sentence(h, proof=False)) + 1 for h in hits]
    turns = [_turn_size(memory, h.id) for h in hits]
    fitted = memory.query("", BUDGET)
    lines = proven[:REPORT_LINES]
    return {
        "facts": float(len(hits)),
        "row_bytes_mean": _mean(rows),
        "sentence_with_proof_bytes_mean": _mean(proven),
        "sentence_without_proof_bytes_mean": _mean(plain),
        "turn_bytes_mean": _mean(turns),
        "row_to_sentence_with_proof": sum(rows) / sum(proven),
        "row_to_sentence_without_proof": sum(rows) / sum(plain),
        "row_to_turn": sum(rows) / max(1, sum(turns)),
        "facts_in_4096_bytes_of_rows": float(len(fitted)),
        "facts_in_30_report_lines": float(len(lines)),
        "bytes_of_30_report_lines": float(sum(lines)),
        "facts_in_4096_bytes_of_report": float(_fitting(proven, BUDGET)),
    }


def _sentence(hit: Any, *, proof: bool) -> str:
    verb, subject, value, *_ = hit.row.split("\t")
    at = hit.row.split("\t")[6]
    name, _, topic = verb.partition(".")
    said = _VERBS.get(name, f"{name} {topic} {{o}}").format(o=value)
    who = "The person" if hit.role == "user" else f"The agent in session {subject}" if proof else "The agent"
    end = f", as {hit.receipt} shows (fact {hit.id})." if proof else "."
    marks = f" ({', '.join(hit.marks)})" if hit.marks else ""
    return f"On {at[:10]} at {at[11:19]} UTC {who} {said}{marks}{end}"


def _turn_size(memory: Memory, id_: str) -> int:
    record = memory.read(id_, 1)
    return next((_size(t.text) for t in record.turns if t.is_subject), 0)


def _fitting(sizes: list[int], budget: int) -> int:
    count = 0
    for size in sizes:
        budget -= size
        if budget < 0:
            break
        count += 1
    return count


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _mean(values: list[int]) -> float:
    return sum(values) / max(1, len(values))
