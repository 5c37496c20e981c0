"""Selectors: every term as written, every error at its place, and no other exception for any string."""

from __future__ import annotations

import random
import string
import time
from datetime import UTC, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import UsageError
from muniment.model.selector import (
    CLOSED,
    KEYS,
    TIME_KEYS,
    Selector,
    SelectorError,
    Term,
    Value,
    glob_prefix,
    glob_to_regex,
    parse,
    times,
)

NOW = "2026-06-17T10:30:00.000Z"  # a Wednesday


def _short(selector: Selector) -> list[str]:
    """Terms as `position:-key=value|value`, globs in angle brackets."""
    return [
        f"{term.position}:{'-' * term.negated}{term.key}="
        + "|".join(f"<{value.text}>" if value.is_glob else value.text for value in term.values)
        for term in selector.terms
    ]


# --- grammar -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        (" \t\n\u00a0\u3000", []),
        ("p:decided since:7d path:src/billing/**", ["0:p=decided", "10:since=7d", "19:path=<src/billing/**>"]),
        ("p:decided,rejected", ["0:p=decided|rejected"]),
        ("-role:assistant port", ["0:-role=assistant", "16:text=port"]),
        ('topic:"code exports"', ["0:topic=code exports"]),
        (r'o:"a \"b\" \\ c\d",e', ['0:o=a "b" \\ c\\d|e']),
        ('o:"a,b","c*"', ["0:o=a,b|c*"]),
        ('topic:""', ["0:topic="]),
        ("o:-x,--y", ["0:o=-x|--y"]),
        ("o:a:b:c", ["0:o=a:b:c"]),
        ("since:2026-03-05T14:00:00+02:00", ["0:since=2026-03-05T14:00:00+02:00"]),
        ("path:?.py tag:code.*", ["0:path=<?.py>", "10:tag=<code.*>"]),
        ('o:a"b"', ['0:o=a"b"']),
        # text
        ("staging port", ["0:text=staging", "8:text=port"]),
        ('"staging port"', ["0:text=staging port"]),
        ('-"staging port" -x', ["0:-text=staging port", "16:-text=x"]),
        ("a,b", ["0:text=a|b"]),
        ('"a b","c d",e', ["0:text=a b|c d|e"]),
        ("well, yes", ["0:text=well,", "6:text=yes"]),
        ("a,,b ,", ["0:text=a,,b", "5:text=,"]),
        ("why? dep* wh?t*", ["0:text=why?", "5:text=<dep*>", "10:text=<wh?t*>"]),
        ("- -- --flag -> a-b", ["0:text=-", "2:text=--", "5:text=--flag", "12:-text=>", "15:text=a-b"]),
        (
            "AND OR NOT NEAR ( ^ *",
            [*("0:text=AND", "4:text=OR", "7:text=NOT", "11:text=NEAR"), *("16:text=(", "18:text=^", "20:text=<*>")],
        ),
        # colons that are no keys
        ("http://x.org/a s3://b", ["0:text=http://x.org/a", "15:text=s3://b"]),
        (r"C:\x D:/y", [r"0:text=C:\x", "5:text=D:/y"]),
        ("12:30 localhost:8080 port:8081", ["0:text=12:30", "6:text=localhost:8080", "21:text=port:8081"]),
        ("std::path path::Path a::b", ["0:text=std::path", "10:text=path::Path", "21:text=a::b"]),
        (
            "main.py:12 my-thing:x a_b:c :x :",
            ["0:text=main.py:12", "11:text=my-thing:x", "22:text=a_b:c", "28:text=:x", "31:text=:"],
        ),
        ("注意:重跑 вася:да", ["0:text=注意:重跑", "6:text=вася:да"]),
        ("job\0x 🙂 \ud800", ["0:text=job\0x", "6:text=🙂", "8:text=\ud800"]),
    ],
)
def test_a_selector_is_read_as_written(text: str, terms: list[str]) -> None:
    assert _short(parse(text)) == terms


@pytest.mark.parametrize("key", [key for key in KEYS if key not in CLOSED])
def test_every_key_takes_a_value(key: str) -> None:
    assert parse(f"{key}:x").terms == (Term(key, (Value("x"),)),)


