"""What a secret looks like, and what only looks like one.

Everything here works on the *image* of a text: one byte per code point, unknown code points
as ``?`` (see `masks`). Offsets in the image are therefore offsets in the text, and byte
patterns are the fastest that the standard library has.
"""

from __future__ import annotations

import base64
import binascii
import re
from enum import Enum
from functools import lru_cache

ENTROPY_MIN = 24
ENTROPY_MAX = 512  # longer runs are blobs (images, thinking signatures), not credentials

_DRAW = rb"(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{14}"  # has a digit early, as no word of code has
_WORD_PREFIX = rb"(?![xX]{6})"  # "sk-xxxxxxxx" is how people write an example

# (literal, rest). The literal is fixed text; a boundary before it is the caller's matter.
_PREFIXED: tuple[tuple[bytes, bytes], ...] = (
    # An optional run of short words (ant-, proj-, api03-), then something no CSS class is.
    (
        rb"sk-",
        rb"(?:[a-z0-9]{2,8}-){0,3}" + _WORD_PREFIX + rb"(?:[A-Za-z0-9]{16}|(?=[A-Za-z]{0,11}[0-9])[A-Za-z0-9]{12}"
        rb"|(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z])[A-Za-z0-9_-]{16})",
    ),
    (rb"gh", rb"[pousr]_" + _WORD_PREFIX + rb"[A-Za-z0-9]{16}"),
    (rb"github_pat_", _WORD_PREFIX + rb"[A-Za-z0-9_]{20}"),
    (rb"gl", rb"(?:pat|dt|ptt|rt|cbt|ft|soat)-" + _WORD_PREFIX + rb"[A-Za-z0-9_-]{14}"),
    (rb"xox", rb"[a-z]-" + _WORD_PREFIX + rb"[A-Za-z0-9-]{12}"),
    (rb"xapp-", rb"[0-9]-[A-Za-z0-9-]{12}"),
    (rb"A", rb"(?:KIA|SIA|BIA|CCA)(?!X{8})[A-Z0-9]{16}"),
    (rb"AIza", _WORD_PREFIX + rb"[A-Za-z0-9_-]{14}"),
    (rb"npm_", rb"(?:" + _DRAW + rb"|[A-Za-z0-9]{22})"),
    (rb"pypi-", rb"(?=[A-Za-z0-9_-]{0,40}[A-Z])(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16}"),
    (rb"hf_", rb"(?:" + _DRAW + rb"|[A-Za-z0-9]{22})"),
    (rb"sq0", rb"[a-z]{3}-[A-Za-z0-9_-]{16}"),
    (rb"sk_", rb"(?:live|test)_" + _WORD_PREFIX + rb"[A-Za-z0-9]{10}"),
    (rb"rk_", rb"(?:live|test)_" + _WORD_PREFIX + rb"[A-Za-z0-9]{10}"),
    (rb"pk", rb"_(?:live|test)_" + _WORD_PREFIX + rb"[A-Za-z0-9]{10}"),
    (rb"whsec_", rb"[A-Za-z0-9+/]{16}"),
    (rb"key-", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),
    (rb"do", rb"[por]_v1_[0-9a-f]{32}"),
    (rb"shp", rb"(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    (rb"dckr_pat_", rb"[A-Za-z0-9_-]{20}"),
    (rb"lin_api_", _DRAW),
    (rb"glsa_", rb"[A-Za-z0-9]{20}"),
    (rb"gsk_", _DRAW),
    (rb"xai-", rb"[A-Za-z0-9]{40}"),
    (rb"nvapi-", rb"[A-Za-z0-9_-]{40}"),
    (rb"pplx-", rb"[A-Za-z0-9]{40}"),
    (rb"r8_", _DRAW),
    (rb"figd_", rb"[A-Za-z0-9_-]{30}"),
    (rb"sbp_", rb"[0-9a-f]{40}"),
    (rb"SK", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),
    (rb"AGE-SECRET-KEY-1", rb"[A-Z0-9]{30}"),
)
_ANY_PREFIXED = b"|".join(literal + rest for literal, rest in _PREFIXED)
PREFIX_AT_START = re.compile(b"(?:" + _ANY_PREFIXED + b")")
# The first three bytes of every shape above, to turn away nearly all runs without a pattern.
PREFIX_STARTS = frozenset(
    b"sk- sk_ rk_ pk_ ghp gho ghu ghs ghr git glp gld glr glc glf gls xox xap AKI ASI ABI ACC AIz npm pyp hf_ sq0"
    b" whs key dop doo dor shp dck lin gsk xai nva ppl r8_ fig sbp AGE".split()
) | {b"SK%c" % digit for digit in b"0123456789abcdef"}
PREFIX_INSIDE = re.compile(rb"[-_+](?=[A-Za-z])(?:" + _ANY_PREFIXED + b")")

# The beginning of a key whose rest stands on the next line.
SPLIT_HEAD = re.compile(
    rb"(?<![A-Za-z0-9])(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|npm_|pypi-A|hf_"
    rb"|sq0[a-z]{3}-|[srp]k_(?:live|test)_|dop_v1_|key-|SG\.|ya29\.|eyJ)[A-Za-z0-9_.+/-]{2,60}$"
)
# The rest of a value on the next line: after a backslash anything, else a word of its own.
_CONTINUATION = re.compile(
    rb"\\\r?\n[ \t]{0,16}[A-Za-z0-9+/_.=-]{2,}"
    rb"|\r?\n[ \t]{0,16}(?P<bare>[A-Za-z0-9+/_-]{4,4096}={0,2})(?=[\s\"'`,;)]|$)"
)
_INNER_CAPITAL = re.compile(rb"[a-z][A-Z]")
JWT_TAIL = re.compile(rb"\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}")
DISCORD_TAIL = re.compile(rb"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,}")
TOKEN_HEAD = re.compile(rb"(?:(?<![A-Za-z0-9])(?:ya29|SG|hvs|hvb)\.(?:[A-Za-z0-9_-]{10,40}\.)?|(?<!\d)\d{6,12}:)$")
WEBHOOK_HEAD = re.compile(
    rb"(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/(?:v\d+/)?webhooks/)[A-Za-z0-9/]*$"
)

# Ids of tool calls, messages, requests: random, but names, not keys.
ID_RUN = re.compile(
    rb"(?:toolu|srvtoolu|call|msg|ses|session|sess|req|resp|run|thread|asst|evt|event|item|fc|rs|ws|ctc|prt|batch|org|user|usr"
    rb"|proj|wf|step|job|task|conv|src|snap|prod|price|sub|cus|in|ch|pi|pm|si|txn|file|chatcmpl|cmpl|gen|trace|span|id|ev|tool"
    rb"|agent|container|vs|ft|build|dep|deployment|inv|ord|rec|doc|msgbatch|u|g)[_-]+(?:bdrk_|vrtx_)?[A-Za-z0-9]+$"
    rb"|_{0,2}Z[A-Z]?N?\d|_R[A-Z]"  # mangled symbols
)
DIGEST_RUN = re.compile(
    rb"(?:sha(?:1|224|256|384|512)|md5|blake[23][a-z]?)[-_]|AAAA[BCE]3NzaC1|AAAAE2VjZH|AAAAGnNr", re.IGNORECASE
)
BLOB_RUN = re.compile(rb"iVBORw0KGgo|/9j/|R0lGOD|UklGR|JVBERi0|PHN2Z|UEsDB|H4sI|AAAAIGZ0eX|T2dnU|SUkq|Qk0")
DIGEST_HEAD = re.compile(
    rb"(?:sha-?\d+[:=]\s?|h1:|;base64,|(?:signature|thoughtsignature|encrypted_content|encryptedcontent|integrity|digest"
    rb"|checksum|etag|hash|fingerprint)\\*[\"']?\s?[:=]\s?\\*[\"']?)$",
    re.IGNORECASE,
)

_PIECE = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_FOLDER = re.compile(rb"(?<![^/])[a-z]{3,}(?![^/])")
_UUID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")
_HEX = b"0123456789abcdefABCDEF-"
_LETTERS = re.compile(rb"[a-z]{2,}")
# The letter pairs that make up nine tenths of the words and identifiers of real code and prose.
_PAIRS = (
    "a:bcdgilmnprstuy b:aelou c:aehiklortu d:aeiosu e:acdefglmnpqrstvwxy f:afioru g:aehirs h:aeiot "
    "i:abcdefglmnoprstvxz j:es k:eis l:adefilostuy m:abeimop n:acdefgiklopstuv o:bcdgklmnoprstuvw p:aeiloprstuy q:u "
    "r:acdegikmnorstuy s:acehikopstu t:acehiloprstuxy u:abeilmnprst v:aei w:ahiors x:aet y:pt z:e"
)
_COMMON = frozenset((group[0] + second).encode() for group in _PAIRS.split() for second in group[2:])


def looks_random(run: bytes) -> bool:
    """Whether a run of key characters is a draw of letters and digits and not a name.

    Two cheap facts separate them: a draw changes case or kind every second character, and
    its neighbouring letters are not those of words. A UUID is a name too, and so is what only
    becomes random by one (harnesses call their files by date and UUID); and two folders that
    are plain words make a path, whose parts are judged one by one.
    """
    # A transcript names the same paths and ids over and over, in each text and again in its record.
    return _is_drawn(run) if len(run) <= 2 * ENTROPY_MAX else _is_drawn.__wrapped__(run)


@lru_cache(maxsize=4096)
def _is_drawn(run: bytes) -> bool:
    if run.count(b"/") > 1 and len(_FOLDER.findall(run)) > 1:
        return False
    if run.count(b"-") >= 4:
        run = _UUID.sub(b"", run)
    if not ENTROPY_MIN <= len(run) <= ENTROPY_MAX or run.islower() or run.isupper():
        return False
    digits = len(run.translate(None, b"0123456789")) < len(run)
    if not (digits or len(run) >= 32) or not run.translate(None, _HEX):
        return False
    pieces = _PIECE.findall(run)
    letters_and_digits = sum(map(len, pieces))
    if letters_and_digits < ENTROPY_MIN - 2 or letters_and_digits > 3.2 * len(pieces):
        return False
    if not digits:
        return _wordlike(run) < 0.45
    shredded = letters_and_digits <= 2.4 * len(pieces) and sum(piece.isdigit() for piece in pieces) >= 3
    return _wordlike(run) < (0.85 if shredded else 0.62)


def continuation(image: bytes, end: int) -> int:
    """Where a value that reaches `end` really ends, if it goes on in the next line."""
    match = _CONTINUATION.match(image, end)
    if not match:
        return end
    bare = match["bare"]
    is_word = bare and bare.translate(None, b"0123456789") == bare and not _INNER_CAPITAL.search(bare)
    return end if is_word and _wordlike(bare) >= 0.62 else match.end()


def is_dense(run: bytes) -> bool:
    """Whether a long run is packed data and not a path."""
    return run.count(b"/") * 12 < len(run) and len(run) <= 3.2 * len(_PIECE.findall(run[:ENTROPY_MAX])) * max(
        1, len(run) / ENTROPY_MAX
    )


def _wordlike(run: bytes) -> float:
    pairs = [word[i : i + 2] for word in _LETTERS.findall(run[:80].lower()) for i in range(len(word) - 1)]
    return sum(pair in _COMMON for pair in pairs) / len(pairs) if pairs else 0.0


# Base64 keeps the first three bytes in the first four characters, so the start tells the shape.
_ENCODED_STARTS = frozenset(
    base64.b64encode(start)
    for start in (
        b"sk-", b"sk_", b"rk_", b"pk_", b"ghp", b"gho", b"ghs", b"ghu", b"git", b"glp", b"xox", b"AKI", b"ASI", b"AIz",
        b"ya2", b"npm", b"pyp", b"hf_", b"sq0", b"SG.", b"key", b"dop", b"---", b"eyJ",
    )
)  # fmt: skip
_DECODED = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY|ya29\.[\w-]{10}|SG\.[\w-]{10}|eyJ[\w-]{8,}\.|(?:" + _ANY_PREFIXED + b")"
)


