"""What this machine and this user want, read once by a surface and handed down as plain values.

Nothing here looks at the environment by itself: a surface passes in the variables and the user's home folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from muniment.errors import MissingExtraError, ReadOnlyStoreError, UsageError
from muniment.model.services import EmbeddingService, ModelService, RerankService, Services

if TYPE_CHECKING:
    from muniment.model.checks import Allowed, Declared
    from muniment.model.retention import Retention
    from muniment.model.tracing import Price

APPLICATION = "muniment"
ZONE_LINK = "/etc/localtime"
_ZONE_FOLDER = "zoneinfo/"


@dataclass(frozen=True, slots=True)
class Config:
    """Where the memory lives, how its reader counts time, and how output may look."""

    home: Path
    zone: tzinfo
    caller: str | None = None
    """`agent` or `import`: a caller who wants less authority than the channel gives. Never more."""
    colour: bool = False
    progress: bool = False
    debug: bool = False


def read(
    variables: Mapping[str, str],
    user_home: Path,
    platform: str,
    *,
    home: str | os.PathLike[str] | None = None,
    zone: str | None = None,
    is_terminal: bool = False,
) -> Config:
    """The configuration of this process. `home` and `zone` are what the caller asked for.

    UsageError if a variable or a zone makes no sense.
    """
    chosen = home or variables.get("MUNIMENT_HOME") or None
    place = Path(os.path.abspath(chosen)) if chosen else data_folder(variables, user_home, platform)
    _demand_utf8(place, "--home or MUNIMENT_HOME" if chosen else "HOME")
    plain = bool(variables.get("NO_COLOR")) or variables.get("TERM") == "dumb"
    return Config(
        home=place,
        zone=named_zone(zone) if zone else LazyZone(variables.get("TZ")),
        caller=_caller(variables.get("MUNIMENT_CALLER")),
        colour=is_terminal and not plain,
        progress=is_terminal,
        debug=variables.get("MUNIMENT_DEBUG", "") not in ("", "0"),
    )


def _demand_utf8(place: Path, told: str) -> None:
    try:
        str(place).encode("utf-8")
    except UnicodeEncodeError:
        shown = ascii(str(place))
        hint = "choose another home folder with --home or MUNIMENT_HOME"
        raise UsageError(
            f"the folder of the memories ({told}) has a name that is not UTF-8: {shown}", hint=hint, about=shown
        ) from None


def data_folder(variables: Mapping[str, str], user_home: Path, platform: str) -> Path:
    """The user data directory of the platform, and in it ours."""
    if platform == "win32":
        base = Path(variables.get("LOCALAPPDATA") or user_home / "AppData" / "Local")
    elif platform == "darwin":
        base = user_home / "Library" / "Application Support"
    else:
        given = variables.get("XDG_DATA_HOME") or ""
        base = Path(given) if os.path.isabs(given) else user_home / ".local" / "share"
    return base / APPLICATION


_FILE = "config.toml"
_EMBEDDINGS: Mapping[str, type[Any]] = {
    "url": str, "model": str, "key_variable": str, "timeout": float, "batch": int, "longest": int, "query_prefix": str,
    "passage_prefix": str,
}  # fmt: skip
_MODEL: Mapping[str, type[Any]] = {
    "url": str, "model": str, "key_variable": str, "kind": str, "timeout": float, "tokens_per_day": int, "window": int,
    "overlap": int, "gleaning": int, "longest": int, "answer_tokens": int,
}  # fmt: skip
_RERANK: Mapping[str, type[Any]] = {"url": str, "model": str, "key_variable": str, "timeout": float, "top": int}


def services(home: Path, variables: Mapping[str, str]) -> Services:
    """The servers that `config.toml` in the home folder names: none where there is no such file.

        [embeddings]                                [search]
        url = "http://localhost:11434/v1"           rerank_url = "http://localhost:8080/v1"
        model = "nomic-embed-text"                  rerank_model = "bge-reranker-v2-m3"
        key_variable = "EMBEDDINGS_KEY"             rerank_top = 20

        [model]
        url = "http://localhost:11434/v1"
        model = "qwen3"

    UsageError, with the place, if the file makes no sense. A key is never in the file: a variable that it names holds it.
    """
    tables = _tables(home / _FILE)
    search = {key.removeprefix("rerank_"): value for key, value in tables.get("search", {}).items() if "rerank_" in key}
    place = str(home / _FILE)
    embeddings = _checked(place, "embeddings", tables.get("embeddings", {}), _EMBEDDINGS, variables)
    reranking = _checked(place, "search", search, _RERANK, variables)
    return Services(EmbeddingService(**embeddings), RerankService(**reranking), _model(place, tables, variables))


def _model(place: str, tables: Mapping[str, Any], variables: Mapping[str, str]) -> ModelService:
    found = ModelService(**_checked(place, "model", tables.get("model", {}), _MODEL, variables))
    if found.kind not in ("openai", "anthropic"):
        raise UsageError(f"{place}: [model] kind must be openai or anthropic, not {found.kind!r}", about=place)
    least = {"window": 1, "overlap": 0, "gleaning": 0, "tokens_per_day": 0, "longest": 1, "answer_tokens": 1}
    for key, number in least.items():
        if getattr(found, key) < number:
            raise UsageError(f"{place}: [model] {key} must be at least {number}", about=place)
    return found


class Seams(TypedDict):
    """What an engine asks of the configuration when it needs it, by the names of its settings."""

    services: Callable[[], Services]
    key: Callable[[], str | None]
    floor: Callable[[], float | None]
    prices: Callable[[], Mapping[str, Price]]
    masks: Callable[[], tuple[Sequence[str], Sequence[str]]]
    checks: Callable[[], Allowed]
    retention: Callable[[], Retention]


def seams(home: Path, variables: Mapping[str, str], user_home: Path) -> Seams:
    """One reader for each part of `config.toml` that an engine may need; nothing is read before it asks."""
    return {
        "services": partial(services, home, variables),
        "key": partial(key, home, variables),
        "floor": partial(own_floor, home),
        "prices": partial(prices, home),
        "masks": partial(masks, home, user_home),
        "checks": partial(checks, home),
        "retention": partial(retention, home),
    }


def key(home: Path, variables: Mapping[str, str]) -> str | None:
    """The key of the stores: of MUNIMENT_KEY, of the file that MUNIMENT_KEY_FILE names, or as `config.toml` says. None: plain.

        [encryption]
        key_file = "/media/stick/muniment.key"      or      keyring = true

    UsageError if it is said and cannot be had. A key of 64 hexadecimal digits is used as it is; others are passphrases.
    """
    if variables.get("MUNIMENT_KEY"):
        return checked_key(variables["MUNIMENT_KEY"], "MUNIMENT_KEY")
    if variables.get("MUNIMENT_KEY_FILE"):
        return key_file(Path(variables["MUNIMENT_KEY_FILE"]))
    table, where = _tables(home / _FILE).get("encryption", {}), f"{home / _FILE}: [encryption]"
    if unknown := sorted(table.keys() - {"key_file", "keyring"}):
        raise UsageError(f"{where} {unknown[0]} is unknown", hint="known there: key_file, keyring", about=where)
    if isinstance(table.get("key_file"), str):
        return key_file(Path(table["key_file"]))
    if table.get("keyring") is True:
        return keyring_key(home)
    if table.keys() and table.get("keyring") is not False:
        raise UsageError(f'{where} takes key_file = "PATH", or keyring = true', about=where)
    return None


def key_file(path: Path) -> str:
    """The key in a file, without its line end."""
    try:
        found = path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the key file {path} cannot be read: {error}", about=str(path)) from error
    return checked_key(found, str(path))


def keyring_key(home: Path) -> str:
    """The key that the user's key ring has for this home."""
    found = _keyring().get_password(APPLICATION, str(home))
    if found is None:
        hint = "`muniment rekey --to-keyring` puts one there"
        raise UsageError(f"the key ring has no key for {home}", hint=hint, about="keyring")
    return checked_key(found, "the key ring")


