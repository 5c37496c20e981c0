"""Secrets that are one long run of key characters: prefixed keys, tokens, random strings.

Runs are found on a copy of the image that holds ones and zeros, by a plain search for twenty
ones: such a search skips most of the text.
"""

from __future__ import annotations

import re

from muniment.gate import secret_shapes as shapes

Spans = list[tuple[int, int]]

_RUN_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+"
_BASE64_BYTES = _RUN_BYTES + b"/"
_RUN_CLASS = bytes(1 if byte in _RUN_BYTES else 0 for byte in range(256))
_BASE64_CLASS = bytes(1 if byte in _BASE64_BYTES else 0 for byte in range(256))
_KEY_BYTES = frozenset(bytes([byte]) for byte in _RUN_BYTES)
_LONG_RUN = b"\1" * 20
_LONG_BASE64 = b"\1" * 40
_BASE64_REST = re.compile(rb"[A-Za-z0-9+/_-]*={0,2}")
_QUOTE, _NOTHING = 34, 32
_BLANKS = frozenset(b" \t\n")
# What most quoted runs of a transcript are: nothing before a quote makes a secret of them, so they are let go at once.
_PLAIN_ID = re.compile(
    rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:toolu|call|msg|req|resp|fc|rs|prt|ses)_[A-Za-z0-9]{1,80}"
)
_LOOK_BACK = 4096
_WINDOW = 16384
_BEFORE_BLANK = frozenset((b"r", b"R", b" ", b"\t", b"\n"))  # the end of "bearer", or an indent


def find_runs(image: bytes, out: Spans) -> None:
    """Add the spans of all long runs that are secrets, with the parts that belong to them."""
    classes = image.translate(_RUN_CLASS)
    if b"/" in image:
        _find_base64(image, image.translate(_BASE64_CLASS), out)
    find = classes.find
    size = len(image)
    behind = 0
    # In windows: for a long text the substring search prepares itself anew at every call.
    for window in range(0, size, _WINDOW):
        limit = window + _WINDOW + len(_LONG_RUN) - 1
        start = find(_LONG_RUN, max(window, behind), limit)
        while start >= 0:
            end = find(0, start)
            if end < 0:
                end = size
            run = image[start:end]
            dull = end - start < 36 and run.islower() and run[:3] not in shapes.PREFIX_STARTS
            before = image[start - 1] if start else _NOTHING
            if (dull and before not in _BLANKS) or (before == _QUOTE and _PLAIN_ID.fullmatch(run)):
                behind = end
            else:
                behind = _judge_run(image, run, start, end, out)
            start = find(_LONG_RUN, behind, limit)


def _find_base64(image: bytes, classes: bytes, out: Spans) -> None:
    """Random base64 whose slashes leave no long run between them; paths are turned away."""
    behind = 0
    for window in range(0, len(image), _WINDOW):
        limit = window + _WINDOW + len(_LONG_BASE64) - 1
        start = classes.find(_LONG_BASE64, max(window, behind), limit)
        while start >= 0:
            behind = classes.find(0, start)
            behind = behind if behind >= 0 else len(image)
            run = image[start:behind]
            if b"/" in run and run[:3] != b"sha" and shapes.looks_random(run) and not _is_known_name(image, run, start):
                out.append((start, behind))
            start = classes.find(_LONG_BASE64, behind, limit)


def _judge_run(image: bytes, run: bytes, start: int, end: int, out: Spans) -> int:
    """Judge one run; return where to go on."""
    lower = run.islower()
    match = None
    if run[:3] in shapes.PREFIX_STARTS:
        match = shapes.PREFIX_AT_START.match(image, start, end)
    # A lower-case key inside a longer name is one of the long hexadecimal shapes.
    if not match and (not lower or (end - start >= 36 and not run.isalnum())):
        match = shapes.PREFIX_INSIDE.search(image, start, end)
    if match:
        return _take_prefixed(image, match, end, out)
    if not lower:
        return _judge_mixed(image, run, start, end, out)
    if start and image[start - 1] in b" \t\n" and _judge_by_head(image, start, end, out):
        return out[-1][1]
    return end