@pytest.mark.parametrize(("key", "value"), [(key, value) for key in CLOSED for value in CLOSED[key]])
def test_closed_keys_take_each_of_their_values(key: str, value: str) -> None:
    assert parse(f'-{key}:{value},"{value}"').terms == (Term(key, (Value(value), Value(value)), negated=True),)


def test_the_keys_are_the_documented_ones() -> None:
    documented = (
        "s p o kind type topic tag role origin source method standing session path id since until as-of known unseen"
        " history conflicts similar"
    )
    assert sorted(KEYS) == sorted(documented.split())


def test_get_gives_the_terms_of_a_key_in_order() -> None:
    selector = parse("p:uses x p:is -p:noted y")
    assert [term.position for term in selector.get("p")] == [0, 9, 14]
    assert [term.values[0].text for term in selector.get("text")] == ["x", "y"]
    assert selector.get("s") == ()


# --- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message", "hint", "column"),
    [
        ("x sicne:7d", "unknown key 'sicne' at character 3", "did you mean since: ? ", 2),
        ("as_of:2026", "unknown key 'as_of' at character 1", "did you mean as-of: ? ", 0),
        ("asof:2026", "unknown key 'asof' at character 1", "did you mean as-of: ? ", 0),
        ("Role:user", "unknown key 'Role' at character 1", "did you mean role: ? ", 0),
        ("-tags:x", "unknown key 'tags' at character 2", "did you mean tag: ? ", 1),
        ("subject:x", "unknown key 'subject' at character 1", "did you mean s: ? ", 0),
        ("after:2026", "unknown key 'after' at character 1", "did you mean since: ? ", 0),
        ("col:x", "unknown key 'col' at character 1", "keys are s p o kind", 0),
        ("a:b", "unknown key 'a' at character 1", "keys are s p o kind", 0),
        ("TODO:", "unknown key 'TODO' at character 1", "keys are s p o kind", 0),
        ("text:x", "unknown key 'text' at character 1", "", 0),
        ("p:", "a value is missing", "write key:value", 2),
        ("p: x", "a value is missing", "write key:value", 2),
        ("p:a,", "a value is missing", "write key:value", 4),
        ("p:,a", "a value is missing", "write key:value", 2),
        ('x ""', "a value is missing", "write key:value", 2),
        ('"a", b', "a value is missing", "write key:value", 4),
        ('x "abc', "the quote is not closed", "inside quotes write", 2),
        (r'o:"C:\"', "the quote is not closed", "inside quotes write", 2),
        ('"a"b', "a closing quote must be followed by a space or comma", "", 3),
        ("role:person", "unknown role 'person'", "role: takes user, tool, assistant, harness", 5),
        ("origin:person,User", "unknown origin 'User'", "origin: takes person, tool, model", 14),
        ("source:seen", "unknown source 'seen'", "source: takes told, observed, inferred", 7),
        ("standing:sure", "unknown standing 'sure'", "standing: takes confirmed, hypothesis, suspect, ", 9),
        ("type:d*", "unknown type 'd*'", "type: takes event, question, promise, decision, ", 5),
        ('type:""', "unknown type ''", "type: takes event", 5),
        ("-since:7d", "since: takes one value and no dash", "join since: and until:", 0),
        ("x as-of:1d,2d", "as-of: takes one value and no dash", "join since: and until:", 2),
        ("since:7d x since:3d", "since: is given twice", "", 11),
    ],
)
def test_an_error_says_what_and_points_where(text: str, message: str, hint: str, column: int) -> None:
    with pytest.raises(SelectorError) as caught:
        parse(text)
    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)
    assert caught.value.about == f"{text}\n{' ' * column}^"
    assert isinstance(caught.value, UsageError)
    assert (caught.value.code, caught.value.exit_code) == ("usage", 2)


def test_the_caret_stands_under_its_place_on_one_line_of_any_text() -> None:
    with pytest.raises(SelectorError) as caught:
        parse('重跑\tx\ud800\n"')
    assert caught.value.about == '重跑\ufffdx\ufffd\ufffd"\n        ^'
    with pytest.raises(SelectorError) as caught:
        parse("a" * 5000 + " role:x " + "b" * 5000)
    line, caret = caught.value.about.split("\n")
    assert line == "…" + "a" * 34 + " role:x " + "b" * 38 + "…"
    assert line[len(caret) - 1] == "x"


