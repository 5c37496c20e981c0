"""On a server."""

from tests.laws.test_L14_one_gate_one_scope import *  # noqa: F403 - the tests themselves
