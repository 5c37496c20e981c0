"""Front matter is read as YAML reads it, but for scalars, which stay the text that was written."""

from __future__ import annotations

import contextlib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from muniment.capture.documents.front_matter import Malformed, read

PLAIN = st.text("abcXYZ 019_./", min_size=1, max_size=12).map(str.strip).filter(lambda t: t and t not in ("null", "~"))
ODD = st.text(max_size=12).filter(lambda t: t.isprintable())
KEYS = st.text("abcdefgh_", min_size=1, max_size=8)
VALUES = st.recursive(
    PLAIN | ODD,
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3),
    max_leaves=8,
)


def matter(text: str):
    return read(f"---\n{text}---\nbody\n").fields


def _on_one_line(value) -> str:
    text = yaml.dump(value, default_flow_style=True, allow_unicode=True, width=10_000)
    return text.removesuffix("...\n").strip()


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), st.booleans())
def test_what_a_yaml_library_writes_is_read_as_it_was_meant(fields, is_flow):
    text = yaml.dump(fields, allow_unicode=True, default_flow_style=is_flow, width=10_000, sort_keys=False)
    if is_flow:
        text = "".join(f"{key}: {_on_one_line(value)}\n" for key, value in fields.items())
    assert matter(text) == fields


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_and_never_breaks(text):
    with contextlib.suppress(Malformed):
        read(f"---\n{text}\n---\nbody")


def test_scalars_stay_the_words_that_were_written():
    found = matter("a: yes\nb: 2026-03-01\nc: 1.10\nd: null\ne: 'it''s'  # said\nf: \"tab\\tbed\"\ng: a#b # c\n")
    assert found == {"a": "yes", "b": "2026-03-01", "c": "1.10", "d": "", "e": "it's", "f": "tab\tbed", "g": "a#b"}


def test_long_texts_lists_of_mappings_and_lists_at_the_margin_are_read():
    text = "s: |\n  one\n\n  two\nf: >\n  a\n  b\nl:\n- x\n- k: 1\n  m: [p, {q: r}]\n-\n  - deep\nend: z\n"
    assert matter(text) == {
        "s": "one\n\ntwo", "f": "a b", "l": ["x", {"k": "1", "m": ["p", {"q": "r"}]}, ["deep"]], "end": "z",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["a: &b c\n", "a: !t c\n", "a\n", "a: 1\na: 2\n", "a: [b\n", "a: 'b\n", "- a\n", "a: 1\n   b: 2\n"]
)
def test_what_is_beyond_it_is_refused_with_its_line(text):
    with pytest.raises(Malformed, match="line"):
        matter(text)


def test_a_text_without_front_matter_has_a_body_alone():
    assert read("# Title\n").fields == {}
    assert read("---\nnever closed\n").body == 0
