"""On a server."""

from tests.laws.test_L15_a_hook_never_hurts import *  # noqa: F403 - the tests themselves
