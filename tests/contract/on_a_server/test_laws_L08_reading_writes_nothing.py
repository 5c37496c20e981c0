"""On a server."""

from tests.laws.test_L08_reading_writes_nothing import *  # noqa: F403 - the tests themselves
