"""On a server."""

from tests.engine.test_told_whole import *  # noqa: F403 - the tests themselves
