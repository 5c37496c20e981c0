"""On a server."""

from tests.engine.test_tracing import *  # noqa: F403 - the tests themselves
