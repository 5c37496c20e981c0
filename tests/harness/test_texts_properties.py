"""Whatever a settings file looks like, ours goes in and out and nothing else is touched."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
import yaml as reader
from hypothesis import given
from hypothesis import strategies as st

from muniment.harness.texts import jsonc, toml, yaml
from muniment.harness.texts.splice import applied, unapplied

OURS = {"hooks": [{"type": "command", "command": "OURS", "timeout": 10}]}
PATHS = (("hooks", "Stop"), ("a",), ("a", "b", "c"))
_COMMENT = re.compile(r"C\d+C")

blanks = st.sampled_from(["", " ", "  ", "\n", "\n  ", "\r\n\t", "\n\n    "])
scalars = st.one_of(
    st.integers(-9, 9), st.booleans(), st.none(), st.sampled_from(["", "//", "/* */", "é\n", '"', "\\", "{[,]}", "日"])
)
keys = st.sampled_from(["a", "b", "c", "hooks", "Stop", "x//y", 'q"', ""])


@st.composite
def gaps(draw: st.DrawFn) -> str:
    """Blanks, perhaps with a comment that can be known again."""
    kind, mark = draw(st.sampled_from(["", "", "", "//", "/*"])), f"C{draw(st.integers(0, 999))}C"
    comment = {"": "", "//": f"// {mark}\n", "/*": f"/* {mark} */"}[kind]
    return draw(blanks) + comment + draw(blanks)


@st.composite
def values(draw: st.DrawFn, depth: int = 0) -> str:
    """A value as text, with odd gaps, and commas at the end now and then."""
    kind = draw(st.sampled_from(["scalar", "object", "array"] if depth < 3 else ["scalar"]))
    if kind == "scalar":
        return json.dumps(draw(scalars), ensure_ascii=draw(st.booleans()))
    return draw(objects(depth)) if kind == "object" else draw(arrays(depth))


@st.composite
def objects(draw: st.DrawFn, depth: int = 0) -> str:
    """An object as text."""
    members = [
        draw(gaps()) + json.dumps(key) + draw(gaps()) + ":" + draw(gaps()) + draw(values(depth + 1)) + draw(gaps())
        for key in draw(st.lists(keys, max_size=4, unique=True))
    ]
    return (
        "{"
        + ",".join(members)
        + ("," + draw(gaps()) if members and draw(st.booleans()) else "")
        + ("" if members else draw(gaps()))
        + "}"
    )


@st.composite
def arrays(draw: st.DrawFn, depth: int = 0) -> str:
    """An array as text."""
    items = [draw(gaps()) + draw(values(depth + 1)) + draw(gaps()) for _ in range(draw(st.integers(0, 3)))]
    return (
        "["
        + ",".join(items)
        + ("," + draw(gaps()) if items and draw(st.booleans()) else "")
        + ("" if items else draw(gaps()))
        + "]"
    )


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A whole file."""
    return draw(gaps()) + draw(objects()) + draw(gaps())


def is_ours(value: Any) -> bool:
    return "OURS" in json.dumps(value)


def with_ours(said: Any, path: tuple[str, ...], *, is_item: bool) -> Any:
    """What a file should say afterwards."""
    inner = said
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
    if is_item:
        inner.setdefault(path[-1], []).append(OURS)
    else:
        inner[path[-1]] = OURS
    return said


def fits(said: Any, path: tuple[str, ...], *, is_item: bool) -> bool:
    """Could ours stand under these keys?"""
    for key in path[: len(path) - (not is_item)]:
        if not isinstance(said, dict):
            return False
        if key not in said:
            return True
        said = said[key]
    return isinstance(said, list if is_item else dict)


@given(documents(), st.sampled_from(PATHS), st.booleans())
def test_ours_goes_into_any_json_and_comes_out_of_it(text: str, path: tuple[str, ...], is_item: bool) -> None:
    before = jsonc.data(text)
    if not fits(before, path, is_item=is_item):
        return
    put = (lambda t: jsonc.put_item(t, path, OURS, is_ours)) if is_item else (lambda t: jsonc.put_member(t, path, OURS))
    steps = put(text)
    after = applied(text, steps)
    assert jsonc.data(after) == with_ours(jsonc.data(text), path, is_item=is_item)
    assert put(after) == []
    replaces = not is_item and jsonc.at(jsonc.parse(text), path) is not None
    assert replaces or _COMMENT.findall(after) == _COMMENT.findall(text)
    exact = unapplied(after, steps)
    assert exact in (text, None)
    if not replaces:
        cut = applied(after, jsonc.take_items(after, path, is_ours) if is_item else jsonc.take(after, path))
        assert _COMMENT.findall(cut) == _COMMENT.findall(text)
        assert emptied(jsonc.data(cut)) == emptied(before)


