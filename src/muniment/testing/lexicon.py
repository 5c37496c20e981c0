"""Seeded dice and the words that generated transcripts are made of.

Nothing here depends on hash order, on the clock or on library functions whose algorithm may change between Python
releases: every draw goes through `Random.random`, `Random.getrandbits` and `Random.choices`.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import TypeVar

T = TypeVar("T")

NOUNS = (
    "test file value function request cache token worker session user path error type config change branch module record index table "
    "field query response key server client store handler parser event message line list schema migration test-case fixture build "
    "commit version timeout retry queue batch stream buffer cursor page row column lock thread process job task hook plugin "
    "adapter driver route endpoint header body payload cookie secret permission role policy rule scope tenant account invoice "
    "order customer payment refund ledger balance price discount cart product catalogue report export import upload download "
    "attachment image thumbnail template view form button modal layout theme style component state reducer selector action "
    "effect callback promise future channel socket packet frame codec encoder decoder compressor hash digest signature "
    "certificate proxy gateway balancer replica shard partition snapshot backup restore journal log metric trace span alert "
    "dashboard threshold window interval schedule calendar timezone locale currency unit converter validator sanitiser "
    "formatter linter compiler linker package dependency lockfile registry image-tag container volume network cluster node "
    "pod namespace manifest pipeline stage artefact release changelog docstring comment example tutorial reference guide "
    "benchmark profile allocation heap stack leak race deadlock invariant assertion exception traceback warning deprecation "
    "flag option argument default environment variable directory symlink archive checksum prefix suffix pattern glob regex "
    "tokenizer embedding vector model prompt answer summary note decision question owner reviewer deadline ticket milestone"
).split()
VERBS = (
    "use add fix read write return check load save run call handle parse update remove keep move rename split merge sort filter "
    "group count fetch send store cache retry skip validate normalise encode decode open close flush commit revert rebase "
    "build compile deploy publish install configure enable disable start stop restart resume cancel schedule queue lock "
    "release acquire allocate free copy clone compare match replace insert append prepend truncate rotate compress expand "
    "render format print log trace measure profile benchmark mock stub patch wrap extend inline extract refactor document "
    "review test assert expect raise catch ignore propagate resolve reject await poll subscribe emit dispatch route map "
    "reduce fold join collect scan walk visit index search rank score hash sign verify encrypt redact mask import export"
).split()
ADJECTIVES = (
    "new old same other first last empty full stale fresh missing duplicate invalid valid wrong correct slow fast small large "
    "long short local remote public private internal external optional required default custom shared nested flat "
    "recursive lazy eager async synchronous atomic idempotent deterministic flaky broken failing passing pending partial "
    "complete incremental concurrent sequential sorted unique shallow deep strict loose legacy deprecated experimental "
    "stable unstable safe unsafe mutable immutable cached raw parsed quoted escaped signed hashed compressed truncated "
    "relative absolute upstream downstream primary secondary temporary persistent orphaned dangling unused hidden"
).split()
ADVERBS = (
    "still now only already never always twice again first later silently explicitly usually sometimes correctly cleanly "
    "lazily eagerly in-place up-front concurrently"
).split()
CLAUSES = (
    "the {n} {v}s the {a} {n}", "we {v} the {n} before the {n}", "{n} and {n} share a {a} {n}", "the {a} {n} is {d} {a}",
    "it should {v} the {n} when the {n} is {a}", "I will {v} the {n} in `{i}`", "`{i}` {v}s a {a} {n}",
    "the {n} in {p} does not {v} the {n}", "a {a} {n} can {v} the {n} {d}", "every {n} has its own {n}",
    "the {n} must not {v} the {a} {n}", "`{i}` and `{i}` {v} the same {n}", "there is a {a} {n} in the {n} {n}",
    "you can {v} the {n} with `{i}`", "the {n} fails with a {a} {n}", "no {n} is {a} after the {n}",
    "this {v}s {x} {n}s instead of {x}", "the {n} took {x} ms", "let me {v} the {n} {d}", "{p} {d} {v}s the {n}",
    "the {a} {n} comes from the {n}", "that {n} is {a} on purpose", "the {n} of the {n} is {a}", "{x} {n}s are {a}",
)  # fmt: skip
JOINTS = (
    ", so ", ", because ", " and ", ", but ", " when ", ", which means ", " unless ", "; ", ". Then ", ". Also, ",
    " - ", ", since ", " until ", ". ", ". ", ". ",
)  # fmt: skip
EXTENSIONS = ("py", "ts", "go", "rs", "c", "md", "toml", "yaml", "json", "sql")
PLACES = (
    "src",
    "lib",
    "core",
    "api",
    "tests",
    "internal",
    "cmd",
    "app",
    "web",
    "scripts",
    "docs",
    "db",
    "jobs",
    "auth",
)
CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PAIRS = tuple(a + b for a in CHARACTERS for b in CHARACTERS)


def zipf(words: Sequence[str], shift: float = 2.7) -> list[float]:
    """Cumulative Zipf-Mandelbrot weights for words in order of rank."""
    return list(accumulate(1 / (rank + shift) for rank in range(len(words))))


def derive(*parts: object) -> int:
    """A seed from parts, the same on every machine and under every hash seed."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


