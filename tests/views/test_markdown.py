"""Rows as a Markdown list."""

from __future__ import annotations

from muniment.views.markdown import listing

ROW = "uses.database\tproject\t{}\t3\tuser\ts1:0@0-6\t2026-03-05T12:00:00.000Z\t05712ZBJMBV2B5004D9SH6J5AG\t{}"


def test_an_item_says_what_since_when_and_where_the_proof_is():
    assert listing([ROW.format("SQLite", "")]) == (
        "- **uses.database** SQLite (project; user, rung 3, since 2026-03-05T12:00:00.000Z)"
        " `s1:0@0-6` `05712ZBJMBV2B5004D9SH6J5AG`\n"
    )


def test_marks_are_told():
    assert " *suspect origin:agent* `s1:0@0-6`" in listing([ROW.format("SQLite", "suspect origin:agent")])


def test_values_cannot_write_markdown():
    text = listing([ROW.format("[x](http://a) *b* <img> `c` # d", "")])
    assert r"\[x\](http://a) \*b\* \<img\> \`c\` \# d" in text


def test_a_receipt_with_backticks_stays_code():
    assert "`` s`1:0@0-6 ``" in listing([ROW.format("x", "").replace("s1:0", "s`1:0")])


def test_a_trailer_closes_the_list_and_stands_alone_where_there_is_none():
    assert listing([ROW.format("x", "")], "3 more").endswith("`\n\n3 more\n")
    assert listing([], "3 more") == "3 more\n"
    assert listing([]) == ""
