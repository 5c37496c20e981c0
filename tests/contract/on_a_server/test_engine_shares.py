"""On a server."""

from tests.engine.test_shares import *  # noqa: F403 - the tests themselves
