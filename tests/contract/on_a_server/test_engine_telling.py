"""On a server."""

from tests.engine.test_telling import *  # noqa: F403 - the tests themselves
from tests.engine.test_telling import _kept  # noqa: F401 - what every test of it needs
