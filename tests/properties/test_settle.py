"""Settling against an independent oracle: the same intervals, supports and answers on both clocks, for any history."""

from __future__ import annotations

import itertools
import random

import pytest
from tests.properties import settle_oracle as oracle
from tests.properties.settle_oracle import HORIZON, Block, Ruled, Said

from muniment.model.settle import Interval, Ruling, Settled, Statement, as_of, is_retracted, is_suspect, settle

HISTORIES = 20_000
PARTS = 4
MOMENTS = (0, 4, 9, 15, 16, 22, 30, 38, HORIZON)
KNOWN = (3, 11, 17, 24, 30)


def moment(t: int | None) -> str | None:
    return None if t is None else f"{t:04d}"


def whole(text: str | None) -> int | None:
    return None if text is None else int(text)


def statement(s: Said) -> Statement:
    standing = "confirmed" if s.is_firm else "hypothesis"
    name = s.name.encode()
    return Statement(f"{s.at:04d}", name, s.origin, s.value, standing, moment(s.since), moment(s.until), name)


def ruling(r: Ruled) -> Ruling:
    return Ruling(f"{r.at:04d}", r.kind, r.value, r.origin, frozenset(n.encode() for n in r.names))


def settled(said: list[Said], ruled: list[Ruled], known: int | None = None, world: bool = True) -> Settled:
    return settle(map(statement, said), map(ruling, ruled), moment(known), world)


def seen(p: Interval) -> tuple[int | None, int | None, str, tuple[str, ...]]:
    return whole(p.start), whole(p.end), p.value, tuple(sorted(m.tie.decode() for m in p.members))


