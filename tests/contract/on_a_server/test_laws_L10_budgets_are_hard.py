"""On a server."""

from tests.laws.test_L10_budgets_are_hard import *  # noqa: F403 - the tests themselves
