"""On a server."""

from tests.engine.test_identifiers import *  # noqa: F403 - the tests themselves
