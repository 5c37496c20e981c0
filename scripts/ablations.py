"""What each part of a search brings: the tables of docs/explanation/search.md, measured.

    python scripts/ablations.py FOLDER [--homes FOLDER] [--models minilm wordllama] [--jobs N] [--tables]

FOLDER holds the development data under the names below; none of it comes with the program. Every row is one or more runs of
`muniment bench recall`, whose objects are kept in the folder of the homes: a run that stands there is not made again (remove
the folder after a change of the program). `--tables` writes the tables from what is there. The models are extras that
have to be installed; what they make is written into the homes last, and taken out again.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import setup

SETS = {
    "LoCoMo": ("locomo_dev.json",),
    "BEAM": ("beam_100k.json.gz",),
    "MADial en": ("madial_en_memory.jsonl",),
    "MADial zh": ("madial_zh_memory.jsonl",),
}
PAGE = setup.ROOT / "docs" / "explanation" / "search.md"
PARTS = {
    "said": "the said lane", "time": "the time lane", "facts": "the facts lane", "entity": "the entity lane",
    "work": "the work lane", "prior": "the prior lane", "parts": "decomposition", "order": "what holds now first",
    "context": "neighbouring turns", "speaker": "whose turn it is", "asks": "questions count less",
    "wishes": "standing wishes", "adjacent": "words side by side", "session": "the session's lift",
    "length": "saturation by length", "light": "light words", "characters": "single characters",
    "many": "questions for several things",
}  # fmt: skip
PLAIN, RRF = "all parts", "fused by rank (rrf)"
DECIDING = ("said", "time", "entity")
"""Parts whose lack can change whether anything is shown; the others change the order alone."""
VARIANTS = {
    PLAIN: ("--budgets", "--baselines"),
    **{
        f"without {told}": ("--without", name, *(() if name in DECIDING else ("--order-only",)))
        for name, told in PARTS.items()
    },
    RRF: ("--fusion", "rrf", "--order-only"),
}
COLUMNS = (
    ("LoCoMo", "recall_at_10"), ("LoCoMo", "hit_at_10"), ("LoCoMo", "mrr"), ("LoCoMo", "multi_hop_all_at_10"),
    ("BEAM", "recall_at_10"), ("BEAM", "mrr"), ("BEAM", "current_before_stale"), ("BEAM", "both_sides_at_10"),
    ("MADial en", "recall_at_10"), ("MADial zh", "recall_at_10"),
)  # fmt: skip
FLOOR = (
    ("LoCoMo", "abstain_auc"), ("LoCoMo", "lost_at_floor"), ("LoCoMo", "refused_foreign_at_floor"),
    ("BEAM", "abstain_auc"), ("BEAM", "lost_at_floor"), ("BEAM", "refused_foreign_at_floor"),
)  # fmt: skip
SHORT = {
    "recall_at_10": "recall@10", "hit_at_10": "hit@10", "all_at_10": "all@10", "mrr": "MRR", "recall_at_50": "recall@50",
    "multi_hop_all_at_10": "multi-hop all@10", "abstain_auc": "AUC", "lost_at_floor": "lost",
    "refused_foreign_at_floor": "refused", "current_before_stale": "current first", "both_sides_at_10": "both sides",
}  # fmt: skip
BUDGETS = (1024, 2048, 4096, 8192, 16384)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--homes", type=Path, default=setup.ROOT / ".ablations")
    parser.add_argument("--models", nargs="*", default=["minilm", "wordllama"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", action="store_true")
    given = parser.parse_args()
    given.homes, given.folder = given.homes.resolve(), given.folder.resolve()
    if not given.tables:
        measure(given)
    write(given.homes)


# --- runs ------------------------------------------------------------


def measure(given):
    """Everything that is not there yet; the first run of each set takes its chats in."""
    (given.homes / "runs").mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(lambda name: run(given, name, PLAIN, VARIANTS[PLAIN]), SETS))
        todo = [(name, title) for title in VARIANTS if title != PLAIN for name in SETS]
        list(pool.map(lambda each: run(given, *each, VARIANTS[each[1]]), todo))
    for model in given.models:
        for name in SETS:
            with_model(given, name, model)


def with_model(given, name, model):
    titles = {f"with {model}": ("--order-only",)}
    if model == given.models[0]:
        titles[f"with {model}, by rank"] = ("--fusion", "rrf", "--order-only")
    if all(kept(given.homes, name, title).exists() for title in titles):
        return
    dense(given, name, "on", model)
    for title, words in titles.items():
        run(given, name, title, words)
    dense(given, name, "off")


def run(given, name, title, words):
    path = kept(given.homes, name, title)
    if path.exists():
        return
    command = [
        "bench",
        "recall",
        "--data",
        str(given.folder / SETS[name][0]),
        "--homes",
        str(homes(given, name)),
        "--json",
    ]
    done = muniment(*command, *words)
    path.write_text(done, encoding="utf-8")
    print(name, title, json.loads(done)["metrics"]["recall_at_10"], flush=True)


def dense(given, name, *words):
    """The dense lane of every chat of a set, by the command that anybody would use."""
    for room in sorted(homes(given, name).iterdir()):
        muniment("--home", str(room / "home"), "dense", *words, cwd=room / "project")


def muniment(*words, cwd=setup.ROOT):
    done = subprocess.run(
        [sys.executable, "-m", "muniment", *words], check=False, capture_output=True, text=True, cwd=cwd
    )
    if done.returncode:
        sys.exit(f"muniment {' '.join(words)}: {done.stderr}")
    return done.stdout


def homes(given, name):
    return given.homes / name.replace(" ", "-")


def kept(place, name, title):
    return place / "runs" / f"{name} {title}.json".replace(" ", "-")


# --- tables ------------------------------------------------------------


def write(place):
    """Every table of the page whose runs are there, between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    for mark, table in (
        ("ranking", ablation(place, COLUMNS, [title for title in VARIANTS if title not in (PLAIN, RRF)])),
        ("deciding", ablation(place, FLOOR, [f"without {PARTS[name]}" for name in DECIDING])), ("meaning", models(place)),
        ("categories", categories(place)), ("tokens", tokens(place)), ("baselines", baselines(place)),
    ):  # fmt: skip
        begin, end = f"<!-- {mark}: made by scripts/ablations.py -->\n", f"<!-- /{mark} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = before + begin + "\n".join(table) + "\n" + end + after
    PAGE.write_text(text, encoding="utf-8")


