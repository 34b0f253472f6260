"""``tools/loading.py`` as far as it goes without VASSAL: what it refuses, and its table of given times."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.hostile.bombs import log, module, root
from tools import loading

TOLD = """\
17:32:59,119 |-INFO in ch.qos.logback - what VASSAL logs
module\tPostcard Tunisia 1943, version 6
load\tThe battle\t42\t1.875\t1.01
load\tThe battle\t42\t0.52\t0.50
load\tThe battle\t42\t0.40\t0.44
load\tThe battle\t42\t0.45\t0.42
load\tEmpty board\t4\t0.30\t0.30
load\tEmpty board\t4\t0.25\t0.20
load\tEmpty board\t4\t0.21\t0.23
load\tEmpty board\t4\t0.22\t0.24
"""

Tell = Callable[..., None]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder laid out like VASSAL's."""
    folder = tmp_path / "VASSAL"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "Vengine.jar").touch()
    return folder


@pytest.fixture
def a_module(tmp_path: Path) -> Path:
    path = tmp_path / "game.vmod"
    path.write_bytes(module(root("")))
    return path


@pytest.fixture
def tell(monkeypatch: pytest.MonkeyPatch) -> Tell:
    """Have VASSAL say something."""

    def tell(said: str, code: int = 0, errors: str = "") -> None:
        def run(arguments: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
            if "--list-modules" in arguments:
                return subprocess.CompletedProcess(arguments, 0, "java.base@17\njdk.compiler@17\n", "")
            return subprocess.CompletedProcess(arguments, code, said, errors)

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setattr("shutil.which", lambda name: name)

    return tell


def run(*arguments: Path) -> Result:
    return CliRunner().invoke(loading.main, [str(one) for one in arguments])


def test_a_set_up_has_its_first_time_the_least_of_the_others_and_the_share_of_a_piece(
    release: Path, a_module: Path, tell: Tell
) -> None:
    tell(TOLD)
    result = run(release, a_module)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        loading.HEAD,
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| Postcard Tunisia 1943, version 6 | The battle | 42 | 1.88 | 0.40 | 1.01 | 0.42 | 5.0 | 5.8 |",
        "| Postcard Tunisia 1943, version 6 | Empty board | 4 | 0.30 | 0.21 | 0.30 | 0.20 |  |  |",
    ]


def test_a_module_without_set_ups_has_no_rows(release: Path, a_module: Path, tell: Tell) -> None:
    tell("module\tA game, version 1\n")
    assert len(run(release, a_module).output.splitlines()) == 2


def test_several_modules_stand_in_one_table(release: Path, a_module: Path, tell: Tell) -> None:
    tell(TOLD)
    assert len(run(release, a_module, a_module).output.splitlines()) == 2 + 4


@pytest.mark.parametrize(
    ("said", "code", "errors", "refusal"),
    [
        (
            "refused\tno display\n",
            2,
            "",
            "VASSAL: it needs a display and there is none: on a server: xvfb-run -a",
        ),
        ("refused\tno such map\n", 2, "", "{module}: VASSAL cannot open it: no such map"),
        (
            TOLD,
            1,
            "at x\nOut of memory\n",
            "{module}: VASSAL ended before all set-ups were loaded: Out of memory",
        ),
    ],
    ids=["no display", "cannot be opened", "VASSAL fails"],
)
def test_what_vassal_does_not_load_is_refused_in_one_sentence(
    release: Path, a_module: Path, tell: Tell, said: str, code: int, errors: str, refusal: str
) -> None:
    tell(said, code, errors)
    result = run(release, a_module)
    assert result.exit_code == 2
    assert result.output == refusal.format(module=a_module) + "\n"


def test_a_folder_that_does_not_exist_or_is_not_vassal_s_is_refused(tmp_path: Path, a_module: Path) -> None:
    result = run(tmp_path / "nowhere", a_module)
    assert (result.exit_code, result.output) == (2, f"{tmp_path / 'nowhere'}: there is no such folder\n")
    result = run(tmp_path, a_module)
    assert result.exit_code == 2
    assert result.output == f"{tmp_path}: VASSAL is not in this folder: there is no lib/Vengine.jar\n"


def test_a_log_and_a_file_that_does_not_exist_are_refused_before_any_module_is_opened(
    release: Path, a_module: Path, tell: Tell, tmp_path: Path
) -> None:
    tell(TOLD)
    path = tmp_path / "game.vlog"
    path.write_bytes(log())
    result = run(release, a_module, path)
    assert (result.exit_code, result.output) == (2, f"{path}: a saved game or log, not a module\n")
    result = run(release, a_module, tmp_path / "nothing.vmod")
    assert result.exit_code == 2
    assert result.output.startswith(str(tmp_path / "nothing.vmod"))
    assert result.output.count("\n") == 1


def test_without_a_java_nothing_is_measured(
    release: Path, a_module: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run(release, a_module)
    assert result.exit_code == 2
    assert result.output == "java: there is no Java with a compiler (a JDK, 11 or later) on the PATH\n"


def test_a_module_needs_to_be_named(release: Path) -> None:
    assert run(release).exit_code == 2
