"""The commands of the README. Each does all its set-up by itself; Python 3.11 or later is enough.

    python3 tools/dev.py demo     the main job, on files that ship with the project
    python3 tools/dev.py test     the tests; whatever follows goes to pytest
    python3 tools/dev.py lint     style and types
    python3 tools/dev.py setup    nothing but the set-up

The set-up is a virtual environment in the checkout (``.venv``, or the folder that ``VASSALGEN_VENV`` names)
with the dependencies pinned in ``tools/requirements.txt`` and the project itself, editable.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINNED = ROOT / "tools" / "requirements.txt"
OLDEST = (3, 11)


def environment() -> Path:
    """The folder of the virtual environment."""
    return Path(os.environ.get("VASSALGEN_VENV", ROOT / ".venv"))


def program(name: str) -> Path:
    """Where the environment keeps a program."""
    if os.name == "nt":
        return environment() / "Scripts" / f"{name}.exe"
    return environment() / "bin" / name


def set_up() -> None:
    """Create the environment, unless there is one that fits the pinned dependencies."""
    wanted = hashlib.sha256(PINNED.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    stamp = environment() / "vassalgen-set-up"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    print(f"Setting up {environment()} (once) ...", file=sys.stderr, flush=True)
    venv.create(environment(), with_pip=True, clear=True)
    pip = (str(program("python")), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--requirement", PINNED)
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT)
    stamp.write_text(wanted, encoding="utf-8")


def run(*command: str | Path, fine: tuple[int, ...] = (0,)) -> None:
    """Run a command in the project's folder; end with its exit code unless that is in ``fine``."""
    sys.stdout.flush()
    code = subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode
    if code not in fine:
        raise SystemExit(code or 1)


def demo() -> None:
    """Build a module, and audit a game that was played with it and in which rules were broken."""
    module = ROOT / "dist" / "postcard1943.vmod"
    log = ROOT / "tests" / "data" / "postcard1943" / "breaches.vlog"
    module.parent.mkdir(exist_ok=True)
    run(program("vassalgen"), "build", "postcard1943", "-o", module)
    run(program("vassalgen"), "inspect", module)
    run(program("vassalgen"), "inspect", log)
    page = module.with_name("audit.html")
    run(program("referee"), "audit", log, "--module", module, "--page", page, fine=(1,))
    print(f"\nThe same as a page, for a browser: {page}")


def test(*arguments: str) -> None:
    """Run the tests on all cores."""
    run(program("python"), "-m", "pytest", "-n", "auto", *arguments)


def lint() -> None:
    """Check style and types."""
    run(program("ruff"), "format", "--check", ".")
    run(program("ruff"), "check", ".")
    run(program("mypy"))


def main(arguments: list[str]) -> None:
    """Do what the first argument says."""
    if sys.version_info < OLDEST:
        raise SystemExit(
            f"Python {'.'.join(map(str, OLDEST))} or later is needed, this is {sys.version.split()[0]}"
        )
    verbs: dict[str, Callable[..., None]] = {"demo": demo, "test": test, "lint": lint, "setup": set_up}
    if not arguments or arguments[0] not in verbs or (arguments[1:] and arguments[0] != "test"):
        print(__doc__, file=sys.stderr)
        raise SystemExit(2)
    set_up()
    verbs[arguments[0]](*arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
