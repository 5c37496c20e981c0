"""On a server."""

from tests.laws.test_L01_receipt_or_nothing import *  # noqa: F403 - the tests themselves
