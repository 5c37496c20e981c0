"""On a server."""

from tests.engine.test_reviewing import *  # noqa: F403 - the tests themselves