def is_encoded_secret(run: bytes) -> bool:
    """Whether base64 text decodes to one of the prefixed shapes or to a private key."""
    if run[:4] not in _ENCODED_STARTS:
        return False
    head = run[:120].replace(b"-", b"+").replace(b"_", b"/")
    try:
        decoded = base64.b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return False
    return _DECODED.match(decoded) is not None


class Kind(Enum):
    """How much doubt a name leaves about its value."""

    PASSWORD = "password"  # noqa: S105
    SECRET = "secret"  # noqa: S105
    TOKEN = "token"  # noqa: S105


class Style(Enum):
    """Where a value stands; the more the place is code, the stronger the value must look."""

    QUOTED = "quoted"
    ENV = "env"  # NAME=value, a flag with "=", a query parameter: nothing but a literal goes there
    BARE = "bare"  # name = value or name: value without quotes; may be code


# "key" alone names a column; with one of these before it, it names a secret.
KEY_KINDS = tuple(
    b"api access secret private auth signing sign encryption account storage service master subscription shared deploy"
    b" consumer application app client admin webhook session ssh license rapidapi".split()
)
_KEY_KIND = b"(?:" + b"|".join(KEY_KINDS) + rb")[_\-. ]?"
_NAME = re.compile(
    rb"(?:(?P<password>passw(?:or)?d|passphrase|pwd)|(?P<secret>secret(?:[_\-. ]?(?:access)?[_\-. ]?key)?(?:[_-]base)?)"
    rb"|(?P<token>token|" + _KEY_KIND + rb"key))(?:[_-]?\d{1,2})?$",
    re.IGNORECASE,
)


