"""Counts as text."""

from muniment.views.histogram import lines


def test_a_rule_stands_where_the_floor_cuts() -> None:
    told = list(lines({-2.0: 1, -1.5: 40, 0.0: 20}, 0.25, -1.38, "the floor"))
    assert told[0] == "   -2.00       1  #"
    assert told[2] == "   -1.38          -- the floor"
    assert told[3] == "   -1.50      40  " + "#" * 40
    assert told[-1] == "    0.00      20  " + "#" * 20


def test_many_steps_are_put_together_and_none_is_lost() -> None:
    told = list(lines({float(n): 1 for n in range(-64, 64)}, 0.25, 100.0, "the floor"))
    assert len(told) <= 33
    assert told[-1].endswith("-- the floor")
    assert sum(int(line.split()[1]) for line in told[:-1]) == 128
    assert list(lines({}, 0.25, 0.0, "x")) == []
