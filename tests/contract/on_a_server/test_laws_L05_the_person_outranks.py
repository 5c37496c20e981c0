"""On a server."""

from tests.laws.test_L05_the_person_outranks import *  # noqa: F403 - the tests themselves
