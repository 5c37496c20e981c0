"""What `export atif` writes before the validator of those who made the format.

    python scripts/trajectories.py [FOLDER]     FOLDER keeps what is installed; else it is thrown away

The samples of every harness go out in both versions, and Harbor's own validator reads each file. It needs little beside
itself, so the package is installed without what it asks for (it also asks for a newer Python than it needs). Not part of
`make check`: it needs the network once. The tests hold the same files against another library, `atif`.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import setup

PACKAGE = "harbor==0.26.0"
VALIDATE = """
import sys
from pathlib import Path
from harbor.utils.trajectory_validator import TrajectoryValidator
bad = 0
for file in sorted(Path(sys.argv[1]).rglob("*.json")):
    validator = TrajectoryValidator()
    if not validator.validate(file):
        bad += 1
        print(f"FAIL  {file.name}: {validator.get_errors()[:3]}")
sys.exit(bad > 0)
"""


def main():
    with tempfile.TemporaryDirectory() as scratch:
        room = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(scratch, "room")
        installed(room)
        written = Path(scratch, "written")
        counts = exported(Path(scratch), written)
        command = [sys.executable, "-c", VALIDATE, str(written)]
        code = subprocess.call(command, env={"PYTHONPATH": str(room)})
    print(f"trajectories: {counts} files, {'something is wrong' if code else 'all good'}")
    sys.exit(code)


def installed(room):
    """The validator, and what checks its models."""
    if not (room / "harbor").exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(room), "--ignore-requires-python"]
        subprocess.run([*pip, "--no-deps", PACKAGE], check=True)
        subprocess.run([*pip, "pydantic>=2.11"], check=True)


def exported(scratch, written):
    """Every sample as files of both versions; how many."""
    sys.path.insert(0, str(setup.ROOT))
    from tests.capture.harnesses import HARNESSES, OLDER, found, lay_out

    from muniment.engine.core import Engine, Settings
    from muniment.engine.indexing import index
    from muniment.engine.trajectories import VERSIONS, export_atif
    from muniment.model.scope import workspace_of

    written.mkdir()
    (scratch / "project").mkdir()
    with Engine(workspace_of(scratch / "project"), Settings(scratch / "home")) as engine:
        for harness in sorted([*HARNESSES, *OLDER]):
            index(engine, found(lay_out(harness, scratch / "samples")), named=True, adopt=True)
        return sum(len(export_atif(engine, written / version, version=version).files) for version in VERSIONS)


if __name__ == "__main__":
    setup.enter()
    main()
