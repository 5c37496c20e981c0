"""On a server."""

from tests.engine.test_searching import *  # noqa: F403 - the tests themselves
