from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.capture.extract import shell


def words(command: str) -> list[list[str]]:
    return [[word.value for word in segment.words] for segment in shell.segments(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("a b && c | d; e", [["a", "b"], ["c"], ["d"], ["e"]]),
        ("a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]),
        ("a > out 2>&1 < in b", [["a", "b"]]),
        ("a &> out & b", [["a"], ["b"]]),
        ("a <<EOF | b\nx && y\nEOF\nc", [["a"], ["b"], ["c"]]),
        ("a <<-'E'\n\tx'\n\tE\nc", [["a"], ["c"]]),
        ("a <<< word b", [["a", "b"]]),
        ("a # b && c\nd", [["a"], ["d"]]),
        ("a#b", [["a#b"]]),
        ("a \\\n  b", [["a", "b"]]),
        ('a "$(b "c)" \')\')" d', [["a", "$(b \"c)\" ')')", "d"]]),
        ("a `b c` d", [["a", "`b c`", "d"]]),
        ("bash -lc 'a && b' ; c", [["a"], ["b"], ["c"]]),
        ("bash script.sh -c x", [["bash", "script.sh", "-c", "x"]]),
        ("(a; b) && c", [["a"], ["b"], ["c"]]),
        ("a; b 'open", [["a"]]),
        ("", []),
        (" \n;", []),
    ],
)
def test_a_command_line_falls_into_its_commands(command, expected) -> None:
    assert words(command) == expected


def test_a_new_line_after_an_operator_changes_nothing() -> None:
    assert [(s.before, s.after) for s in shell.segments("a &&\n b\nc")] == [("", "&&"), ("&&", ";"), (";", "")]


def test_words_know_where_they_stand_and_what_the_shell_would_change() -> None:
    text = "a 'b c' d\\ e $f *.g \"h$i\" dir'/x'"
    (segment,) = shell.segments(text)
    assert [(w.span and text[w.span.start : w.span.end], w.fixed) for w in segment.words] == [
        ("a", True),
        ("b c", True),
        (None, True),
        ("$f", False),
        ("*.g", False),
        ("h$i", False),
        (None, True),
    ]


def test_spans_inside_a_script_are_those_of_the_whole_line() -> None:
    text = "cd x && bash -c 'mv a b'"
    last = shell.segments(text, base=0)[-1].words[-1]
    assert last.span is not None
    assert text[last.span.start : last.span.end] == "b"


@given(
    st.lists(
        st.text(st.characters(codec="ascii", exclude_characters="\n\r\x0b\x0c\x00"), min_size=1), min_size=1, max_size=5
    )
)
def test_quoted_words_come_back_as_shlex_reads_them(values) -> None:
    line = shlex.join(["prog", *values])
    assert words(line) == [shlex.split(line)]


@given(st.text(max_size=300))
def test_any_text_is_a_legal_command_line(text) -> None:
    for segment in shell.segments(text):
        for word in segment.words:
            assert word.span is None or text[word.span.start : word.span.end] == word.value


@pytest.mark.parametrize("piece", ["$(", '"$(', "'", '"', "`", "<<a ", "\\", "((", "a'b", "$(cat <<E\n", "&&\n"])
def test_long_nonsense_is_read_in_good_time(piece) -> None:
    shell.segments(piece * 20_000)
