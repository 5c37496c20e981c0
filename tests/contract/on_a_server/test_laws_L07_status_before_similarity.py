"""On a server."""

from tests.laws.test_L07_status_before_similarity import *  # noqa: F403 - the tests themselves
