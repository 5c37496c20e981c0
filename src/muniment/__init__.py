"""A local-first memory for AI agents: every remembered fact carries the receipt that proves it."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true: a hook cannot pay for the module of types
if TYPE_CHECKING:
    from typing import Any

    from muniment.errors import MunimentError
    from muniment.surfaces.library import Memory

    __version__: str

__all__ = ["Memory", "MunimentError", "__version__"]


def __getattr__(name: str) -> Any:
    """The public names, loaded when asked for: a program that asks for one of them does not pay for the others."""
    if name == "Memory":
        from muniment.surfaces.library import Memory

        return Memory
    if name == "MunimentError":
        from muniment.errors import MunimentError

        return MunimentError
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("muniment")
        except PackageNotFoundError:  # run from a source tree that nobody installed
            return "0+source"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
