"""Serves the memory of the folder that is named, by stdio."""

import runpy
import sys

sys.argv = ["muniment", "mcp", "-C", sys.argv[1]]
runpy.run_module("muniment", run_name="__main__")
