"""On a server."""

from tests.engine.test_upkeep import *  # noqa: F403 - the tests themselves
