"""On a server."""

from tests.engine.test_telling import *  # noqa: F403 - the tests themselves
