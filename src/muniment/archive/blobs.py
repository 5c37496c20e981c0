"""Blobs: zstd-compressed, content-addressed bytes.

The dictionary is shipped with the package and trained on generated transcripts, never on anybody's text: so erasing a
blob erases all that was learnt from it. A frame names its dictionary by id, and old dictionaries stay readable.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import zstandard

_LEVEL = 3
_DICTIONARY = "dictionary.zstd"


@cache
def _compressor() -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=_LEVEL, dict_data=_dictionary(), write_content_size=True)


@cache
def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor(dict_data=_dictionary())


@cache
def _dictionary() -> zstandard.ZstdCompressionDict:
    data = resources.files("muniment.archive").joinpath(_DICTIONARY).read_bytes()
    dictionary = zstandard.ZstdCompressionDict(data)
    dictionary.precompute_compress(level=_LEVEL)
    return dictionary


def pack(data: bytes) -> bytes:
    """Compress one blob."""
    return _compressor().compress(data)


def unpack(packed: bytes, size: int) -> bytes:
    """The bytes of a packed blob of `size` bytes. Raises ValueError if the frame is damaged."""
    try:
        return _decompressor().decompress(packed, max_output_size=max(size, 1))
    except zstandard.ZstdError as error:
        raise ValueError(f"damaged blob: {error}") from error


def expand(packed: bytes, most: int) -> bytes:
    """The bytes of the zstd frames of another program, at most `most` of them. Raises ValueError if it is none or larger."""
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
            data = stream.read(most + 1)
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
    if len(data) > most:
        raise ValueError(f"expands to more than {most} bytes")
    return data
