"""On a server."""

from tests.properties.test_order_independence import *  # noqa: F403 - the tests themselves
