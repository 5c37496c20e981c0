"""Irregular words and the forms that belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.inflection import _groups, forms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[
            ("go", "went"),
            ("gone", "go"),
            ("went", "goes"),
            ("buy", "bought"),
            ("child", "children"),
            ("person", "people"),
        ],
        *[("mice", "mouse"), ("wrote", "written"), ("index", "indices"), ("index", "indexes"), ("better", "good")],
        *[("analysis", "analyses"), ("criteria", "criterion"), ("undid", "undo"), ("Went", "go"), ("knife", "knives")],
        *[("left", "leave"), ("lost", "lose"), ("taught", "teach"), ("overwritten", "overwrite"), ("ran", "run")],
    ],
)
def test_the_forms_of_a_word_are_found_from_any_of_them(one: str, other: str) -> None:
    assert other in forms(one)
    assert one.lower() in forms(other)


@pytest.mark.parametrize("word", ["walk", "walked", "parser", "", "日本", "getUserName"])
def test_a_regular_word_stands_alone(word: str) -> None:
    assert forms(word) == (word.lower(),)


def test_the_table_is_about_as_large_as_it_promises() -> None:
    groups = _groups()
    assert len(groups) >= 150
    assert all(len(group) >= 2 and len(set(group)) == len(group) for group in groups)


@given(st.text())
def test_any_word_has_itself_first(word: str) -> None:
    found = forms(word)
    assert found[0] == word.lower()
    assert len(found) == len(set(found))
