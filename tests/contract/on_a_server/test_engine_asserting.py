"""On a server."""

from tests.engine.test_asserting import *  # noqa: F403 - the tests themselves
