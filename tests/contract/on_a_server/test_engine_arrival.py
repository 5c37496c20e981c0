"""On a server."""

from tests.engine.test_arrival import *  # noqa: F403 - the tests themselves
