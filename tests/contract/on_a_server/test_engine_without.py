"""On a server."""

from tests.engine.test_without import *  # noqa: F403 - the tests themselves
