"""On a server."""

from tests.properties.test_selectors_end_to_end import *  # noqa: F403 - the tests themselves
