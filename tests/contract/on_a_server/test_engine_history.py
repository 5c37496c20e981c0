"""On a server."""

from tests.engine.test_history import *  # noqa: F403 - the tests themselves
