"""On a server."""

from tests.laws.test_L09_zero_effect_is_an_error import *  # noqa: F403 - the tests themselves
