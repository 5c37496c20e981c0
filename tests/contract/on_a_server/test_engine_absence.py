"""On a server."""

from tests.engine.test_absence import *  # noqa: F403 - the tests themselves
