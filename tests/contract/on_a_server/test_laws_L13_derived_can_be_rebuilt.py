"""On a server."""

from tests.laws.test_L13_derived_can_be_rebuilt import *  # noqa: F403 - the tests themselves
