"""On a server."""

from tests.properties.test_search_everywhere import *  # noqa: F403 - the tests themselves
