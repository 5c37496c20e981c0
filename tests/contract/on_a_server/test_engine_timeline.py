"""On a server."""

from tests.engine.test_timeline import *  # noqa: F403 - the tests themselves
