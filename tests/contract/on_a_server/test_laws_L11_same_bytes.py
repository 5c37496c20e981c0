"""On a server."""

from tests.laws.test_L11_same_bytes import *  # noqa: F403 - the tests themselves
