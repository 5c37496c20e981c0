"""Where memories live and how their reader counts time."""

from __future__ import annotations

import os
import pickle
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment import config
from muniment.errors import UsageError
from muniment.model.services import EmbeddingService, RerankService, Services

HOME = Path("/home/dev")
SUMMER, WINTER = datetime(2026, 7, 1, 12, tzinfo=UTC), datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("variables", "platform", "place"),
    [
        ({}, "linux", "/home/dev/.local/share/muniment"),
        ({"XDG_DATA_HOME": "/data"}, "linux", "/data/muniment"),
        ({"XDG_DATA_HOME": "relative"}, "linux", "/home/dev/.local/share/muniment"),
        ({}, "darwin", "/home/dev/Library/Application Support/muniment"),
        ({}, "win32", "/home/dev/AppData/Local/muniment"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/muniment"),
        ({"MUNIMENT_HOME": "/mine"}, "linux", "/mine"),
        ({"MUNIMENT_HOME": ""}, "linux", "/home/dev/.local/share/muniment"),
    ],
)
def test_each_system_has_its_place(variables: dict[str, str], platform: str, place: str) -> None:
    assert config.read(variables, HOME, platform).home == Path(place)


def test_what_was_asked_for_comes_first() -> None:
    assert config.read({"MUNIMENT_HOME": "/mine"}, HOME, "linux", home="/asked").home == Path("/asked")
    assert config.read({}, HOME, "linux", home="here").home == Path(os.getcwd(), "here")


@pytest.mark.parametrize(
    ("variables", "is_terminal", "colour", "progress"),
    [
        ({}, False, False, False),
        ({}, True, True, True),
        ({"NO_COLOR": "1"}, True, False, True),
        ({"TERM": "dumb"}, True, False, True),
    ],
)
def test_colour_and_progress_are_for_terminals(
    variables: dict[str, str], is_terminal: bool, colour: bool, progress: bool
) -> None:
    found = config.read(variables, HOME, "linux", is_terminal=is_terminal)
    assert (found.colour, found.progress) == (colour, progress)


@pytest.mark.parametrize(("value", "wish"), [("", None), ("person", None), ("agent", "agent"), ("import", "import")])
def test_a_caller_s_wish_is_read(value: str, wish: str | None) -> None:
    assert config.read({"MUNIMENT_CALLER": value}, HOME, "linux").caller == wish


def test_a_wish_that_is_none_of_these_is_refused() -> None:
    with pytest.raises(UsageError, match="MUNIMENT_CALLER"):
        config.read({"MUNIMENT_CALLER": "tool"}, HOME, "linux")


@pytest.mark.parametrize("name", ["Europe/Paris", "America/New_York", "Asia/Kolkata", "UTC"])
def test_a_named_zone_is_that_zone(name: str) -> None:
    zone = config.read({}, HOME, "linux", zone=name).zone
    lazy = config.LazyZone(name)
    for moment in (SUMMER, WINTER):
        assert moment.astimezone(zone).isoformat() == moment.astimezone(lazy).isoformat()
        assert moment.astimezone(lazy).tzname() == moment.astimezone(zone).tzname()
        assert moment.astimezone(lazy).dst() == moment.astimezone(zone).dst()


@pytest.mark.parametrize("name", ["Nowhere/Town", "../../etc/passwd", "/etc/passwd", "\0", "a" * 500])
def test_a_zone_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="zone"):
        config.named_zone(name)


def test_the_system_s_link_names_the_zone(tmp_path: Path) -> None:
    target = tmp_path / "zoneinfo" / "Europe" / "Paris"
    target.parent.mkdir(parents=True)
    target.touch()
    (tmp_path / "localtime").symlink_to(target)
    assert str(config.system_zone(None, str(tmp_path / "localtime"))) == "Europe/Paris"
    assert str(config.system_zone("", str(tmp_path / "localtime"))) == "Europe/Paris"
    assert str(config.system_zone(":Asia/Kolkata", str(tmp_path / "localtime"))) == "Asia/Kolkata"


@pytest.mark.parametrize("tz", ["EST5EDT,M3.2.0,M11.1.0", "<-03>3", "/etc/localtime", "nonsense", None])
def test_a_zone_without_a_name_is_the_offset_of_the_system(tz: str | None, tmp_path: Path) -> None:
    assert isinstance(config.system_zone(tz, str(tmp_path / "none")).utcoffset(SUMMER), timedelta)


def test_a_zone_is_not_looked_for_before_a_time_is_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(config, "system_zone", never)
    zone = config.read({}, HOME, "linux").zone
    assert zone.utcoffset(None) is None
    with pytest.raises(AssertionError):
        zone.utcoffset(SUMMER)


