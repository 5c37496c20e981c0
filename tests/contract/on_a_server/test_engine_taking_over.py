"""On a server."""

from tests.engine.test_taking_over import *  # noqa: F403 - the tests themselves
