"""On a server."""

from tests.laws.test_L03_append_only import *  # noqa: F403 - the tests themselves
