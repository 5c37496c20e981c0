"""On a server."""

from tests.engine.test_bundles import *  # noqa: F403 - the tests themselves
