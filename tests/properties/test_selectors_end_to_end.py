"""Every key of a selector, end to end: the answer is what a plain filter over all facts in Python gives."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from typing import NamedTuple

import pytest
from tests.support import Clock, archive, ran, replied, said, stamp, state, wrote

from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import decide
from muniment.errors import UsageError
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.selector import ASKING, KEYS, SelectorError
from muniment.model.time import from_ms, to_ms
from muniment.model.vocabulary import VOCABULARY

BUDGET = 1_000_000
NOW = "2026-03-05T12:00:00.000Z"
SOURCES = {"told": {"person"}, "observed": {"tool"}, "inferred": {"model", "agent", "repository", "web", "import"}}
WORDS = ("retry", "Zürich", "naïve", "дом", "בית", "キャッシュ", "缓存", "ตลาด", "v2", "don't", "100%")


class Open(NamedTuple):
    """An open fact as the plain filter sees it."""

    id: str
    fields: dict[str, str]
    object: str | None
    paths: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...]
    text: str
    value: str
    since: int


# --- the store ------------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(engine: Engine, clock: Clock) -> Engine:
    """A store with facts of every kind, some of which ended, were taken back, doubted or are over."""
    archive(engine, _transcript())
    clock.set("2026-02-20")
    for n, word in enumerate(WORDS):
        state(
            engine,
            f"the {word} of case {n}",
            "noted",
            tags=["odd.script", f"n{n % 3}"],
            source_url="https://example.org",
        )
        clock.forward(hours=5)
    for n, origin in enumerate((Origin.PERSON, Origin.AGENT, Origin.MODEL, Origin.IMPORT, Origin.TOOL, Origin.WEB)):
        state(engine, f"tool-{n}", "uses", topic="a b" if n % 2 else "", origin=origin, subject=f"project:p{n % 2}")
        state(engine, f"Rule {n}.", "requires", origin=origin, standing="hypothesis" if n == 0 else "confirmed")
        clock.forward(hours=7)
    _decided(engine, clock)
    clock.set(NOW)
    return engine


def _transcript() -> Iterator:
    yield said("root/1", 0, "2026-02-01 09:00", "Where is the retry policy?")
    yield from ran("root/1", 1, "2026-02-02 10:00", "pytest -q tests/a,b.py", "1 passed in 0.1s")
    yield from wrote("root/1", 3, "2026-02-03 10:00", "src/billing/retry.py", sha256="0" * 64)
    yield from wrote("root/2", 0, "2026-02-04 10:00", "src/billing/deep/it is.py")
    yield from wrote("root/2", 2, "2026-02-05 10:00", "README.md")
    yield from ran("root/2", 4, "2026-02-06 10:00", 'git commit -m "a retry, twice"', "[main abc1234] a retry, twice")
    yield replied("root/2", 6, "2026-02-06 11:00", "Done.")
    yield said("root/2", 7, "2026-02-07 11:00", "Who owns src/billing?")


def _decided(engine: Engine, clock: Clock) -> None:
    person = Caller(Origin.PERSON)
    old, new, doubted, back = (state(engine, f"v{n}", "version_of", subject=f"tool:t{n // 2}").ids[0] for n in range(4))
    clock.forward(hours=1)
    state(engine, "v9", "version_of", subject="tool:t0")
    decide(engine, person, Action.SUSPECT, doubted)
    decide(engine, person, Action.RETRACT, back)
    decide(engine, person, Action.CONFIRM, query(engine, "p:touched path:README.md").hits[0].id)
    state(engine, "over by now", "noted", expires_at=stamp("2026-03-01"))
    state(engine, "until later", "noted", valid_until=stamp("2026-04-01"))
    assert old != new


def opened(engine: Engine) -> list[Open]:
    """Every open fact, read off the tables without a selector."""
    store, now = engine.store(), to_ms(NOW)
    found = []
    for fact in store.facts.select("1", (), 10_000):
        row = fact.row
        spans = [(row.observed_at, None, fact.standing, row.observed_at)]
        if row.key is not None:
            spans = [
                (s, e, standing, at) for s, e, n, standing, _, at, _ in store.facts.intervals(row.key) if n == fact.n
            ]
        for start, end, standing, newest in spans:
            ends = [to_ms(t) for t in (end, row.expires_at) if t is not None]
            if standing in ("confirmed", "suspect", "hypothesis") and all(now < e for e in ends):
                found.append(_open(fact, standing, max(to_ms(start), to_ms(newest)), tuple(store.facts.tags(row.id))))
    return found


def _open(fact, standing: str, since: int, tags: tuple[str, ...]) -> Open:
    row = fact.row
    entities = [row.subject, *([row.object] if row.object else [])]
    fields = {
        "s": row.subject.key, "p": row.predicate, "type": VOCABULARY[row.predicate].type, "topic": row.topic,
        "id": show(row.id), "role": row.role, "origin": row.origin, "method": row.method, "standing": standing,
        "session": fact.session,
    }  # fmt: skip
    text = f"{row.subject.key} {row.predicate} {row.topic} {row.value}"
    value = " ".join((row.literal or "").casefold().split()).rstrip(".!")
    paths = tuple(e.key for e in entities if e.kind == "path")
    return Open(
        show(row.id),
        fields,
        row.object.key if row.object else None,
        paths,
        tuple(e.kind for e in entities),
        tags,
        text,
        value,
        since,
    )


# --- the plain filter -----------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A term before it is written: alternatives under a key, perhaps negated."""

    key: str
    values: tuple[str, ...]
    negated: bool = False

    def written(self) -> str:
        head = ("-" if self.negated else "") + ("" if self.key == "text" else f"{self.key}:")
        return head + ",".join(map(_quoted, self.values))

    def holds(self, fact: Open) -> bool:
        return any(_holds(self.key, v, fact) for v in self.values) != self.negated


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if re.search(r'[\s,"]|^-|^$', value) else value


