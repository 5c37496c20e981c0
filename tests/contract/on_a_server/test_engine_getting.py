"""On a server."""

from tests.engine.test_getting import *  # noqa: F403 - the tests themselves
