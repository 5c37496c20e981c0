"""Names made from content: the same evidence has the same id on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blake3 import blake3

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUE = {c: i for i, c in enumerate(_CROCKFORD)} | {"I": 1, "L": 1, "O": 0}
ID_LENGTH = 26


def hash128(*parts: str | bytes | None) -> bytes:
    """BLAKE3, 16 bytes, over the parts, each behind its length so that no two lists collide. None is not empty."""
    return blake3(frame(*parts)).digest(length=16)


def keyed128(key: bytes, *parts: str | bytes | None) -> bytes:
    """The same under a key of 32 bytes: who has not the key can neither make it nor try words against it."""
    return blake3(frame(*parts), key=key).digest(length=16)


def frame(*parts: str | bytes | None) -> bytes:
    """The canonical bytes of a list of parts: `length:bytes` each, `-` for None."""
    out = []
    for part in parts:
        if part is None:
            out.append(b"-;")
            continue
        # The plain codec is the faster one, and nearly all names are plain.
        if isinstance(part, bytes):
            raw = part
        else:
            raw = part.encode() if part.isascii() else part.encode("utf-8", "surrogatepass")
        out.append(b"%d:%b" % (len(raw), raw))
    return b"".join(out)


def hash256(data: bytes) -> bytes:
    """BLAKE3, 32 bytes: the address of a blob."""
    return blake3(data).digest()


def show(identity: bytes) -> str:
    """16 bytes as 26 Crockford characters (base 32, most significant first)."""
    number = int.from_bytes(identity, "big")
    out = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, 32)
        out.append(_CROCKFORD[digit])
    return "".join(reversed(out))


def parse(text: str) -> bytes | None:
    """The 16 bytes of a shown id (any case, I L O read as 1 1 0), or None if it is not one."""
    if len(text) != ID_LENGTH:
        return None
    number = 0
    for character in text.upper():
        digit = _VALUE.get(character)
        if digit is None:
            return None
        number = number * 32 + digit
    return number.to_bytes(16, "big") if number < 1 << 128 else None


def is_prefix(text: str) -> bool:
    """Has the text the form of an id, or of its first characters? There may be no id that begins so."""
    return 4 <= len(text) <= ID_LENGTH and all(c in _VALUE for c in text.upper())


def parse_prefix(text: str) -> tuple[bytes, bytes] | None:
    """The lowest and highest 16-byte ids that begin with these Crockford characters, or None."""
    text = text.upper()
    if not is_prefix(text):
        return None
    low = parse(text + "0" * (ID_LENGTH - len(text)))
    high = parse(text + "Z" * (ID_LENGTH - len(text)))
    return (low, high or b"\xff" * 16) if low is not None else None


def hash_rows(rows: Iterable[Sequence[str | bytes | int | None]]) -> str:
    """BLAKE3 over rows in the order given, in hexadecimal. Nothing is held but the hash."""
    hasher = blake3()
    for row in rows:
        hasher.update(frame(*(str(cell) if isinstance(cell, int) else cell for cell in row)))
        hasher.update(b"\n")
    return hasher.hexdigest()