@pytest.mark.parametrize(
    "text",
    [
        *["x" * 10240, "x:" * 5120, '"' * 10240, ":" * 10240, "," * 10240, "-" * 10240, "*" * 10240, "\\" * 10240],
        *[
            "\0" * 10240,
            "🙂" * 2560,
            "\ud800" * 3000,
            "p:a," * 2560,
            "a " * 5120,
            'o:"' + "\\" * 10240,
            "z" * 10240 + ":y",
        ],
    ],
)
def test_ten_kibibytes_of_anything_take_little_time(text: str) -> None:
    started = time.perf_counter()
    refusal = _refusal(text)
    assert time.perf_counter() - started < 1
    assert len(refusal) < 700
    refusal.encode()


def _refusal(text: str) -> str:
    try:
        parse(text)
    except SelectorError as error:
        return error.message + error.hint + error.about
    return ""


@pytest.mark.parametrize("character", [chr(code) for code in range(32, 127)])
def test_each_printable_character_is_a_selector_or_a_selector_error(character: str) -> None:
    for text in (character, f"a{character}b", character * 2, f"p:{character}", f"{character}p:x", f'"{character}"'):
        _parses_or_refuses(text)


def test_two_thousand_odd_strings_raise_nothing_but_selector_errors() -> None:
    odd = random.Random(60)
    pieces = [
        *string.printable,
        *(f"{key}:" for key in KEYS),
        *("http://", "AND", '\\"', "**", "🙂", "\0", "\ud800", "\u202e", "e\u0301", "重", "user", "７"),
    ]
    parsed = sum(_parses_or_refuses("".join(odd.choices(pieces, k=odd.randint(1, 20)))) for _ in range(2000))
    assert 200 < parsed < 1900


def _parses_or_refuses(text: str) -> bool:
    try:
        selector = parse(text)
    except SelectorError:
        return False
    _same_again(selector)
    return True


# --- canonical form ------------------------------------------------------------------------------------


def _same_again(selector: Selector) -> None:
    written = selector.canonical()
    again = parse(written)
    assert _terms(again) == _terms(selector)
    assert again.canonical() == written


def _terms(selector: Selector) -> list[tuple[str, tuple[Value, ...], bool]]:
    return [(term.key, term.values, term.negated) for term in selector.terms]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ('  p:"decided"   -role:"assistant"  ', "p:decided -role:assistant"),
        ('o:"a b","c","d,e"', 'o:"a b",c,"d,e"'),
        ('o:"x*",y*', 'o:"x*",y*'),
        ('"what?" o:"what?"', 'what? o:"what?"'),
        (r'o:"a\"b" "a\\b"', 'o:a"b a\\b'),
        (r'o:"\"b" "a \\b"', r'o:"\"b" "a \\b"'),
        ('"-x" -"-x" --x o:"-x"', '"-x" -"-x" "--x" o:-x'),
        ('"p:x" http://a 12:30', '"p:x" "http://a" 12:30'),
        ('topic:"" o:":x"', 'topic:"" o:":x"'),
        ("b a", "b a"),
        ("well, a,,b* a,b", '"well," a,,b* a,b'),
    ],
)
def test_the_canonical_form_keeps_the_order_and_quotes_only_what_needs_it(text: str, canonical: str) -> None:
    assert parse(text).canonical() == canonical
    _same_again(parse(text))


_PIECES = st.sampled_from(
    [*'abp"\\,-:*? \t/.', "o:", "path:", "p:", "::", "-o:", '"a b"', '\\"', "https://", "é", "\0"]
)


@given(st.text(max_size=30) | st.lists(_PIECES, max_size=14).map("".join))
def test_what_parses_parses_again_from_its_canonical_form(text: str) -> None:
    _parses_or_refuses(text)


