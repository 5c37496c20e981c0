"""Where secrets stand in the image of a text.

A finder walks from hit to hit of a plain substring search, which is ten times faster than a
pattern search, and runs a pattern only there. Each pattern is bounded in length and the walk
goes on behind what it has judged, so the time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from muniment.gate import numbers
from muniment.gate import secret_shapes as shapes
from muniment.gate.secret_runs import Spans, find_runs
from muniment.gate.secret_shapes import Kind, Style

Finder = Callable[[bytes, bytes, int, Spans], None]  # image, lower-cased image, first hit, result


def scan(image: bytes) -> Spans:
    """All spans of the image that hold a secret or a private passage, in no order."""
    out: Spans = []
    low = image.lower()
    find_runs(image, out)
    numbers.find_numbers(image, out)
    for needle, finder in _NEEDLES:
        at = low.find(needle)
        if at >= 0:
            finder(image, low, at, out)
    if b"@" in image and b"://" in image:
        _find_userinfo(image, out)
    return out


# --- names with values ------------------------------------------------------------------------

_NAME_TAIL = {
    Kind.PASSWORD: rb"(?:passw(?:or)?d|passphrase|pwd)",
    Kind.SECRET: rb"secret(?:[_\-. ]?(?:access)?[_\-. ]?key)?(?:[_-]base)?",
    Kind.TOKEN: rb"(?:token|key)",
}
_SEPARATOR = rb"""(?:[_-]?\d{1,2})?(?:
    (?P<close>\\*["'`])?\]?[ \t]{0,8}(?:
        :[ \t]?[A-Za-z_][\w\[\]|,. <>?]{0,40}=[ \t]?(?=[bBrRuU]?\\*["'`])     # name: str = "..."
        | (?P<equals>=(?![=>~])) | (?:=>|:=|==|=~|:(?!:))
        | ,?\s{0,40}\\*["']?value\\*["']?[ \t]?[:=]                              # name: X, value: ...
        | ,(?=[ \t]?\\*["'])                                                     # "--token", "..."
        | >(?=[^<\s]+</)                                                         # <password>...</
    )[ \t]{0,8}
    | (?P<flag>[ \t]{1,4})(?=[^ \t\r\n-])
)(?:[bBrRuU](?=["']))?"""
_ASSIGNMENT = {kind: re.compile(tail + _SEPARATOR, re.IGNORECASE | re.VERBOSE) for kind, tail in _NAME_TAIL.items()}
# What can follow a name's needle; most hits ("tokens", "keys", "key)") end here.
_AFTER_NAME = frozenset(bytes([byte]) for byte in b" \t\"'`\\]:=_-,>0123456789.odrak")
_FLAG_HEAD = re.compile(rb"(?<![A-Za-z0-9_-])--?[A-Za-z][A-Za-z0-9-]{0,30}$|(?<![A-Za-z0-9_-])--$")
_ENV_HEAD = re.compile(rb"(?:^|[\s;\"'`]|\\n)[A-Z][A-Z0-9_]*$")
_QUERY_HEAD = re.compile(rb"[?&;][A-Za-z0-9_.\-\[\]]{0,40}$")
_OPEN = re.compile(rb"(\\*)([\"'`])")
_QUOTED = {quote: re.compile(rb"(?:[^%b\\\r\n]|\\.){0,4096}" % quote, re.DOTALL) for quote in (b'"', b"'", b"`")}
_ESCAPED = {quote: re.compile(rb"[^%b\r\n]{0,4096}" % quote) for quote in (b'"', b"'", b"`")}
_BARE = re.compile(rb"[^\s\"'`&;,<>(){}\[\]|\\]{1,120}")
_ENV = re.compile(rb"[^\s\"'`\\]{1,120}")


def _find_named(needle: bytes, kind: Kind) -> Finder:
    assignment = _ASSIGNMENT[kind]

    def finder(image: bytes, low: bytes, at: int, out: Spans) -> None:
        while at >= 0:
            behind = at + len(needle)
            if low[behind : behind + 1] in _AFTER_NAME and (match := assignment.match(image, at)):
                behind = _take_value(image, match, kind, out)
            at = low.find(needle, behind)

    return finder


def _find_keys(image: bytes, low: bytes, at: int, out: Spans) -> None:
    while at >= 0:
        behind = at + 3
        if low[behind : behind + 1] in b"- " and low[at - 8 : at] == b"private ":
            behind = _take_pem(image, at, out)
        if (
            low[behind : behind + 1] in _AFTER_NAME
            and low[max(0, at - 14) : at].rstrip(b"_-. ").endswith(shapes.KEY_KINDS)
            and (match := _ASSIGNMENT[Kind.TOKEN].match(image, at))
        ):
            behind = max(behind, _take_value(image, match, Kind.TOKEN, out))
        at = low.find(b"key", behind)


def _take_value(image: bytes, match: re.Match[bytes], kind: Kind, out: Spans) -> int:
    head = image[max(0, match.start() - 48) : match.start()]
    start = match.end()
    flag = _FLAG_HEAD.search(head) if b"-" in head else None
    if match["flag"] and not flag:
        return match.start() + 3
    env = _ENV_HEAD.search(head + image[match.start() : match.start() + 1]) is not None
    if opened := _OPEN.match(image, start):
        return _take_quoted(image, opened, kind, env, out)
    tight = bool(match["equals"]) and image[start - 1] == 61 and not match["close"]
    if env and tight:
        return _take_bare(image, start, kind, _ENV, Style.ENV, out)
    style = Style.ENV if tight and (flag or _QUERY_HEAD.search(head)) else Style.BARE
    if style is Style.BARE and _is_code(image, start, head):
        return start
    return _take_bare(image, start, kind, _BARE, style, out)


def _take_quoted(image: bytes, opened: re.Match[bytes], kind: Kind, env: bool, out: Spans) -> int:
    quote, start = opened[2], opened.end()
    table = _ESCAPED if opened[1] else _QUOTED
    match = table[quote].match(image, start)
    end = match.end() if match else start
    while opened[1] and end > start and image[end - 1] == 92:
        end -= 1
    if image[end : end + 1] in (b"\r", b"\n"):
        end = shapes.continuation(image, end)
    style = Style.ENV if env and kind is Kind.PASSWORD else Style.QUOTED
    if not shapes.is_secret_value(kind, image[start:end], style):
        return start
    out.append((start, end))
    return end


def _take_bare(image: bytes, start: int, kind: Kind, allowed: re.Pattern[bytes], style: Style, out: Spans) -> int:
    value = allowed.match(image, start)
    if not value:
        return start
    end = value.end()
    if not shapes.is_secret_value(kind, _joined(image, start, end), style):
        return start
    while rest := allowed.match(image, end):  # judged by its beginning, taken whole
        end = rest.end()
    out.append((start, shapes.continuation(image, end)))
    return out[-1][1]


def _joined(image: bytes, start: int, end: int) -> bytes:
    """The value with what a backslash at the end of its line adds, so that halves are not weak."""
    if image[end : end + 1] != b"\\":
        return image[start:end]
    return image[start:end] + image[end : shapes.continuation(image, end)].lstrip(b"\\\r\n \t")


def _is_code(image: bytes, start: int, head: bytes) -> bool:
    """A call, an index or a keyword argument: the value is the name of something."""
    match = _BARE.match(image, start)
    value, end = (match[0], match.end()) if match else (b"", start)
    after = image[end : end + 1]
    if after in (b"(", b"["):
        return True
    name_like = value.replace(b"_", b"a").isalnum() and not value[:1].isdigit()
    in_call = after in (b",", b")") and (b"(" in head or b"," in head)
    return name_like and in_call and not shapes.looks_random(value)


# --- headers, key blocks, URLs, private passages ----------------------------------------------

_AUTHORIZATION = re.compile(
    rb"authorization\\*[\"']?[ \t]?(?:[:=]|,(?=[ \t]?\\*[\"']))[ \t]{0,4}\\*[\"']?"
    rb"(?P<scheme>(?:bearer|basic|token|digest|apikey|api-key|bot|negotiate|ntlm|aws4-hmac-sha256)[ \t]+)?"
    rb"(?P<value>[^\s\"'`\\<>{}$][^\s\"'`\\]{3,4096})",
    re.IGNORECASE,
)
_COOKIE = re.compile(
    rb"cookie\\*[\"']?(?:[ \t]?[:=][ \t]{0,4}|[ \t]+(?=[\"']))\\*[\"']?"
    rb"(?P<value>[\w.!#%&*+^|~-]{1,128}=[^\s;\"'\\=<>{}$(][^\r\n\"'\\]{2,8192})",
    re.IGNORECASE,
)
_PRIVATE_TAG = re.compile(rb"<(/?)private[ \t]{0,8}>")
_PEM_BEGIN = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE $")
_PEM_OPEN = re.compile(
    rb"KEY(?: BLOCK)?-----(?=(?:\\+[nr]|[\r\n])|[\s\"'`+\\]{0,16}[A-Za-z0-9+/=]{16})|KEY(?: BLOCK)?-----$"
)


def _take_pem(image: bytes, at: int, out: Spans) -> int:
    """Mask a key block's body; without an end it is a torn block and goes to the end."""
    opened = _PEM_OPEN.match(image, at)
    if not opened or not _PEM_BEGIN.search(image, max(0, at - 60), at):
        return at + 3
    end = image.find(b"-----END", opened.end())
    end = len(image) if end < 0 else end
    out.append((opened.end(), end))
    return max(end, opened.end())


def _find_authorization(image: bytes, low: bytes, at: int, out: Spans) -> None:
    for match in _walk(_AUTHORIZATION, b"authorization", image, low, at):
        value = match["value"]
        strong = any(48 <= byte < 58 for byte in value) or len(value) >= 16
        if shapes.is_secret_value(Kind.PASSWORD, value, Style.QUOTED) and (match["scheme"] or strong):
            out.append(match.span("value"))


def _find_cookies(image: bytes, low: bytes, at: int, out: Spans) -> None:
    out.extend(match.span("value") for match in _walk(_COOKIE, b"cookie", image, low, at))


def _walk(pattern: re.Pattern[bytes], needle: bytes, image: bytes, low: bytes, at: int) -> list[re.Match[bytes]]:
    matches = []
    while at >= 0:
        match = pattern.match(image, at)
        if match:
            matches.append(match)
        at = low.find(needle, match.end() if match else at + len(needle))
    return matches


_REFERENCE = re.compile(rb"\$\{?[\w.]+\}?|<.*|\{.*|\[.*|%\w+%|[*xX.?]*", re.DOTALL)


_NO_USER = frozenset(bytes([byte]) for byte in b" \n\t\"'`/(,|") | {b""}  # decorators, package scopes


def _find_userinfo(image: bytes, out: Spans) -> None:
    at = image.find(b"@")
    while at >= 0:
        slashes = -1
        if image[at - 1 : at] not in _NO_USER:
            slashes = image.rfind(b"://", max(0, at - 512), at)
        if slashes >= 0:
            _take_userinfo(image[slashes + 3 : at], at, out)
        at = image.find(b"@", at + 1)


def _take_userinfo(userinfo: bytes, end: int, out: Spans) -> None:
    """The password of a URL, or the token that stands there alone."""
    user, colon, password = userinfo.partition(b":")
    if not userinfo or len(userinfo.split()) != 1 or any(mark in userinfo for mark in (b'"', b"'", b"<", b">", b"`")):
        return
    if b"/" in user or (b"/" in password and (b"?" in userinfo or password.split(b"/")[0].isdigit())):
        return
    secret = password if colon else user
    if _REFERENCE.fullmatch(secret) or not (colon or len(user) >= 16):
        return
    out.append((end - len(secret), end))


def _is_type_argument(image: bytes, at: int) -> bool:
    """``List<Private>``, as against a passage that somebody left open."""
    return image[at + 1 : at + 2] == b"P" and image[at + 2 : at + 3] == b"r" and image[at - 1 : at].isalnum()


def _find_private(image: bytes, low: bytes, at: int, out: Spans) -> None:
    """Mask what stands between the tags; to the end where none closes, from the beginning where none opened.

    A passage may begin in one record and end in another, and each is masked by itself.
    """
    depth = start = 0
    last_close = low.rfind(b"</private")
    for tag in _PRIVATE_TAG.finditer(low, at):
        if tag.start() > last_close and _is_type_argument(image, tag.start()):
            continue
        if not tag[1]:
            start = start if depth else tag.end()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                out.append((start, tag.start()))
                start = tag.end()
        else:
            out.append((start, tag.start()))
            start = tag.end()
    if depth:
        out.append((start, len(image)))


def _find_orphan(image: bytes, low: bytes, at: int, out: Spans) -> None:
    """A tag that closes what began before this text."""
    if not 0 <= low.find(b"<private") < at:
        _find_private(image, low, at, out)


def leaves_open(image: bytes) -> bool:
    """Does a private passage begin here that does not end here?"""
    out: Spans = []
    low = image.lower()
    at = low.find(b"<private")
    if at >= 0:
        _find_private(image, low, at, out)
    return bool(out) and out[-1][1] == len(image) and not low.rstrip().endswith(b"</private>")


_NEEDLES: tuple[tuple[bytes, Finder], ...] = (
    (b"<private", _find_private),
    (b"</private", _find_orphan),
    (b"key", _find_keys),
    (b"token", _find_named(b"token", Kind.TOKEN)),
    (b"secret", _find_named(b"secret", Kind.SECRET)),
    (b"passw", _find_named(b"passw", Kind.PASSWORD)),
    (b"passphr", _find_named(b"passphr", Kind.PASSWORD)),
    (b"pwd", _find_named(b"pwd", Kind.PASSWORD)),
    (b"authorization", _find_authorization),
    (b"cookie", _find_cookies),
    *numbers.NEEDLES,
)


_FAMILIES = {b"<private": "private", b"</private": "private", **{needle: "number" for needle, _ in numbers.NEEDLES}}


def families(image: bytes) -> set[str]:
    """The kinds of rule that find something: shape, number, private, url, named."""
    found = {name for name, finder in (("shape", find_runs), ("number", numbers.find_numbers)) if _finds(finder, image)}
    low = image.lower()
    for needle, finder in _NEEDLES:
        at, out = low.find(needle), Spans()
        if at >= 0:
            finder(image, low, at, out)
        if out:
            found.add(_FAMILIES.get(needle, "named"))
    return found | ({"url"} if b"://" in image and _finds(_find_userinfo, image) else set())


def _finds(finder: Callable[[bytes, Spans], None], image: bytes) -> bool:
    out: Spans = []
    finder(image, out)
    return bool(out)
