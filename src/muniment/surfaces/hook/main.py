"""`muniment-hook HARNESS [EVENT]`: what harnesses run as a hook; the event is on stdin.

Run it as a file, by an absolute interpreter with `-S -E -s`: that starts in a third of the time of the installed program. A
file that is run is compiled each time, so what it does stands in `answering`.
"""

from __future__ import annotations

import os
import sys


def entry() -> None:
    """What the installed program and the file call. It does not return."""
    from muniment.surfaces.hook.answering import run

    run()


def _find_ourselves() -> None:
    """Run as a file without the start-up of `site`, nothing of ours is on the path, and maybe none of our libraries."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    inner = ("Lib",) if sys.platform == "win32" else ("lib", "python%d.%d" % sys.version_info[:2])  # noqa: UP031
    sys.path.append(os.path.join(prefix, *inner, "site-packages"))
    try:
        import muniment.model.ground  # noqa: F401 - it is needed at once; where its library is, the others are
    except ImportError:
        import site

        site.main()


if __name__ == "__main__":
    _find_ourselves()
    entry()