def keep_in_keyring(home: Path, value: str, *, is_next: bool = False) -> None:
    """Put the key of this home, or the one that is about to be it, into the user's key ring."""
    _keyring().set_password(APPLICATION, f"{home}{_NEXT if is_next else ''}", value)


def next_in_keyring(home: Path) -> str | None:
    """The key that was about to be the one of this home when something was cut off."""
    found = _keyring().get_password(APPLICATION, f"{home}{_NEXT}")
    return None if found is None else checked_key(found, "the key ring")


def checked_key(value: str, where: str) -> str:
    """A key that can be one."""
    if len(value) < _SHORTEST_KEY or "\0" in value or "\n" in value:
        hint = "one line; 64 hexadecimal digits (python -c 'import secrets; print(secrets.token_hex(32))') open fastest"
        raise UsageError(f"{where} holds no key of at least {_SHORTEST_KEY} characters", hint=hint, about=where)
    return value


def _keyring() -> Any:
    try:
        import keyring
    except ImportError as error:
        hint = "pip install 'muniment[encryption]'"
        raise MissingExtraError("the key ring needs the package keyring", hint=hint, about="keyring") from error
    return keyring


_SHORTEST_KEY = 8
_NEXT = " (next)"


def server(home: Path, variables: Mapping[str, str], asked: str | None = None) -> str:
    """The server that holds the workspaces in place of files: what the caller asked for, else MUNIMENT_STORE, else
    `config.toml` (`[store] url = "postgresql://role@host/database"`); empty where there is none. A password is better kept
    in the server's own password file.

    UsageError if it is no address of one.
    """
    found: Any = asked or variables.get("MUNIMENT_STORE") or ""
    place = "store" if found else f"{home / _FILE}: [store] url"
    if not found:
        found = _tables(home / _FILE).get("store", {}).get("url", "")
    if not isinstance(found, str) or (found and not found.startswith(("postgresql://", "postgres://"))):
        hint = "postgresql://ROLE@HOST/DATABASE, or leave it out: then the memory is a file"
        raise UsageError(f"{place} is no address of a server", hint=hint)
    return found


