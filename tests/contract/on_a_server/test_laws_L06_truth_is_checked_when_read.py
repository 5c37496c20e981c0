"""On a server."""

from tests.laws.test_L06_truth_is_checked_when_read import *  # noqa: F403 - the tests themselves
