"""Make a release: ``.venv/bin/python tools/release.py [DIR]`` writes it into ``dist/release``.

The wheel and the source distribution, the module of every game, notes from ``CHANGELOG.md``, and checksums of
all of them (``sha256sum --check SHA256SUMS`` verifies a download).
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUMS = "SHA256SUMS"
NOTES = "NOTES.md"


def version() -> str:
    """Return the version in pyproject.toml."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return found


def notes(log: str, number: str) -> str:
    """Return the section of a version in the log of changes; SystemExit if there is none, or it is empty."""
    match = re.search(rf"^## {re.escape(number)}(?![\w.]).*\n((?:(?!## ).*\n?)*)", log, re.MULTILINE)
    if match is None or not match[1].strip():
        raise SystemExit(f"CHANGELOG.md has no notes for version {number}: add a section '## {number}'")
    return match[1].strip() + "\n"


def checksums(folder: Path) -> str:
    """Return a line for each file in a folder, in the form of sha256sum."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def modules(folder: Path) -> None:
    """Build the module of every game that comes with the package."""
    sys.path.insert(0, str(ROOT))
    from vassalgen.compile import compile_game
    from vassalgen.game.finding import open_game, shipped_games

    for name in shipped_games():
        game = open_game(name)
        compile_game(game).write(folder / f"{name}-{game.version}.vmod")


def packages(folder: Path) -> None:
    """Build the wheel and the source distribution."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)


def release(folder: Path) -> None:
    """Write everything that a release needs into an empty folder."""
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    packages(folder)
    modules(folder)
    (folder / NOTES).write_text(text, encoding="utf-8", newline="\n")
    (folder / SUMS).write_text(
        checksums(folder), encoding="utf-8", newline="\n"
    )  # sha256sum does not accept CR


def main() -> None:
    """Make a release, and list what was made."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist" / "release", metavar="DIR")
    folder = parser.parse_args().folder
    if folder.exists() and any(folder.iterdir()) and not (folder / SUMS).is_file():
        raise SystemExit(f"{folder} is not empty and holds no release: name another folder")
    release(folder)
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:>10,}  {path}")


if __name__ == "__main__":
    main()
