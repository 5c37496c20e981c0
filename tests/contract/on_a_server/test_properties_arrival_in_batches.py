"""On a server."""

from tests.properties.test_arrival_in_batches import *  # noqa: F403 - the tests themselves