def test_a_lazy_zone_survives_being_packed() -> None:
    assert pickle.loads(pickle.dumps(config.LazyZone("UTC"))).utcoffset(SUMMER) == timedelta(0)


# --- config.toml ------------------------------------------------------------


def written(home: Path, text: str) -> Path:
    (home / "config.toml").write_text(text, encoding="utf-8")
    return home


def test_without_a_file_no_server_is_named(tmp_path: Path) -> None:
    assert config.services(tmp_path, {}) == Services()


def test_servers_are_named_in_the_file_and_their_keys_stand_in_variables(tmp_path: Path) -> None:
    text = """
        [embeddings]
        url = "http://localhost:11434/v1"
        model = "nomic-embed-text"
        key_variable = "KEY"
        timeout = 3
        query_prefix = "search_query: "
        [search]
        rerank_url = "http://localhost:8080"
        rerank_model = "some-reranker"
        rerank_top = 50
    """
    found = config.services(written(tmp_path, text), {"KEY": "secret"})
    assert found.embeddings == EmbeddingService(
        "http://localhost:11434/v1", "nomic-embed-text", "secret", timeout=3, query_prefix="search_query: "
    )
    assert found.rerank == RerankService("http://localhost:8080", "some-reranker", top=50)
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[embeddings", "config.toml: "),
        ("url = 'x'", "url stands outside of a table"),
        ("[embeddings]\nurll = 'x'", r"\[embeddings\] urll is unknown"),
        ("[embeddings]\nurl = 7", r"\[embeddings\] url must be a text, not 7"),
        ("[embeddings]\nbatch = 1.5", "must be a whole number"),
        ("[embeddings]\nbatch = true", "must be a whole number"),
        ("[embeddings]\nbatch = 0", "must be above 0"),
        ("[embeddings]\ntimeout = nan", "must be above 0"),
        ("[embeddings]\nkey_variable = 'NONE'", "names the variable NONE, which holds no key"),
        ("[search]\nrerank_topp = 3", r"\[search\] rerank_topp is unknown"),
    ],
)
def test_a_file_that_makes_no_sense_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as raised:
        config.services(written(tmp_path, text), {})
    assert raised.value.about


# --- the floor of search ------------------------------------------------------------


def test_without_a_line_there_is_no_floor_of_ones_own(tmp_path: Path) -> None:
    assert config.own_floor(tmp_path) is None
    assert config.own_floor(written(tmp_path, "[search]\nrerank_top = 3\n")) is None
    assert config.own_floor(written(tmp_path, "[search]\nfloor = 1\n")) == 1.0


@pytest.mark.parametrize("value", ["'x'", "true", "nan", "inf", "51", "{a = 1}"])
def test_a_floor_that_is_none_is_told_with_file_and_key(tmp_path: Path, value: str) -> None:
    with pytest.raises(UsageError, match=r"config.toml: \[search\] floor must be") as raised:
        config.own_floor(written(tmp_path, f"[search]\nfloor = {value}\n"))
    assert raised.value.hint
    assert config.services(tmp_path, {}) == Services()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "[search]\nfloor = -1.5\n"),
        ("# mine\n[embeddings]\nurl = 'x'", "# mine\n[embeddings]\nurl = 'x'\n\n[search]\nfloor = -1.5\n"),
        ("[search] # s\nrerank_top = 3 # t\n[z]\n", "[search] # s\nfloor = -1.5\nrerank_top = 3 # t\n[z]\n"),
        ("[search]\n# a\nfloor = 2  # b\n[z]\nfloor = 9\n", "[search]\n# a\nfloor = -1.5  # b\n[z]\nfloor = 9\n"),
        ("[search]\r\nrerank_top = 3\r\n", "[search]\r\nfloor = -1.5\r\nrerank_top = 3\r\n"),
        ("[search]", "[search]\nfloor = -1.5\n"),
    ],
)
def test_a_floor_is_set_and_all_else_stays(tmp_path: Path, before: str | None, after: str) -> None:
    file = tmp_path / "config.toml"
    if before is not None:
        file.write_bytes(before.encode())
    assert config.set_floor(tmp_path, -1.5) == file.resolve()
    assert file.read_bytes().decode() == after
    assert config.own_floor(tmp_path) == -1.5
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    "text", ["search = {rerank_top = 3}\n", 'a.b = """\n[search]\nfloor = 1\n"""\n', "[search]\n'floor' = 1\n"]
)
def test_where_a_line_cannot_be_put_in_safely_nothing_is_changed(tmp_path: Path, text: str) -> None:
    home = written(tmp_path, text)
    with pytest.raises(UsageError, match="cannot be put into"):
        config.set_floor(home, -1.5)
    assert (home / "config.toml").read_text("utf-8") == text
