"""These run where the encrypting build of the driver is the one that is found: `python scripts/walls.py encryption`.

Elsewhere they are not collected; what the plain build says of encrypted stores stands in tests/storage.
"""

from __future__ import annotations

import apsw

collect_ignore_glob = [] if hasattr(apsw, "mc_version") else ["test_*.py"]