def figures(place, name, title):
    path = kept(place, name, title)
    return json.loads(path.read_text(encoding="utf-8"))["metrics"] if path.exists() else {}


def row(place, title, columns, like=None):
    """The figures of a variant; with `like`, what they are more or less than another's."""
    cells = []
    for name, metric in columns:
        value, other = (figures(place, name, each).get(metric) for each in (title, like or title))
        cells.append("" if value is None or other is None else shown(metric, value, other if like else None))
    return f"| {title} | {' | '.join(cells)} |"


def shown(metric, value, other):
    scale, digits = (1, 3) if "auc" in metric else (100, 1)
    if other is None:
        return f"{scale * value:.{digits}f}"
    change = f"{scale * (value - other):+.{digits}f}"
    return "0" if not change.strip("+-0.") else change


def head(first, names):
    return [f"| {first} | {' | '.join(names)} |", f"| --- |{' ---: |' * len(names)}"]


def named(columns):
    return [f"{name} {SHORT[metric]}" for name, metric in columns]


def ablation(place, columns, titles):
    """The figures of the whole, and how each part less changes them."""
    rows = (row(place, title, columns, PLAIN) for title in titles)
    return [*head("", named(columns)), row(place, PLAIN, columns), *rows]


def models(place):
    titles = (PLAIN, RRF, "with minilm", "with minilm, by rank", "with wordllama")
    return [*head("", named(COLUMNS)), *(row(place, title, COLUMNS) for title in titles)]


def categories(place):
    """By category, for the default and with the model."""
    wanted = ("recall_at_10", "hit_at_10", "all_at_10", "mrr", "recall_at_50")
    lines = head("", ["questions", *(SHORT[metric] for metric in wanted), "recall@10 with minilm"])
    for name in ("LoCoMo", "BEAM"):
        ours, dense_ = (figures(place, name, title) for title in (PLAIN, "with minilm"))
        for key in ours:
            category = key.removesuffix("_n")
            if key != category and f"{category}_mrr" in ours and not category.startswith(("bm25", "grep")):
                cells = [f"{100 * ours[f'{category}_{metric}']:.1f}" for metric in wanted]
                more = dense_.get(f"{category}_recall_at_10")
                cells.append("" if more is None else f"{100 * more:.1f}")
                lines.append(f"| {name}, {category.replace('_', ' ')} | {ours[key]:.0f} | {' | '.join(cells)} |")
    return lines


def tokens(place):
    lines = head("", [f"{n // 1024} KB" for n in BUDGETS] + ["default answer"])
    for name in SETS:
        found = figures(place, name, PLAIN)
        for kind, told in (("budget", "previews"), ("whole", "whole turns")):
            cells = [spent(found, f"{kind}_{n}") for n in BUDGETS]
            last = f"{found['tokens_mean']:.0f} (95 %: {found['tokens_p95']:.0f})" if found and kind == "budget" else ""
            lines.append(f"| {name}, {told} | {' | '.join(cells)} | {last} |")
    return lines


def spent(found, key):
    """Recall, and what it cost."""
    return f"{100 * found[f'{key}_recall']:.1f} ({found[f'{key}_tokens']:.0f})" if f"{key}_recall" in found else ""


def baselines(place):
    wanted = ("recall_at_1", "recall_at_5", "recall_at_10", "recall_at_50", "hit_at_10", "mrr", "ndcg_at_10")
    lines = head("", [metric.replace("_at_", "@").replace("mrr", "MRR").replace("ndcg", "nDCG") for metric in wanted])
    for name in SETS:
        found = figures(place, name, PLAIN)
        for prefix, told in (("", "muniment"), ("bm25_", "BM25 (SQLite, Porter)"), ("grep_", "grep")):
            known = [found.get(prefix + metric) for metric in wanted]
            cells = ["" if each is None else f"{100 * each:.1f}" for each in known]
            if found and not prefix:
                cells[2] += f" ({100 * found['recall_at_10_low']:.1f} to {100 * found['recall_at_10_high']:.1f})"
            lines.append(f"| {name}, {told} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    setup.enter()
    main()
