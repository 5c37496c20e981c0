"""`python -m muniment.harness.probing PLAN`: see `playing`."""

import sys

from muniment.harness.probing.playing import main

main(sys.argv[1:])
