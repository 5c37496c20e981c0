"""On a server."""

from tests.laws.test_L12_order_does_not_matter import *  # noqa: F403 - the tests themselves
