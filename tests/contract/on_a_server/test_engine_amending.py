"""On a server."""

from tests.engine.test_amending import *  # noqa: F403 - the tests themselves
