"""Bundles of pages go out and come in; what a bundle held is what it holds after the way there and back."""

from __future__ import annotations

import zipfile

import pytest
from tests.engine.test_paging import BARE, PROVED

from muniment.engine import bundles
from muniment.engine.asking import query
from muniment.errors import ConflictError, NothingChangedError, UsageError

FLAT = {"billing.md": PROVED.replace("muniment:\n  evidence:", "evidence:"), "lights.md": BARE, "index.md": "# Pages\n"}
DEEP = {
    "index.md": '---\nokf_version: "0.2"\n---\n\n# Pages\n', "log.md": "# Log\n\n## 2026-03-01\n- made\n",
    "a/billing.md": PROVED.replace("title:", "type: note\ntitle:"),
    "lights.md": BARE.replace("title:", "type: note\n# a comment\ntitle:").replace("\n", "\r\n"),
}  # fmt: skip


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text.encode())
    return path


def held(path):
    with zipfile.ZipFile(path) as found:
        return {name: found.read(name) for name in found.namelist()}


@pytest.mark.parametrize(("format", "files"), [("memoryfield", FLAT), ("okf", DEEP)])
def test_a_bundle_comes_back_byte_for_byte(make_engine, tmp_path, format, files):
    engine = make_engine()
    source = zipped(tmp_path / "in.zip", files)
    done = bundles.load(engine, format, source)
    assert sorted(done.written) == sorted(files)
    assert "lighthouses" in query(engine).text
    out = tmp_path / "out.zip"
    bundles.export(engine, format, out)
    assert held(out) == {name: text.encode() for name, text in files.items()}
    other = make_engine("other")
    bundles.load(other, format, out)
    again = tmp_path / "again.zip"
    bundles.export(other, format, again)
    assert again.read_bytes() == out.read_bytes()
    with pytest.raises(NothingChangedError):
        bundles.load(engine, format, source)


def test_pages_of_ours_conform_to_okf_when_they_leave(engine, tmp_path):
    bundles.load(engine, "memoryfield", zipped(tmp_path / "in.zip", FLAT))
    (tmp_path / "project" / "memory" / "index.md").unlink()
    (tmp_path / "project" / "memory" / "plain.md").write_text("No front matter at all.\n")
    bundles.export(engine, "okf", tmp_path / "out")
    files = {p.relative_to(tmp_path / "out").as_posix(): p.read_bytes() for p in (tmp_path / "out").rglob("*.md")}
    assert list(bundles.problems(files)) == []
    assert b"/lights.md" in files["index.md"]
    assert files["lights.md"].replace(b"type: page\n", b"") == BARE.encode()


def test_a_memoryfield_is_flat_short_and_needs_to_know_nothing_of_us(engine, tmp_path):
    long = BARE + "".join(f"\nLine {n} of a long page about harbours.\n" for n in range(900))
    bundles.load(engine, "okf", zipped(tmp_path / "in.zip", DEEP | {"a/Long One.md": long.replace("000002", "000009")}))
    bundles.export(engine, "memoryfield", tmp_path / "out.zip")
    files = held(tmp_path / "out.zip")
    assert all("/" not in name and len(data) <= bundles.PAGE_BYTES for name, data in files.items())
    assert {"a-billing.md", "a-long-one.md", "a-long-one-2.md", "lights.md"} <= set(files)
    assert b"\nevidence:\n  - path: src/billing.py\n" in files["a-billing.md"]
    assert b"muniment:" not in files["a-billing.md"]


@pytest.mark.parametrize("name", ["../out.md", "/etc/out.md", "a/../../out.md", "c:out.md"])
def test_a_file_outside_of_its_bundle_is_refused_whole(engine, tmp_path, name):
    with pytest.raises(UsageError, match="outside"):
        bundles.load(engine, "okf", zipped(tmp_path / "in.zip", {"fine.md": BARE, name: BARE}))
    assert not (tmp_path / "project" / "memory").exists()


def test_a_page_that_is_there_is_never_overwritten(engine, tmp_path):
    bundles.load(engine, "okf", zipped(tmp_path / "in.zip", DEEP))
    with pytest.raises(ConflictError):
        bundles.load(engine, "okf", zipped(tmp_path / "two.zip", {"lights.md": "other", "new.md": BARE}))
    assert not (tmp_path / "project" / "memory" / "new.md").exists()


def test_what_is_no_zip_is_said_so(engine, tmp_path):
    (tmp_path / "in.zip").write_bytes(b"no zip")
    with pytest.raises(UsageError, match="zip"):
        bundles.load(engine, "memoryfield", tmp_path / "in.zip")
