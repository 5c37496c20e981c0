"""On a server."""

from tests.properties.test_verbs_apart import *  # noqa: F403 - the tests themselves
