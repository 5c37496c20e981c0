"""On a server."""

from tests.engine.test_ingesting import *  # noqa: F403 - the tests themselves
