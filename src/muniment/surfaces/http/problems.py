"""Errors as problem details (RFC 9457), with our codes: the same code, message and hint as everywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muniment import errors
from muniment.errors import MunimentError, RequestError

MEDIA_TYPE = "application/problem+json"
STATUS: Mapping[str, int] = {
    "usage": 400, "unauthorized": 401, "scope": 403, "foreign_origin": 403, "not_found": 404, "no_such_route": 404,
    "wrong_method": 405, "slow_body": 408, "nothing_changed": 409, "conflict": 409, "changed_meanwhile": 412,
    "too_large": 413, "media_type": 415, "foreign_host": 421, "refused": 422, "key_reused": 422, "receipt": 422,
    "too_many_requests": 429, "shape": 500, "damaged": 500, "newer_store": 500, "store": 500, "error": 500, "defect": 500,
    "missing_extra": 501, "endpoint": 502, "busy": 503, "read_only": 503, "disk_full": 507,
}  # fmt: skip
"""The status of each code; those that only this door gives stand among them."""
_CLASSES = {
    each.code: each
    for each in vars(errors).values()
    if isinstance(each, type) and issubclass(each, MunimentError) and each is not RequestError
}


def body(problem: MunimentError) -> dict[str, Any]:
    """The problem's document."""
    return {
        "type": f"urn:muniment:error:{problem.code}", "title": problem.message, "status": status(problem),
        "code": problem.code, "hint": problem.hint, "about": problem.about,
    }  # fmt: skip


def status(problem: MunimentError) -> int:
    """The status of a problem."""
    return STATUS.get(problem.code, 500)


def raised(document: Mapping[str, Any]) -> MunimentError:
    """The error that a document tells of, of the class that a local memory would have raised."""
    code, message = str(document.get("code", "error")), str(document.get("title", "the server gave no reason"))
    beside = {"hint": str(document.get("hint", "")), "about": str(document.get("about", ""))}
    known = _CLASSES.get(code)
    return known(message, **beside) if known is not None else RequestError(code, message, **beside)


schema: Mapping[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "code", "hint", "about"],
    "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
        "code": {"type": "string", "enum": sorted(STATUS)}, "hint": {"type": "string"}, "about": {"type": "string"},
    },
}  # fmt: skip