def _take_prefixed(image: bytes, match: re.Match[bytes], end: int, out: Spans) -> int:
    start = match.start() + (match[0][:1] in b"-_+")
    out.append((start, shapes.continuation(image, end)))
    return out[-1][1]


def _judge_mixed(image: bytes, run: bytes, start: int, end: int, out: Spans) -> int:
    """Take a run by what stands around it or by its randomness; return where to go on."""
    if run.startswith(b"eyJ") and (tail := shapes.JWT_TAIL.match(image, end)):
        out.append((start, shapes.continuation(image, tail.end())))
        return out[-1][1]
    if _is_digest(image, run, start):
        rest = _BASE64_REST.match(image, end)
        return rest.end() if rest else end
    if start and _judge_by_head(image, start, end, out):
        return out[-1][1]
    if shapes.looks_random(run) or shapes.is_encoded_secret(run):
        return _take_random(image, start, end, out)
    return end


def _is_digest(image: bytes, run: bytes, start: int) -> bool:
    """Turn lock-file digests away early: they are the commonest random runs of all."""
    if start and image[start - 1] == 47:
        head = image[max(0, start - 96) : start]
        run = head[len(head.rstrip(_BASE64_BYTES)) :]
    return run[:3] in (b"sha", b"AAA") and shapes.DIGEST_RUN.match(run) is not None


def _judge_by_head(image: bytes, start: int, end: int, out: Spans) -> bool:
    """Take a run because of the characters before it: a scheme, a host, a key's first half."""
    before = image[start - 1]
    if before not in b" \t\n.:/" or (before == 32 and image[start - 2 : start - 1] not in _BEFORE_BLANK):
        return False
    length = _head_length(image[max(0, start - 100) : start], before)
    if length is None:
        return False
    tail = _BASE64_REST.match(image, end)
    out.append((start - length, tail.end() if tail else end))
    return True


def _head_length(head: bytes, before: int) -> int | None:
    """How much of the text before a run belongs to its secret; None when it is not one."""
    if before in b".:":
        match = shapes.TOKEN_HEAD.search(head)
        return len(head) - match.start() if match else None
    if before == 47:
        return 0 if shapes.WEBHOOK_HEAD.search(head) else None
    if head[-7:].lower() == b"bearer ":
        return 0
    first_half = head.rstrip(b" \t\r\n\\")
    gap = head[len(first_half) :]
    if b"\n" not in gap or len(gap) > 20 or first_half[-1:] not in _KEY_BYTES:
        return None
    match = shapes.SPLIT_HEAD.search(first_half.split()[-1])
    return len(head) - len(first_half) + len(match[0]) if match else None


def _take_random(image: bytes, start: int, end: int, out: Spans) -> int:
    """Take a random run, or pass over the digest, id or blob that it belongs to."""
    head = image[max(0, start - _LOOK_BACK) : start]
    whole_start = start - (len(head) - len(head.rstrip(_BASE64_BYTES)))
    rest = _BASE64_REST.match(image, end)
    whole_end = rest.end() if rest else end
    whole = image[whole_start:whole_end]
    if shapes.is_encoded_secret(whole):
        out.append((whole_start, whole_end))
        return whole_end
    if len(whole) > shapes.ENTROPY_MAX and shapes.is_dense(whole):
        return whole_end
    if _is_known_name(image, whole, whole_start):
        return whole_end
    if shapes.ID_RUN.match(image[start:end]):
        return end
    if shapes.looks_random(whole):
        start, end = whole_start, whole_end
    tail = shapes.DISCORD_TAIL.match(image, end)
    out.append((start, tail.end() if tail else end))
    return out[-1][1]


def _is_known_name(image: bytes, whole: bytes, start: int) -> bool:
    if shapes.DIGEST_RUN.match(whole) or shapes.BLOB_RUN.match(whole):
        return True
    return shapes.DIGEST_HEAD.search(image[max(0, start - 40) : start]) is not None
