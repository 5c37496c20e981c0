"""On a server."""

from tests.engine.test_transfer import *  # noqa: F403 - the tests themselves