def _holds(key: str, value: str, fact: Open) -> bool:
    rules: dict[str, Callable[[], bool]] = {
        "text": lambda: _says(fact.text, value),
        "o": lambda: _is_object(fact, value),
        "path": lambda: any(_like(p, value, is_path=True) for p in fact.paths),
        "kind": lambda: value in fact.kinds,
        "tag": lambda: any(_like(t, value) for t in fact.tags),
        "source": lambda: fact.fields["origin"] in SOURCES[value],
        "id": lambda: fact.id.startswith(value.upper()),
        "since": lambda: fact.since >= to_ms(value),
        "until": lambda: fact.since <= to_ms(value),  # inclusive, as it is written
        "method": lambda: _like(fact.fields["method"], value) or fact.fields["method"].split("@")[0] == value,
    }
    return rules[key]() if key in rules else _like(fact.fields[key], value)


def _is_object(fact: Open, value: str) -> bool:
    if fact.object is not None:
        return _like(fact.object, value)
    return _like(fact.value, value if _is_glob(value) else " ".join(value.casefold().split()).rstrip(".!"))


def _is_glob(value: str) -> bool:
    return not re.search(r"[\s,]", value) and any(c in value for c in "*?")


def _like(text: str, value: str, *, is_path: bool = False) -> bool:
    if not _is_glob(value):
        return text == value
    if not is_path:
        return re.fullmatch(translate(value.replace("[", "[[]")), text) is not None
    pattern = (
        re.escape(value)
        .replace(r"\*\*/", "(?:.*/)?")
        .replace(r"\*\*", ".*")
        .replace(r"\*", "[^/]*")
        .replace(r"\?", "[^/]")
    )
    return re.fullmatch(pattern, text) is not None


def _says(text: str, word: str) -> bool:
    if re.search("[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff]", word):
        return word in text
    if not any(c.isalnum() for c in word):
        return word in text
    words, sought = ([w for w in re.split(r"[\W_]+", _plain(t)) if w] for t in (text, word))
    return any(words[i : i + len(sought)] == sought for i in range(len(words)))


def _plain(text: str) -> str:
    return text.casefold().replace("ü", "u").replace("ï", "i")


def wanted(facts: list[Open], terms: list[Asked]) -> set[str]:
    """Ids of the facts that hold; without a word about standing, hypotheses only where nothing else does."""
    found = [f for f in facts if all(t.holds(f) for t in terms)]
    if any(t.key == "standing" for t in terms):
        return {f.id for f in found}
    return {f.id for f in found if f.fields["standing"] != "hypothesis"} or {f.id for f in found}


# --- random selectors -----------------------------------------------------------------------------------------------


def _globbed(rng: random.Random, text: str) -> str:
    if not text or re.search(r"[\s,\[]", text):
        return text
    a, b = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    return rng.choice(
        [text[:a] + "*" + text[b:], "*" + text[b:], text[:a] + "*", text[:a] + "?" + text[a + 1 :], "**/" + text[b:]]
    )


def _value(rng: random.Random, key: str, f: Open) -> str:
    plain: dict[str, Callable[[], str]] = {
        "o": lambda: f.object or f.value or "none",
        "path": lambda: f.paths[0] if f.paths else "src/**",
        "kind": lambda: rng.choice(f.kinds),
        "tag": lambda: rng.choice(f.tags) if f.tags else "none",
        "source": lambda: rng.choice(list(SOURCES)),
        "text": lambda: rng.choice(
            [w for w in re.split(r"\s+", f.text) if w and ":" not in w and not _is_glob(w) and "\\" not in w]
        ),
        "method": lambda: f.fields["method"].split("@")[0] if rng.random() < 0.5 else f.fields["method"],
        "since": lambda: from_ms(f.since),
        "until": lambda: from_ms(f.since + rng.choice([0, 1])),
        "id": lambda: f.id.lower()[: rng.choice([4, 8, 26])],
    }
    return plain[key]() if key in plain else f.fields[key]