def emptied(said: Any) -> Any:
    """Without the objects and arrays that hold nothing."""
    if isinstance(said, dict):
        return {k: w for k, v in said.items() if (w := emptied(v)) not in ({}, [])}
    return [emptied(v) for v in said] if isinstance(said, list) else said


@given(documents(), st.data())
def test_any_member_of_any_object_comes_out_alone(text: str, data: st.DataObject) -> None:
    before = jsonc.data(text)
    if not before:
        return
    key = data.draw(st.sampled_from(sorted(before)))
    after = applied(text, jsonc.take(text, (key,)))
    assert jsonc.data(after) == {k: v for k, v in before.items() if k != key}


@given(st.text(alphabet='{}[],:"/*\\ \n1ate', max_size=30))
def test_what_is_no_json_is_refused_and_never_an_accident(text: str) -> None:
    problem = None
    try:
        jsonc.put_member(text, ("a",), 1)
    except jsonc.Unreadable as error:
        problem = error
    assert problem is None or (problem.line >= 1 and problem.column >= 1)


_tables = st.lists(
    st.sampled_from([
        "[a]\nx = 1 # [b]\n", '[b."c d"]\ny = """\n[mcp_servers.muniment]\n"""\n', "[[hooks]]\ncommand = 'x'\n", "# note\n\n",
        "[mcp_servers.other]\nargs = [\n  '[z]',\n]\n", "[d] # after\n", "[[hooks]]\nevent = 'E'\n[hooks.deep]\nq = 1\n",
    ]),
    max_size=5, unique=True,
)  # fmt: skip


@given(_tables, st.sampled_from(["", 'model = "x"\n', "a0 = 1\r\n\r\n"]), st.booleans(), st.booleans())
def test_ours_goes_into_any_toml_and_comes_out_of_it(tables: list[str], top: str, ends: bool, is_item: bool) -> None:
    text = top + "".join(tables)
    text = text if ends else text.rstrip("\r\n")
    before = tomllib.loads(text.replace("\r\n", "\n"))
    path, value = (("hooks",), {"command": "OURS"}) if is_item else (("mcp_servers", "muniment"), {"command": "OURS"})
    put = (lambda t: toml.put_item(t, path, value, is_ours)) if is_item else (lambda t: toml.put_member(t, path, value))
    steps = put(text)
    after = applied(text, steps)
    assert "OURS" in json.dumps(toml.data(after))
    assert put(after) == []
    assert unapplied(after, steps) == text
    cut = applied(after, toml.take_items(after, path, is_ours) if is_item else toml.take(after, path))
    assert tomllib.loads(cut.replace("\r\n", "\n")) == before
    if ends and "\r" not in text:
        assert cut == text


_entries = st.lists(
    st.sampled_from([
        "a: 1\n", "# note\n\n", "b:\n  c: [1,\n    2]\n  d: |\n    extensions:\n      muniment: no\n", "e:\n- x\n- y: 1\n  z: 2\n",
        "extensions:\n    other:\n        k: 'v'\n",
        'f: "long\n  text: x"\n', "it's: don't \"quote\" # x\n", "g: >-\n\n  folded\n\n",
    ]),
    max_size=6, unique=True,
)  # fmt: skip


@given(_entries, st.booleans(), st.booleans())
def test_ours_goes_into_any_yaml_and_comes_out_of_it(entries: list[str], ends: bool, is_list: bool) -> None:
    text = "".join(entries)
    is_cut = not ends and not any(sign in entries[-1] for sign in "|>" if entries)
    text = text.rstrip("\n") if is_cut else text
    before = reader.safe_load(text) or {}
    path = ("e",) if is_list else ("extensions", "muniment")

    def put(told: str) -> Any:
        if is_list:
            return yaml.put_item(told, path, {"command": "OURS", "args": ["a"]}, lambda item: "OURS" in item)
        return yaml.put_member(told, path, {"command": "OURS", "args": ["a"]})

    steps = put(text)
    after = applied(text, steps)
    assert "OURS" in json.dumps(reader.safe_load(after))
    assert put(after) == []
    assert unapplied(after, steps) == text
    cut = applied(
        after, yaml.take_items(after, path, lambda item: "OURS" in item) if is_list else yaml.take(after, path)
    )
    assert emptied({k: v for k, v in reader.safe_load(cut).items() if v is not None}) == emptied(before)


@pytest.mark.parametrize(
    "text", ['{"a":null// said\n}', '{"a":null,// said\n}', '{"hooks":{// said\n}}', '{"a":1 /* x */ // said\r\n}']
)
def test_a_comment_at_the_end_of_a_line_swallows_nothing(text: str) -> None:
    after = applied(text, jsonc.put_member(text, ("hooks", "Stop"), OURS))
    assert jsonc.data(after)["hooks"]["Stop"] == OURS
    assert "// said" in after
