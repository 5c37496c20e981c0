"""On a server."""

from tests.laws.test_L04_no_model_writes import *  # noqa: F403 - the tests themselves
