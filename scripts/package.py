"""Build the wheel, look into it, install it in an empty environment and run the demo from there with an empty home."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import docs
import setup


def main():
    with tempfile.TemporaryDirectory(prefix="muniment-package-") as name:
        room = Path(name)
        step("build the wheel")
        quietly(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", room / "dist", setup.ROOT)
        (wheel,) = (room / "dist").glob("*.whl")
        step(f"look into {wheel.name}")
        look_into(wheel)
        step("install it in an empty environment")
        quietly(sys.executable, "-m", "venv", room / "venv")
        bin_ = room / "venv" / ("Scripts" if os.name == "nt" else "bin")
        quietly(bin_ / "python", "-m", "pip", "install", "--no-input", wheel)
        step("run the demo from there, with an empty home")
        demo(bin_, room)
    print("package: all good")


def look_into(wheel):
    """Every file of the package that git would keep, code or data, is in the wheel, and nothing else."""
    names = {name.removeprefix("src/") for name, _ in docs.files() if name.startswith("src/muniment/")}
    wanted = {name for name in names if "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as opened:
        packed = {entry for entry in opened.namelist() if ".dist-info/" not in entry}
    wrong = [f"missing: {entry}" for entry in sorted(wanted - packed)]
    wrong += [f"should not be there: {entry}" for entry in sorted(packed - wanted)]
    if wrong:
        sys.exit("package: the wheel is wrong\n  " + "\n  ".join(wrong))


def demo(bin_, room):
    """The installed program, away from the checkout, knowing nothing of this user."""
    for folder in ("home", "elsewhere"):
        (room / folder).mkdir()
    keep = {key: os.environ[key] for key in ("SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP") if key in os.environ}
    home = str(room / "home")
    env = {**keep, "PATH": f"{bin_}{os.pathsep}{os.defpath}", "HOME": home, "USERPROFILE": home}
    done = subprocess.run(
        [str(bin_ / "muniment"), "demo"], cwd=room / "elsewhere", env=env, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        sys.exit(f"package: the demo ended with {done.returncode}")
    left = sorted(path.name for path in [*(room / "home").iterdir(), *(room / "elsewhere").iterdir()])
    if left:
        sys.exit(f"package: the demo left something behind: {', '.join(left)}")


def quietly(*command):
    """Run; say something only if it failed, and end here then."""
    failed = setup.run(*command)
    if failed:
        sys.exit(f"package: this failed: {' '.join(str(part) for part in command)}\n{failed}")


def step(words):
    print("==", words, flush=True)


if __name__ == "__main__":
    setup.enter()
    main()