_OPEN = st.sampled_from(["text", *(key for key in KEYS if key not in CLOSED and key not in TIME_KEYS)])
_BUILT = st.builds(
    Term,
    _OPEN,
    st.lists(st.builds(Value, st.text(min_size=1)), min_size=1, max_size=3).map(tuple),
    st.booleans(),
)


@given(st.lists(_BUILT, max_size=4))
def test_any_literal_values_survive_being_written(terms: list[Term]) -> None:
    _same_again(Selector(tuple(terms)))


# --- globs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("glob", "hits", "misses"),
    [
        ("src/*.py", ["src/a.py", "src/.py"], ["src/a/b.py", "src/a.pyc", "xsrc/a.py", "src/a.py\n"]),
        ("src/**", ["src/a", "src/a/b.py", "src/"], ["src", "srcs/a"]),
        ("src/**/x.py", ["src/x.py", "src/a/x.py", "src/a/b/x.py"], ["src/ax.py", "src/a/x.pyc", "x.py"]),
        ("**/x.py", ["x.py", "a/x.py", "a/b/x.py", "/x.py"], ["ax.py", "a/bx.py"]),
        ("**", ["", "a", "a/b", "a\nb"], []),
        ("*", ["", "a", "a\nb"], ["a/b"]),
        ("a?c", ["abc", "a.c"], ["ac", "a/c", "abbc"]),
        ("a**b", ["ab", "a/b", "axx/yyb"], ["a", "b"]),
        ("**/x*/y", ["xa/z/xb/y", "x/y"], ["xa/z/y", "ax/y"]),
        ("[a].(py)$", ["[a].(py)$"], ["a.py"]),
    ],
)
def test_path_globs_stop_at_slashes_unless_doubled(glob: str, hits: list[str], misses: list[str]) -> None:
    pattern = glob_to_regex(Value(glob, is_glob=True))
    assert [hit for hit in hits if not pattern.fullmatch(hit)] == []
    assert [miss for miss in misses if pattern.fullmatch(miss)] == []
    assert glob_to_regex(glob).pattern == pattern.pattern


def test_elsewhere_a_star_matches_anything() -> None:
    pattern = glob_to_regex(Value("code.*x?", is_glob=True), "topic")
    assert pattern.fullmatch("code.a/b\nx/")
    assert not pattern.fullmatch("code.a/bx")
    assert glob_to_regex("a**b", "o").fullmatch("a/b")


def test_a_quoted_value_matches_itself_only() -> None:
    assert glob_to_regex(Value("a*")).fullmatch("a*")
    assert not glob_to_regex(Value("a*")).fullmatch("ab")


@pytest.mark.parametrize(
    ("glob", "prefix"),
    [("src/billing/**", "src/billing/"), ("a?b", "a"), ("*", ""), ("plain", "plain"), ("src/**/x", "src/"), ("", "")],
)
def test_the_prefix_is_what_stands_before_the_first_wildcard(glob: str, prefix: str) -> None:
    assert glob_prefix(glob) == glob_prefix(Value(glob, is_glob=True)) == prefix
    assert glob_prefix(Value(glob)) == glob


def _matches(glob: str, text: str, *, is_path: bool) -> bool:
    """The meaning of a glob, by trying everything."""
    if not glob:
        return not text
    if glob.startswith("*"):
        rest = glob.lstrip("*")
        is_deep = len(glob) - len(rest) > 1
        reach = range(len(text) + 1)
        if is_path and not is_deep:
            reach = range(len(text.split("/", maxsplit=1)[0]) + 1)
        return any(_matches(rest, text[at:], is_path=is_path) for at in reach)
    if not text:
        return False
    fits = text[0] == glob[0] or (glob[0] == "?" and not (is_path and text[0] == "/"))
    return fits and _matches(glob[1:], text[1:], is_path=is_path)


@given(st.text("ab/*?", max_size=8), st.text("ab/", max_size=10), st.booleans())
def test_globs_mean_what_trying_everything_finds(glob: str, text: str, is_path: bool) -> None:
    if is_path:
        glob = glob.replace("**/", "**a")  # the one form that also matches nothing, below
    pattern = glob_to_regex(glob, "path" if is_path else "o")
    assert bool(pattern.fullmatch(text)) == _matches(glob, text, is_path=is_path)
    if pattern.fullmatch(text):
        assert text.startswith(glob_prefix(glob))


