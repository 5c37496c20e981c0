"""On a server."""

from tests.engine.test_comparing import *  # noqa: F403 - the tests themselves
