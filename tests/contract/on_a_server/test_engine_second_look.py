"""On a server."""

from tests.engine.test_second_look import *  # noqa: F403 - the tests themselves
