"""On a server."""

from tests.engine.test_following import *  # noqa: F403 - the tests themselves
