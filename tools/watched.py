"""A folder with forty good logs and forty hostile ones, and what `referee watch` makes of it.

    python3 tools/watched.py FOLDER [HOSTILE]

FOLDER is written; it must not be there yet. HOSTILE is a folder of further hostile logs. The good ones are
those in `tests/data`, of all four games. The hostile ones are cut off, changed in their bytes, empty, 3 GB of
nothing, zips within zips, other files under the name of a log, links that lead to themselves, copies of good
ones, and those in HOSTILE. Forty pages are to come of it, a line for each of the good logs and one for each
of the others, and the exit code of an audit. Exit code 0: so it was; 1: it was not; 2: no folder is named, it
is there already, or there is no HOSTILE.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile.bombs import BOMBS
from vassalgen.commandline import closed_pipes
from vassalgen.game.finding import shipped_games

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "tests" / "data"
COUNT = 40
UNREADABLE = 2


def good_logs() -> Iterator[Path]:
    """The logs of all four games; last, those that VASSAL wrote for careless players."""
    for pattern in ("*.vlog", "careless/*.vlog"):
        for game in sorted(shipped_games()):
            yield from sorted((LOGS / game).glob(pattern))


def hostile_files(good: list[Path], further: Path | None) -> Iterator[tuple[str, bytes]]:
    """Names and contents; last, those that may occur any number of times."""
    yield "empty", b""
    yield "text", b"I attack with everything.\n" * 400
    yield "page", b"<!doctype html><title>Audit</title>"
    yield "picture", b"\x89PNG\r\n\x1a\n" + bytes(200)
    yield "zip of nothing", _zip({})
    yield "module", (LOGS / "skirmish" / "skirmish.vmod").read_bytes()
    yield "game of no rulebook", (LOGS / "skirmish" / "skirmish.vlog").read_bytes()
    yield "zip in zips", _zip({"savedGame": _zip({"savedGame": _zip({"savedGame": b"!VCSK00"})})})
    yield "\u202egolv.doog\u202c \x1b[31m", b"PK\x03\x04" + bytes(100)
    for path in sorted(further.glob("*.vlog")) if further else ():
        yield f"further {path.stem}", path.read_bytes()
    yield from (
        (name.removesuffix(".vlog"), make()) for name, make in BOMBS.items() if name.endswith(".vlog")
    )
    for number in range(4):
        yield f"copy {number}", good[number].read_bytes()
    rng = random.Random(7)  # noqa: S311 - the same folder every time
    for number in range(COUNT):
        content = bytearray(rng.choice(good).read_bytes())
        if number % 2:
            yield f"cut off {number}", bytes(content[: rng.randrange(len(content))])
        else:  # in the middle, where the compressed game is: its checksum is then wrong
            for _ in range(50):
                content[rng.randrange(len(content) // 4, len(content) // 2)] ^= rng.randrange(1, 256)
            yield f"changed {number}", bytes(content)


def _zip(entries: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


def fill(folder: Path, further: Path | None) -> None:
    """Write the eighty files."""
    folder.mkdir(parents=True)
    good = list(islice(good_logs(), COUNT))
    for number, path in enumerate(good):
        shutil.copyfile(path, folder / f"good {number:02} {path.parent.name} {path.name}")
    with (folder / "hostile 00 sparse.vlog").open("wb") as file:
        file.truncate(3 << 30)
    (folder / "hostile 01 link.vlog").symlink_to("hostile 01 link.vlog")
    for number, (name, content) in enumerate(islice(hostile_files(good, further), COUNT - 2), 2):
        (folder / f"hostile {number:02} {name}.vlog").write_bytes(content)


def main(words: list[str]) -> int:
    """Fill a folder that does not exist yet, watch it once, and count the results."""
    folder, *rest = map(Path, words) if words else (None,)
    if folder is None or folder.exists() or len(rest) > 1 or not all(one.is_dir() for one in rest):
        print("watched.py FOLDER [HOSTILE]: FOLDER must not be there yet, HOSTILE must be", file=sys.stderr)
        return 2
    fill(folder, rest[0] if rest else None)
    command = [sys.executable, "-m", "referee", "watch", str(folder), "--once"]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", cwd=ROOT, check=False
    )
    print(done.stdout + done.stderr, end="")
    pages = sorted(path.name for path in folder.glob("*.html"))
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "hostile " in line]
    named = {number for line in lines for number in re.findall(r"hostile (\d\d)", line)[:1]}
    said = [line for line in done.stdout.splitlines() if line.startswith("good ")]
    print(
        f"{len(pages)} pages, {len(said)} lines about good logs, {len(lines)} lines about {len(named)} "
        f"hostile ones, exit code {done.returncode}"
    )
    right = all(name.startswith("good ") for name in pages) and len(pages) == len(said) == COUNT
    return int(not (right and len(lines) == len(named) == COUNT and done.returncode == UNREADABLE))


if __name__ == "__main__":
    with closed_pipes():
        sys.exit(main(sys.argv[1:]))
