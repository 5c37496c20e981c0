"""On a server."""

from tests.engine.test_turning import *  # noqa: F403 - the tests themselves
