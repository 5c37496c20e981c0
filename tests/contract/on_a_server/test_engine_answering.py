"""On a server."""

from tests.engine.test_answering import *  # noqa: F403 - the tests themselves
