"""Fixtures that several folders share: an engine over a temporary folder, its clock, and the person."""

from tests.engine.conftest import clock, engine, make_engine, person

__all__ = ["clock", "engine", "make_engine", "person"]
