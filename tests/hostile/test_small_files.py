"""Small files that are made to take all time or memory are refused, or read in little of both."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.bombs import BOMBS, log

if sys.platform == "win32":
    pytest.skip("there is no wait4", allow_module_level=True)

SECONDS, MEGABYTES = 5, 500
"""What no file under 1 MB may take."""
SLOWER = 3
"""A machine of those that run the tests, with all that else runs on it."""


WATCH = """
import json, os, resource, sys
pid = os.fork()
if not pid:
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])
_, status, usage = os.wait4(pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""
"""A small process that starts the command: what a process takes counts what its parent had at that time."""


def taken(*command: str | Path) -> tuple[int, float, float, str]:
    """Exit code, seconds of a processor, megabytes and output of a command in a process of its own."""
    watched = subprocess.run(
        [sys.executable, "-c", WATCH, *map(str, command)],
        capture_output=True,
        check=True,
        encoding="utf-8",
        errors="replace",
    )
    code, seconds, most = json.loads(watched.stdout)
    return code, seconds, most / (1024 if sys.platform != "darwin" else 2**20), watched.stderr


def commands(path: Path) -> list[list[str | Path]]:
    if path.suffix == ".vmod":
        return [["vassalgen", "inspect", path]]
    return [["vassalgen", "inspect", path], ["referee", "audit", "--game", "postcard1943", path]]


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_takes_little_time_and_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(BOMBS[name]())
    assert path.stat().st_size < 2**20
    for command in commands(path):
        code, seconds, megabytes, output = taken(*command)
        assert code in (0, 1, 2), output
        assert "internal error" not in output
        assert seconds < SECONDS * SLOWER
        assert megabytes < MEGABYTES


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("elements.vmod", "100,000 elements of XML: 4,000,001"),
        ("attributes.vmod", "2,000 attributes in one element"),
        ("many attributes.vmod", "100,000 elements of XML: 300,001"),
        ("pieces in one stack.vlog", "400,000 events"),
        ("players.vlog", "200 players: 20,000"),
        ("owners.vlog", "200 players"),
    ],
)
def test_a_refusal_names_the_limit_and_how_to_raise_it(name: str, limit: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(BOMBS[name]())
    command = ["vassalgen", "inspect"] if path.suffix == ".vmod" else ["referee", "replay"]
    _, _, _, output = taken(*command, path)
    assert f"more than {limit}" in output
    assert "if you trust it: --limit " in output


def test_a_limit_that_is_raised_as_advised_lets_the_file_in(tmp_path: Path) -> None:
    path = tmp_path / "players.vlog"
    path.write_bytes(log(players=[f"PLAYER\tpassword{n}\tAda\tAllies" for n in range(300)]))
    _, _, _, output = taken("referee", "replay", path)
    size = output.split("--limit ")[1].split()[0]
    code, _, _, output = taken("referee", "replay", path, "--limit", size)
    assert (code, output) == (0, "")