def own_floor(home: Path) -> float | None:
    """The floor of search that `config.toml` gives (`[search] floor = -1.3`), in log-odds; None where it gives none.

    UsageError, with the file and the key, if it is no number that can be one.
    """
    path = home / _FILE
    if "floor" not in (found := _tables(path).get("search", {})):
        return None
    value, where = found["floor"], f"{path}: [search] floor"
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise UsageError(f"{where} must be a number, not {value!r}", hint=_FLOOR_HINT, about=str(path))
    if not -_WIDEST_FLOOR <= value <= _WIDEST_FLOOR:
        told = f"{where} must be from -{_WIDEST_FLOOR} to {_WIDEST_FLOOR}, not {value!r}"
        raise UsageError(told, hint=_FLOOR_HINT, about=str(path))
    return float(value)


def tool_profile(home: Path) -> str | None:
    """The profile under which the tool server offers SQL (`[mcp] profile = "reviewer"`); None where the file names none."""
    found = _tables(home / _FILE).get("mcp", {}).get("profile")
    if found is not None and not isinstance(found, str):
        raise UsageError(f"{home / _FILE}: [mcp] profile must be a text, not {found!r}", about=str(home / _FILE))
    return found


def masks(home: Path, user_home: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What `config.toml` says is secret: regular expressions, and globs of files whose content is never kept.

        [masks]
        patterns = ['BADGE-\\d{6}', 'ward ([A-Z]\\d+)']
        paths = [".env", "secrets/**", "~/private/**"]

    UsageError, with the file and the key, if it makes no sense.
    """
    path = home / _FILE
    table = _tables(path).get("masks", {})
    for key, told in table.items():
        where = f"{path}: [masks] {key}"
        if key not in ("patterns", "paths"):
            raise UsageError(f"{where} is unknown", hint="known there: patterns, paths", about=str(path))
        if not isinstance(told, list) or not all(isinstance(each, str) and each for each in told):
            raise UsageError(f"{where} must be a list of texts", hint="patterns = ['BADGE-[0-9]{6}']", about=str(path))
    paths = (f"{user_home}{glob[1:]}" if glob.startswith("~/") else glob for glob in table.get("paths", ()))
    return tuple(table.get("patterns", ())), tuple(paths)


def retention(home: Path) -> Retention:
    """For how long what is remembered counts, by type and scope (`[retention]` in `config.toml`).

    UsageError, with the file and the key, if it makes no sense.
    """
    from muniment.model import retention as kept

    path = home / _FILE
    return kept.retention(str(path), _tables(path).get("retention", {}))


def prices(home: Path) -> Mapping[str, Price]:
    """What `config.toml` says that tokens cost, in dollars for a million, by model or a pattern such as `gpt-5*`.

        [prices."claude-sonnet-4-5"]
        input = 3.0
        cached = 0.3
        output = 15.0

    UsageError, with the file and the key, if it makes no sense.
    """
    path = home / _FILE
    return {model: _price(f"{path}: [prices.{model}]", told) for model, told in _tables(path).get("prices", {}).items()}


def _price(where: str, told: Any) -> Price:
    from muniment.model.tracing import Price

    hint = "input = 3.0, output = 15.0 and, if it differs, cached = 0.3: dollars for a million tokens"
    given = told if isinstance(told, dict) else {}
    is_sound = {"input", "output"} <= given.keys() <= {"input", "output", "cached"} and all(
        isinstance(n, int | float) and not isinstance(n, bool) and 0 <= n < _DEAREST for n in given.values()
    )
    if not is_sound:
        raise UsageError(f"{where} is no price", hint=hint, about=where)
    return Price(given["input"], given["output"], given.get("cached"))


def checks(home: Path) -> Allowed:
    """What `config.toml` allows a check of evidence beyond files and git; nothing where it says nothing.

        [check]                                  [check.commands]
        urls = ["https://docs.example.org/"]     lint = ["ruff", "check", "."]
                                                 [check.trackers]
                                                 issues = ["gh", "issue", "view", "{id}", "--json", "state"]

    UsageError, with the file and the key, if it makes no sense.
    """
    from muniment.model.checks import Allowed

    path = home / _FILE
    told = _tables(path).get("check", {})
    urls = told.get("urls", [])
    if not isinstance(urls, list) or not all(isinstance(u, str) and _URL.match(u) for u in urls):
        hint = "beginnings of URLs, each with its host and a slash behind it"
        raise UsageError(f"{path}: [check] urls must be a list of such", hint=hint, about=str(path))
    commands, trackers = (_declared(path, name, told.get(name, {})) for name in ("commands", "trackers"))
    return Allowed(tuple(urls), commands, trackers)


_URL = re.compile(r"https?://[^/]+/")
_LONGEST_RUN = 600.0


def _declared(path: Path, name: str, told: Any) -> dict[str, Declared]:
    """Commands by name: a list of words, or a table with `run` and `timeout`."""
    from muniment.model.checks import Declared

    found = {}
    for key, value in told.items() if isinstance(told, dict) else [(name, None)]:
        given: dict[str, Any] = value if isinstance(value, dict) else {"run": value}
        words, timeout = given.get("run", ()), given.get("timeout", 60.0)
        is_known = given.keys() <= {"run", "timeout"} and isinstance(words, list) and bool(words)
        is_time = isinstance(timeout, int | float) and not isinstance(timeout, bool) and 0 < timeout <= _LONGEST_RUN
        if not is_known or not is_time or not all(isinstance(w, str) for w in words):
            where = f"{path}: [check.{name}] {key}"
            hint = f'{key} = ["program", "argument"], or a table with run and timeout (seconds)'
            raise UsageError(f"{where} is no command", hint=hint, about=str(path))
        found[str(key)] = Declared(tuple(words), float(timeout))
    return found


_DEAREST = 1_000_000
_WIDEST_FLOOR = 50
_FLOOR_HINT = "`muniment bench floor` proposes one; without the line the shipped one holds"


def set_floor(home: Path, value: float) -> Path:
    """Write one's own floor into `config.toml`, and leave every other key and comment as it is; the path of the file.

    UsageError if the file makes no sense, or is written so that the line cannot be put in safely.
    """
    path = Path(os.path.realpath(home / _FILE))
    before = _tables(path)
    text = _with_floor(path.read_bytes().decode() if path.exists() else "", f"floor = {value:g}")
    import tomllib

    try:
        is_safe = tomllib.loads(text) == before | {"search": before.get("search", {}) | {"floor": float(f"{value:g}")}}
    except tomllib.TOMLDecodeError:
        is_safe = False
    if not is_safe:
        hint = f"write it by hand: floor = {value:g} under [search]"
        raise UsageError(f"{path} is written in a way that the floor cannot be put into", hint=hint, about=str(path))
    _replace(path, text)
    return path


_SEARCH_HEAD = re.compile(r"^[ \t]*\[[ \t]*search[ \t]*\][ \t]*(?:#[^\r\n]*)?(\r?\n|\Z)", re.MULTILINE)
_NEXT_HEAD = re.compile(r"^[ \t]*\[", re.MULTILINE)
_FLOOR_LINE = re.compile(r"^([ \t]*)floor[ \t]*=[ \t]*[^#\r\n]*?([ \t]*(?:#[^\r\n]*)?)$", re.MULTILINE)


def _with_floor(text: str, line: str) -> str:
    """The text with the line in its [search] table: in place of the one that is there, else first of the table."""
    end = "\r\n" if "\r\n" in text else "\n"
    head = _SEARCH_HEAD.search(text)
    if head is None:
        gap = "" if not text else end if text.endswith("\n") else 2 * end
        return f"{text}{gap}[search]{end}{line}{end}"
    after = _NEXT_HEAD.search(text, head.end())
    table = text[head.end() : after.start() if after else len(text)]
    if _FLOOR_LINE.search(table):
        table = _FLOOR_LINE.sub(lambda found: f"{found[1]}{line}{found[2]}", table, count=1)
    else:
        table = f"{'' if head[1] else end}{line}{end}{table}"
    return text[: head.end()] + table + (text[after.start() :] if after else "")


def _replace(path: Path, text: str) -> None:
    """Whole or not at all: a crash leaves the file that was there."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        message = f"{path} cannot be written: {error.strerror}"
        raise ReadOnlyStoreError(message, hint="nothing was changed", about=str(path)) from error


def _tables(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="it must be TOML in UTF-8", about=str(path)) from error
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}", hint="it must be TOML", about=str(path)) from error
    for name, table in found.items():
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {name} stands outside of a table", hint=f"[{name}] begins one", about=str(path))
    return found


