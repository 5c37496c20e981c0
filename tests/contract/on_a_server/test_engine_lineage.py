"""On a server."""

from tests.engine.test_lineage import *  # noqa: F403 - the tests themselves