@given(
    st.lists(st.sampled_from(["a", "b", "*", "a*", "*b", "?", "**"]), min_size=1, max_size=5),
    st.text("ab/", max_size=10),
)
def test_a_folder_of_two_stars_stands_for_any_number_of_folders(parts: list[str], text: str) -> None:
    expected = any(_matches("/".join(each), text, is_path=True) for each in _without_folders(parts))
    assert bool(glob_to_regex("/".join(parts)).fullmatch(text)) == expected


def _without_folders(parts: list[str]) -> list[list[str]]:
    """All ways to leave out the `**` folders; the last part is no folder."""
    if len(parts) == 1:
        return [parts]
    rest = _without_folders(parts[1:])
    return [[parts[0], *each] for each in rest] + (rest if parts[0] == "**" else [])


@pytest.mark.parametrize("key", ["path", "o"])
@pytest.mark.parametrize(
    "glob", ["*a" * 40 + "c", "**a" * 40 + "c", "**/a*" * 40 + "/c", "*a**" * 2500 + "c", "?*" * 2500 + "c"]
)
def test_no_glob_takes_forever(glob: str, key: str) -> None:
    started = time.perf_counter()
    assert not glob_to_regex(glob, key).fullmatch("a" * 200 + "/aa" * 50 + "b")
    assert time.perf_counter() - started < 2


# --- times ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p:uses", {}),
        ("since:7d", {"since": "2026-06-10T10:30:00.000Z"}),
        (
            "until:yesterday since:yesterday",
            {"since": "2026-06-16T00:00:00.000Z", "until": "2026-06-17T00:00:00.000Z"},
        ),
        ("until:2026-03", {"until": "2026-04-01T00:00:00.000Z"}),
        ("as-of:2026-03-05 known:2026", {"as-of": "2026-03-05T23:59:59.999Z", "known": "2026-12-31T23:59:59.999Z"}),
        ("as-of:2026-03-05T14:00:00.000Z", {"as-of": "2026-03-05T14:00:00.000Z"}),
        ("as-of:now known:7d", {"as-of": NOW, "known": "2026-06-10T10:30:00.000Z"}),
        ('since:"last tuesday 15:00"', {"since": "2026-06-16T15:00:00.000Z"}),
    ],
)
def test_bounds_are_inclusive_as_written(text: str, expected: dict[str, str]) -> None:
    assert times(parse(text), NOW, UTC) == expected


@pytest.mark.parametrize(
    ("zone", "since", "until", "as_of"),
    [
        (timezone(timedelta(hours=-8)), "2026-03-29T08:00", "2026-03-30T08:00", "2026-03-30T07:59"),
        (ZoneInfo("Asia/Kathmandu"), "2026-03-28T18:15", "2026-03-29T18:15", "2026-03-29T18:14"),
        (timezone(timedelta(hours=14)), "2026-03-28T10:00", "2026-03-29T10:00", "2026-03-29T09:59"),
        (ZoneInfo("Europe/Berlin"), "2026-03-28T23:00", "2026-03-29T22:00", "2026-03-29T21:59"),
        (ZoneInfo("America/New_York"), "2026-03-29T04:00", "2026-03-30T04:00", "2026-03-30T03:59"),
    ],
)
def test_a_day_is_the_reader_s_day(zone: timezone, since: str, until: str, as_of: str) -> None:
    selector = parse("since:2026-03-29 until:2026-03-29 as-of:2026-03-29")
    assert times(selector, NOW, zone) == {
        "since": f"{since}:00.000Z",
        "until": f"{until}:00.000Z",
        "as-of": f"{as_of}:59.999Z",
    }


def test_a_time_term_that_is_no_time_is_a_selector_error_with_examples() -> None:
    with pytest.raises(SelectorError) as caught:
        times(parse("x since:last tuesday"), NOW, UTC)
    assert caught.value.message == "since: 'last' is not a time"
    assert caught.value.hint == 'write it like "last tuesday 15:00" or "2026-03-05"'
    assert caught.value.about == "since:last\n      ^"