def _checked(
    place: str, table: str, given: Mapping[str, Any], known: Mapping[str, type[Any]], variables: Mapping[str, str]
) -> dict[str, Any]:
    """The values of a table, of the types that they must have; a key taken from its variable."""
    values: dict[str, Any] = {}
    prefix = "rerank_" if table == "search" else ""
    for name, value in given.items():
        where = f"{place}: [{table}] {prefix}{name}"
        if name not in known:
            hint = f"known there: {', '.join(prefix + each for each in known)}"
            raise UsageError(f"{where} is unknown", hint=hint, about=place)
        _demand_fitting(where, place, value, known[name])
        if name == "key_variable":
            values["key"] = _key(where, value, variables)
        else:
            values[name] = value
    return values


def _demand_fitting(where: str, place: str, value: Any, wanted: type[Any]) -> None:
    accepted = (int, float) if wanted is float else wanted
    if not isinstance(value, accepted) or isinstance(value, bool):
        raise UsageError(f"{where} must be {_KINDS[wanted]}, not {value!r}", about=place)
    if wanted is not str and not 0 < value <= _MOST:
        raise UsageError(f"{where} must be above 0 and at most {_MOST}, not {value!r}", about=place)


_KINDS = {str: "a text", int: "a whole number", float: "a number"}
_MOST = 100_000


