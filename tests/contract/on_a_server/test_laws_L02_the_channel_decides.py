"""On a server."""

from tests.laws.test_L02_the_channel_decides import *  # noqa: F403 - the tests themselves