def histories(part: int, count: int = HISTORIES // PARTS):
    rng = random.Random(part)
    return [(*oracle.history(rng), rng) for _ in range(count)]


def same(intervals: list[Interval], blocks: list[Block]) -> bool:
    return [seen(p) for p in intervals] == [b.seen() for b in blocks] and [p.shown.tie.decode() for p in intervals] == [
        b.shown().name for b in blocks
    ]


@pytest.mark.parametrize("part", range(PARTS))
def test_settling_equals_the_oracle_on_both_clocks(part: int) -> None:
    for said, ruled, rng in histories(part):
        world = rng.random() < 0.5
        for known in (None, rng.choice(KNOWN)):
            found, wanted = settled(said, ruled, known, world).intervals, oracle.settle(said, ruled, known, world)
            assert same(found, wanted), (said, ruled, known, world)
            for t in MOMENTS:
                holding = as_of(found, f"{t:04d}")
                assert (holding.value if holding else None) == oracle.as_of(wanted, t), (said, ruled, known, world, t)


def test_any_order_and_any_repetition_settle_to_the_same() -> None:
    for said, ruled, rng in histories(11, 3000):
        one = settled(said, ruled)
        shuffled = rng.sample(said, len(said))
        assert one == settled(said[::-1], ruled[::-1]) == settled(shuffled, rng.sample(ruled, len(ruled)))
        assert settled(said, ruled + ruled[:1]) == one


def test_intervals_are_in_order_disjoint_and_never_empty() -> None:
    for said, ruled, rng in histories(12, 3000):
        found = settled(said, ruled, world=rng.random() < 0.5).intervals
        assert all(p.end is None or p.start < p.end for p in found), (said, ruled)
        assert all(a.end is not None and a.end <= b.start for a, b in itertools.pairwise(found)), (said, ruled)


def test_what_was_known_is_what_had_been_said_and_decided_by_then() -> None:
    for said, ruled, rng in histories(13, 3000):
        k = rng.choice(KNOWN)
        then = settled([s for s in said if s.at <= k], [r for r in ruled if r.at <= k])
        assert settled(said, ruled, k) == then, (said, ruled, k)


def test_the_last_plain_word_of_a_person_stands_whoever_else_spoke() -> None:
    checked = 0
    for said, _, _ in histories(14, 8000):
        plain = [s for s in said if s.origin == "person" and s.is_firm and s.since is None and s.until is None]
        if not plain:
            continue
        last = max(plain, key=lambda s: (s.at, s.name))
        spoke = [s for s in said if s.origin == "person" and s != last and (s.at, s.name) > (last.at, last.name)]
        planned = [s for s in said if s.since is not None and s.since > last.at]
        if not spoke and not planned:
            holding = as_of(settled(said, [], world=False).intervals, f"{HORIZON:04d}")
            assert holding is not None, said
            assert holding.value == last.value, said
            checked += 1
    assert checked > 200


# --- rulings --------------------------------------------------------------------------------------------------------


def test_a_claim_that_was_taken_back_holds_at_no_moment_and_what_it_had_ended_comes_back() -> None:
    for said, _, rng in histories(15, 3000):
        value = rng.choice("ABC")
        taken = [Ruled(HORIZON, "retract", value)]
        assert settled(said, taken).intervals == settled([s for s in said if s.value != value], []).intervals
        assert settled(said, [*taken, Ruled(HORIZON + 1, "restore", value)]).intervals == settled(said, []).intervals
        assert settled(said, [*taken, Ruled(HORIZON, "restore", value)]) == settled(said, taken), "of two at one time"


def test_a_claim_said_again_after_it_was_taken_back_is_a_new_claim() -> None:
    old, new = Said(1, "a", "person", "A"), Said(9, "b", "person", "A")
    back = [Ruled(5, "retract", "A")]
    assert [seen(p) for p in settled([old, new], back).intervals] == [(9, None, "A", ("b",))]
    assert settled([old], back).intervals == []
    copy = Said(1, "c", "person", "A")
    assert settled([old, copy], back).intervals == [], "an old copy that arrives later does not revive it"


def test_a_ruling_binds_only_what_its_origin_has_authority_over() -> None:
    for origin, by in itertools.product(oracle.CLASS, repeat=2):
        said = [Said(1, "a", origin, "A")]
        has_right = oracle.has_right(by, origin)
        assert (settled(said, [Ruled(5, "retract", "A", by)]).intervals == []) is has_right
        assert is_suspect(statement(said[0]), [ruling(Ruled(5, "suspect", "A", by))]) is has_right
        ended = settled(said, [Ruled(5, "end", "A", by)]).intervals
        assert ([seen(p) for p in ended] == [(1, 5, "A", ("a",))]) is has_right


def test_what_one_ruled_is_undone_only_by_who_may_overrule_it() -> None:
    for first, second in itertools.product(oracle.CLASS, repeat=2):
        said = statement(Said(1, "a", "import", "A"))
        may = oracle.has_right(second, first)
        for kind, undone, is_ruled in (("retract", "restore", is_retracted), ("suspect", "clear", is_suspect)):
            rulings = [ruling(Ruled(5, kind, "A", first)), ruling(Ruled(6, undone, "A", second))]
            assert is_ruled(said, rulings) is not may
            back = [ruling(Ruled(5, undone, "A", first)), ruling(Ruled(6, kind, "A", second))]
            assert is_ruled(said, back) is may


def test_a_suspicion_changes_no_interval() -> None:
    for said, ruled, _ in histories(16, 3000):
        doubts = [r for r in ruled if r.kind in ("suspect", "clear")]
        assert settled(said, ruled) == settled(said, [r for r in ruled if r not in doubts])


def test_an_end_ends_what_was_said_by_then_and_nothing_said_later() -> None:
    for said, _, rng in histories(17, 3000):
        value, at = rng.choice("ABC"), rng.randint(1, 30)
        ended = settled(said, [Ruled(at, "end", value)]).intervals
        for p in ended:
            if p.value == value and (p.end is None or int(p.end) > at):
                assert any(int(m.at) > at for m in p.members), (said, value, at)


def test_a_ruling_on_some_statements_leaves_the_others() -> None:
    said = [Said(1, "a", "person", "A"), Said(2, "b", "tool", "A")]
    narrow = [Ruled(5, "retract", "A", names=frozenset({"a"}))]
    assert [seen(p) for p in settled(said, narrow).intervals] == [(2, None, "A", ("b",))]