def _key(where: str, name: str, variables: Mapping[str, str]) -> str:
    value = variables.get(name, "")
    if not value or not value.isascii() or not value.isprintable():
        raise UsageError(
            f"{where} names the variable {name}, which holds no key", hint=f"export {name}=...", about=name
        )
    return value


def _caller(text: str | None) -> str | None:
    if not text:
        return None
    if text not in ("person", "agent", "import"):
        raise UsageError(f"MUNIMENT_CALLER is {text!r}", hint="it may be agent, import or person")
    return None if text == "person" else text


def named_zone(name: str) -> tzinfo:
    """A zone by its name, such as Europe/Paris; UsageError if there is none."""
    found = _zone(name)
    if found is None:
        raise UsageError(f"unknown time zone {name!r}", hint="write it like Europe/Paris, or UTC", about=name)
    return found


def _zone(name: str) -> tzinfo | None:
    if name in ("UTC", "Z"):
        return UTC
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def system_zone(tz: str | None, link: str = ZONE_LINK) -> tzinfo:
    """The zone that TZ names, else the one that the system's link names, else the system's offset of today."""
    name = tz.removeprefix(":") if tz else ""
    if not name and os.path.islink(link):
        target = os.path.realpath(link)
        name = target.partition(_ZONE_FOLDER)[2]
    found = _zone(name) if name and not os.path.isabs(name) else None
    return found or datetime.now(UTC).astimezone().tzinfo or UTC


