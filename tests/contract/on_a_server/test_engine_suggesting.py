"""On a server."""

from tests.engine.test_suggesting import *  # noqa: F403 - the tests themselves