def kind_of(name: bytes) -> Kind | None:
    """The kind of secret that a field of this name holds, by the end of the name."""
    match = _NAME.search(name[-60:])
    return Kind(match.lastgroup) if match and match.lastgroup else None


_DULL = re.compile(
    rb"""[\W_x0]*                                              # nothing, ****, xxxx, ????
    |\$\{?[\w.:-]*\}?|\$\(.*|%\w+%|<[^>]*>?|\{.*|\[.*\]?|\(.*       # references and templates
    |your[-_ .].*|.*your[-_](?:api|secret|token|key|password).*|change[-_]?(?:me|it)|replace[-_]?me|to[-_]?do
    |none|null|nil|true|false|undefined|string|str|bytes|int|bool(?:ean)?|any|optional|required|object|number|text|secretstr
    |passw(?:or)?d|passphrase|secret|token|(?:api|access|private|secret)?[-_]?key|pwd|pass|placeholder|redacted|masked|hidden
    |missing|invalid|incorrect|unknown|empty|enabled|disabled|example|default|value|test|env|self|prompt|input|field|hash(?:ed)?
    |(?:os\.environ|os\.getenv|process\.env|import\.meta|config|settings|self|this|args|opts?|options|params|env|ctx|secrets|vault
      |var|local|data|req|request|res|response|cfg|props|state|user|credentials|auth|module|steps|inputs|needs)(?:\.|\[).*
    |(?:bearer|basic)
    |[\w.]+\(.*
    |(?:\.{1,2}|~)?/[\w./-]*
    |[a-z]+://[^@]*
    |\d{4}-\d\d-\d\d.*
    |\#[0-9a-f]{3,8}
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_NAME_LIKE = re.compile(rb"[A-Za-z_]+(?:[-_./ ]?v?\d{1,2})?|[A-Za-z]+(?:[-_./ ][A-Za-z]+)*(?:[-_./]v?\d{1,2})?")
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def is_secret_value(kind: Kind, value: bytes, style: Style) -> bool:
    """Whether the value given to a secret's name is a literal secret.

    A reference, a placeholder, a type or a call is what honest code has there.
    """
    if looks_random(value):
        return True
    if len(value) < (4 if kind is Kind.PASSWORD else 6) or _DULL.fullmatch(value):
        return False
    if style is Style.ENV:
        return True
    if b" " in value or b"\t" in value:
        return False
    if style is Style.QUOTED:
        return kind is Kind.PASSWORD or _is_strong(kind, value)
    return _is_bare_secret(kind, value)


def _is_name(value: bytes) -> bool:
    if not _NAME_LIKE.fullmatch(value):
        return False
    return len(value) < 10 or (_wordlike(value) >= 0.6 and len(value) > 3 * len(_PIECE.findall(value)))


def _is_strong(kind: Kind, value: bytes) -> bool:
    if value.isalpha():
        return len(value) >= (8 if kind is Kind.SECRET else 16) or not _is_name(value)
    return not value.isdigit() and not _is_name(value)


def _is_bare_secret(kind: Kind, value: bytes) -> bool:
    has_digit = any(48 <= byte < 58 for byte in value)
    if not has_digit or _DOTTED.fullmatch(value):
        return False
    if kind is Kind.PASSWORD:
        return not value.isdigit() or len(value) >= 6
    return not value.replace(b".", b"").isdigit() and not _is_name(value)
