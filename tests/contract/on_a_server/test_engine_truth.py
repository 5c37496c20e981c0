"""On a server."""

from tests.engine.test_truth import *  # noqa: F403 - the tests themselves
