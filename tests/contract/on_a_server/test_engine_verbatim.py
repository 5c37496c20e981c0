"""On a server."""

from tests.engine.test_verbatim import *  # noqa: F403 - the tests themselves
