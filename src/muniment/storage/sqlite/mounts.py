"""What kind of file system a path is on: write-ahead logs need memory that all readers share; networks have none."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NETWORK = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs ncpfs afs afpfs webdav davfs fuse.davfs fuse.sshfs sshfs fuse.rclone 9p v9fs"
    " virtiofs vboxsf vmhgfs fuse.vmhgfs-fuse prl_fs drvfs ceph fuse.ceph glusterfs fuse.glusterfs lustre beegfs gpfs"
    " orangefs pvfs2 fuse.s3fs fuse.gcsfuse fuse.grpcfuse fakeowner osxfs".split()
)
"""Types of file systems that more than one machine may have mounted, or that a host lends to a guest."""

_TABLE = Path("/proc/mounts")
_ESCAPES = (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\"))


def mount_type(path: Path, table: str | None = None) -> str | None:
    """The type of the file system that holds `path`, or None where it cannot be told.

    On Linux it is read from the kernel's table of mounts (or from `table`); on Windows a network path is `cifs`.
    """
    if sys.platform == "win32":
        return "cifs" if str(path).startswith("\\\\") else None
    if table is None:
        table = _read_table()
    real = os.path.realpath(path)
    best, found = "", None
    for line in table.splitlines():
        fields = line.split(" ")
        if len(fields) >= 3:
            point = _plain(fields[1])
            # The last of several mounts on one point covers those before it.
            if _holds(point, real) and len(point) >= len(best):
                best, found = point, fields[2]
    return found


def is_network(kind: str | None) -> bool:
    """Is this a type that write-ahead logs are not safe on?"""
    return kind in NETWORK


def _read_table() -> str:
    try:
        return _TABLE.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _plain(point: str) -> str:
    for escaped, plain in _ESCAPES:
        point = point.replace(escaped, plain)
    return point


def _holds(point: str, path: str) -> bool:
    return path == point or path.startswith(point if point.endswith("/") else point + "/")