class LazyZone(tzinfo):
    """The reader's zone, found out when a time is first converted: most questions name none, and looking is slow."""

    def __init__(self, tz: str | None) -> None:
        self._tz = tz
        self._real: tzinfo | None = None

    def _zone(self) -> tzinfo:
        if self._real is None:
            self._real = system_zone(self._tz)
        return self._real

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyZone, (self._tz,)

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """As the real zone says."""
        return None if moment is None else moment.replace(tzinfo=self._zone()).utcoffset()

    def dst(self, moment: datetime | None) -> timedelta | None:
        """As the real zone says."""
        return None if moment is None else moment.replace(tzinfo=self._zone()).dst()

    def tzname(self, moment: datetime | None) -> str | None:
        """As the real zone says."""
        return None if moment is None else moment.replace(tzinfo=self._zone()).tzname()

    def fromutc(self, moment: datetime) -> datetime:
        """As the real zone says; what comes out is in this zone."""
        real = self._zone()
        return real.fromutc(moment.replace(tzinfo=real)).replace(tzinfo=self)


# --- the token of the doors by HTTP

TOKEN_FILE = "http-token"  # noqa: S105 - the file's name
TOKEN_VARIABLE = "MUNIMENT_HTTP_TOKEN"  # noqa: S105 - the variable's name
_LEAST_TOKEN = 16


def http_token(home: Path, variables: Mapping[str, str]) -> tuple[str, str]:
    """The token that requests by HTTP bear, and where it stands: the variable, else a file in the home, made once and
    readable by its owner alone. UsageError if the variable holds none; ReadOnlyStoreError if none can be kept."""
    given = variables.get(TOKEN_VARIABLE, "")
    if given:
        if len(given) < _LEAST_TOKEN or not given.isascii() or not given.isprintable():
            raise UsageError(
                f"{TOKEN_VARIABLE} is no fit token",
                hint=f"at least {_LEAST_TOKEN} plain characters",
                about=TOKEN_VARIABLE,
            )
        return given, TOKEN_VARIABLE
    path = home / TOKEN_FILE
    try:
        return _kept_token(path), str(path)
    except OSError as error:
        message = f"the token cannot be kept in {path}: {error.strerror}"
        raise ReadOnlyStoreError(message, hint=f"set {TOKEN_VARIABLE}", about=str(path)) from error


def _kept_token(path: Path) -> str:
    from secrets import token_urlsafe

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(number, "r+", encoding="ascii") as file:
        kept = file.read().strip()
        if len(kept) < _LEAST_TOKEN:
            kept = token_urlsafe(32)
            file.seek(0)
            file.truncate()
            file.write(kept + "\n")
    return kept
