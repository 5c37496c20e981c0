"""On a server."""

from tests.properties.test_settle_in_the_store import *  # noqa: F403 - the tests themselves
