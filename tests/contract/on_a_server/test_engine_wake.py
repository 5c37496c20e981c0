"""On a server."""

from tests.engine.test_wake import *  # noqa: F403 - the tests themselves
