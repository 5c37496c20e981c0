"""The command line as a person runs it: what is around this test run (an agent, perhaps) is not looked at."""

from muniment.surfaces.cli import caller
from muniment.surfaces.cli.main import entry

caller.processes = lambda: iter(())
entry()
