"""On a server."""

from tests.engine.test_stating import *  # noqa: F403 - the tests themselves
