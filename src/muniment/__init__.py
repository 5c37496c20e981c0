"""A local-first memory for AI agents: every remembered fact carries the receipt that proves it."""

from __future__ import annotations

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """`__version__`, read when asked for: finding the installed version costs more than importing the package."""
    if name == "__version__":
        from importlib.metadata import version

        return version("muniment")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