GLOBBED = ("s", "o", "path", "topic", "tag", "method", "session", "p")
ASKED = (*(k for k in KEYS if k not in ("as-of", "known", "unseen", *ASKING)), "text")


def _term(rng: random.Random, key: str, facts: list[Open]) -> Asked:
    values = [_value(rng, key, rng.choice(facts)) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    if key in GLOBBED and rng.random() < 0.4:
        values = [_globbed(rng, v) for v in values]
    is_time = key in ("since", "until")
    return Asked(key, tuple(values[:1] if is_time else values), not is_time and rng.random() < 0.3)


def _asked(rng: random.Random, facts: list[Open], count: int) -> list[Asked]:
    keys = rng.sample(ASKED, count)
    return [_term(rng, k, facts) for k in keys]


def ids(engine: Engine, text: str) -> list[str]:
    found = query(engine, text, BUDGET)
    assert not found.left_out
    return [hit.id for hit in found]


@pytest.mark.parametrize("key", ASKED)
def test_each_key_alone_selects_what_a_plain_filter_does(filled: Engine, key: str) -> None:
    rng, facts = random.Random(key), opened(filled)
    selected = 0
    for _ in range(60):
        term = _term(rng, key, facts)
        expected = wanted(facts, [term])
        selected += len(expected)
        assert set(ids(filled, term.written())) == expected, term.written()
    assert selected


@pytest.mark.parametrize("part", range(3))
def test_terms_together_select_what_a_plain_filter_does(filled: Engine, part: int) -> None:
    rng, facts = random.Random(part), opened(filled)
    for _ in range(300):
        terms = _asked(rng, facts, rng.choice([2, 2, 3, 4]))
        text = " ".join(t.written() for t in terms)
        found = ids(filled, text)
        assert set(found) == wanted(facts, terms), text
        assert len(found) == len(set(found)), text


def test_the_order_is_the_same_whichever_index_is_walked(filled: Engine) -> None:
    order = ids(filled, "standing:confirmed,suspect,hypothesis")
    rng, facts = random.Random(5), opened(filled)
    for _ in range(200):
        text = " ".join(t.written() for t in _asked(rng, facts, 2)) + " standing:confirmed"
        if text.count("standing:") == 1:
            found = ids(filled, text)
            assert found == [i for i in order if i in set(found)], text


@pytest.mark.parametrize("standing", ["superseded", "retracted", "expired"])
def test_what_is_no_longer_open_is_found_by_its_standing_alone(filled: Engine, standing: str) -> None:
    now = to_ms(NOW)
    for fact in filled.store().facts.select("1", (), 10_000):
        over = fact.row.expires_at is not None and to_ms(fact.row.expires_at) <= now
        is_it = (standing == "expired") if over else fact.standing == standing
        id_ = show(fact.row.id)
        assert (id_ in ids(filled, f"standing:{standing}")) is is_it
        assert (id_ in ids(filled, f"p:{fact.row.predicate} standing:{standing}")) is is_it
        assert id_ in ids(filled, f"id:{id_} standing:any")


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_any_script_finds_its_row(filled: Engine, word: str) -> None:
    rows = query(filled, f'"{word}"', BUDGET).hits
    assert any(word in hit.text for hit in rows)


def test_keys_that_nothing_has_select_nothing_and_what_is_no_selector_is_refused(filled: Engine) -> None:
    for text in ("s:nobody", "path:no/such.py", "session:none", "tag:none", "topic:none", "o:none", "id:7ZZZ", "zzzz"):
        answer = query(filled, text, BUDGET)
        assert (answer.text, answer.hits) == ("", ()), text
        assert answer.reason, text
    for text in ("p:nothing", "id:!", "role:nobody", "since:never", '"open', 'unseen:""'):
        with pytest.raises((SelectorError, UsageError)):
            query(filled, text, BUDGET)


def test_random_text_is_answered_or_refused_as_a_selector_and_never_fails_otherwise(filled: Engine) -> None:
    rng = random.Random(9)
    alphabet = "ab:,*?\"\\- \t\n()^%_'[]{}|&!~#@;ßé日本\u200d\U0001f600\0s p path: since: -"
    for _ in range(2000):
        text = "".join(rng.choices(alphabet, k=rng.randint(1, 14)))
        with contextlib.suppress(UsageError):
            query(filled, text, 2000)