class Dice:
    """A seeded source of everything random in a story."""

    __slots__ = ("random", "bits", "choices", "gauss")

    def __init__(self, seed: int) -> None:
        source = Random(seed)
        self.random = source.random
        self.bits = source.getrandbits
        self.choices = source.choices
        self.gauss = source.gauss

    def below(self, bound: int) -> int:
        """A whole number from 0 to below the bound."""
        return int(self.random() * bound)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both possible."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[int(self.random() * len(items))]

    def chance(self, share: float) -> bool:
        """True for this share of the draws."""
        return self.random() < share

    def lognormal(self, median: float, p95: float, cap: int) -> int:
        """A size with this median and 95th percentile, never above the cap."""
        sigma = math.log(p95 / median) / 1.645
        return min(cap, int(median * math.exp(sigma * self.gauss(0.0, 1.0))))

    def hex(self, digits: int) -> str:
        """So many random hexadecimal digits."""
        return f"{self.bits(digits * 4):0{digits}x}"

    def blob(self, size: int) -> str:
        """Base64 text of `size` random bytes, as in signatures and ciphertext."""
        return base64.b64encode(self.bits(size * 8).to_bytes(size, "big")).decode()

    def name(self, pairs: int) -> str:
        """Base-62 characters, two for each pair, as in ids of API answers."""
        return "".join(self.choices(PAIRS, k=pairs))

    def uuid4(self) -> str:
        """A random UUID."""
        h = f"{self.bits(128):032x}"
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-{'89ab'[int(h[16], 16) & 3]}{h[17:20]}-{h[20:]}"

    def uuid7(self, ms: int) -> str:
        """A UUID that begins with the time in milliseconds."""
        h = f"{self.bits(76):019x}"
        return f"{ms >> 16:08x}-{ms & 0xFFFF:04x}-7{h[:3]}-{'89ab'[int(h[3], 16) & 3]}{h[4:7]}-{h[7:]}"


class Lexicon:
    """Pools of clauses, identifiers and lines; two dialects share words but hardly a sentence."""

    def __init__(self, dialect: int) -> None:
        self.dice = dice = Dice(derive("lexicon", dialect))
        self.nouns = [noun.replace("-", "_") for noun in NOUNS]
        self.identifiers = self._identifiers(dice)
        self.paths = tuple(
            f"{place}/{noun}{'' if dice.chance(0.6) else '_' + dice.pick(self.nouns)}.{dice.pick(EXTENSIONS)}"
            for place in PLACES for noun in dice.choices(self.nouns, k=40)
        )  # fmt: skip
        self.clauses = self._clauses(dice, 12_000)
        self.openings = tuple(
            clause if "/" in clause.split(" ", 1)[0] else clause[:1].upper() + clause[1:]
            for clause in self._clauses(dice, 8_000)
        )
        self.lines = tuple(self._log_line(dice) for _ in range(4_000))

    def _identifiers(self, dice: Dice) -> tuple[str, ...]:
        verbs, nouns = dice.choices(VERBS, cum_weights=zipf(VERBS), k=2_000), dice.choices(self.nouns, k=2_000)
        more = dice.choices(["", "", *(f"_{noun}" for noun in self.nouns)], k=2_000)
        return tuple(f"{verb}_{noun}{rest}" for verb, noun, rest in zip(verbs, nouns, more, strict=True))

    def _clauses(self, dice: Dice, count: int) -> tuple[str, ...]:
        def draw(words: Sequence[str], times: int) -> list[str]:
            return dice.choices(words, cum_weights=zipf(words), k=count * times)

        nouns, verbs, adjectives = draw(NOUNS, 3), draw(VERBS, 1), draw(ADJECTIVES, 2)
        adverbs, names = draw(ADVERBS, 1), dice.choices(self.identifiers, k=2 * count)
        made = []
        for n, pattern in enumerate(dice.choices(CLAUSES, k=count)):
            text = pattern
            for slot, pool, stride in (
                ("{n}", nouns, 3),
                ("{a}", adjectives, 2),
                ("{v}", verbs, 1),
                ("{d}", adverbs, 1),
                ("{i}", names, 2),
            ):
                for k in range(stride):
                    text = text.replace(slot, pool[n * stride + k], 1)
            text = text.replace("{x}", str(int(10 ** (dice.random() * 4))), 1).replace("{x}", str(dice.below(100)))
            text = re.sub(r"(sh|ch|x|s)s\b", r"\1es", re.sub(r"(?<=[^aeiou])ys\b", "ies", text))
            made.append(text.replace("{p}", dice.pick(self.paths)))
        return tuple(made)

    def _log_line(self, dice: Dice) -> str:
        level = dice.pick(("INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"))
        hour, minute, second, ms = dice.below(24), dice.below(60), dice.below(60), dice.below(1000)
        stamp = (
            f"2026-{dice.between(1, 12):02d}-{dice.between(1, 28):02d}T{hour:02d}:{minute:02d}:{second:02d}.{ms:03d}Z"
        )
        name = f"{dice.pick(PLACES)}.{dice.pick(self.nouns)}"
        tail = dice.pick(
            ("id={h}", "request_id={h} duration_ms={x}", "status={s} bytes={x}", "attempt={s}", "user={x} path={p}")
        )
        tail = (
            tail.replace("{h}", dice.hex(16))
            .replace("{x}", str(dice.below(90_000)))
            .replace("{p}", dice.pick(self.paths))
        )
        return f"{stamp} {level:5} [{name}] {dice.pick(self.clauses)} {tail.replace('{s}', str(dice.between(1, 504)))}"

    def prose(self, dice: Dice, size: int, width: int = 5) -> str:
        """About `size` bytes of English in paragraphs of about `width` sentences; never above it."""
        count = size // 90 + 2
        left, right = dice.choices(self.openings, k=count), dice.choices(self.clauses, k=count)
        joints = dice.choices(JOINTS, k=count)
        sentences = [f"{a}{joint}{b}." for a, joint, b in zip(left, joints, right, strict=True)]
        paragraphs = (" ".join(sentences[n : n + width]) for n in range(0, count, width))
        return cut("\n\n".join(paragraphs), size)

    def bullets(self, dice: Dice, size: int) -> str:
        """A Markdown list of about `size` bytes."""
        count = size // 60 + 1
        pairs = zip(dice.choices(self.identifiers, k=count), dice.choices(self.clauses, k=count), strict=True)
        return cut("\n".join(f"- `{name}`: {clause}" for name, clause in pairs), size)


def cut(text: str, size: int) -> str:
    """The text up to a word boundary within `size` bytes (the pools are ASCII)."""
    if len(text) <= size:
        return text
    return text[: max(text.rfind(" ", 0, size), 1)].rstrip()


@lru_cache(maxsize=32)
def lexicon(dialect: int) -> Lexicon:
    """The pools of one dialect, built once a process (about a fifth of a second)."""
    return Lexicon(dialect)
