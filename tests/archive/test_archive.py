"""The archive as a whole: real logs, real processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.archive.database import Database
from referee.archive.files import Place
from referee.archive.tasks import FactsTask, Source
from referee.archive.workers import Limit, Worker
from referee.cli import main
from tests.scribe.playing import Playing
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.metadata import ModuleData
from vassalgen.vassal.savedgame import SavedGame

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "tests" / "data" / "postcard1943"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["archive", *map(str, words)], catch_exceptions=False)


def table(site: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((site / "www" / "data" / f"{name}.json").read_text("utf-8"))
    return found


def everything(folder: Path) -> str:
    """All texts and names below a folder, without pictures."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    texts = [path.read_text("utf-8", "replace") for path in files]
    return "\n".join([*(path.name for path in files), *(_PICTURE.sub("", text) for text in texts)])


_PICTURE = re.compile('data:image[^"]*')


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as clubs have them: a game by mail, half of it in a zip, a copy, and damaged files."""
    folder = tmp_path_factory.mktemp("club")
    with zipfile.ZipFile(folder / "mail.zip", "w") as archive:
        for number in (1, 2):
            archive.write(LOGS / f"mail-{number}.vlog", f"spring/mail-{number}.vlog")
    for number in (3, 4):
        shutil.copy(LOGS / f"mail-{number}.vlog", folder)
    (folder / "old").mkdir()
    shutil.copy(LOGS / "breaches.vlog", folder / "old" / "breaches.vlog")
    shutil.copy(LOGS / "breaches.vlog", folder / "old" / "copy.vlog")
    (folder / "broken.vlog").write_bytes(b"PK\x03\x04 and then nothing")
    (folder / "empty.vlog").write_bytes(b"")
    (folder / "notes.txt").write_text("not a log", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(club: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "archive"
    result = run(club, "-o", made, "--jobs", "1", "--page", "1")
    assert result.exit_code == 1
    assert "2 games, 2 judged, 2 files cannot be read" in result.stdout
    assert "empty.vlog: the file is empty" in result.stderr
    return made


def test_logs_in_folders_and_zips_become_games(site: Path) -> None:
    games = table(site, "games")
    assert [(one["logs"], one["illegal"], one["status"]) for one in games] == [(4, 0, ""), (1, 18, "")]
    assert [one["name"] for one in games[0]["players"]] == ["Ada", "Ben"]
    remarks = {one["file"]: (one["kind"], one["number"], one["remark"]) for one in table(site, "files")}
    assert remarks["mail.zip/spring/mail-1.vlog"] == ("log", 1, "")
    assert remarks["old/copy.vlog"] == ("log", 2, "the same as old/breaches.vlog")
    assert remarks["empty.vlog"][0] == remarks["broken.vlog"][0] == "unreadable"
    assert "notes.txt" not in remarks


def test_tables_count_what_the_audit_finds(site: Path) -> None:
    ada = next(one for one in table(site, "players") if one["player"] == "Ada")
    assert (ada["games"], ada["illegal"]) == (2, 18)
    assert ada["between"][0] < ada["per_hundred"] < ada["between"][1]
    assert sum(one["illegal"] for one in table(site, "clauses")) == 18
    assert all(sum(one["counts"]) == one["rolled"] for one in table(site, "dice"))
    assert table(site, "scenarios")[0]["games"] == 2
    heat = json.loads((site / "www" / "data" / "maps.json").read_text("utf-8"))["heat"]["postcard1943"]
    assert set(heat) == {"stood", "attacked", "died"}
    assert (site / "www" / "games" / "1.html").exists()
    assert not (site / "www" / "games" / "2.html").exists()


def test_a_second_run_judges_nothing(club: Path, site: Path) -> None:
    before = (site / "www" / "index.html").stat().st_mtime_ns
    result = run("-o", site)
    assert "0 judged, 2 as before" in result.stdout
    assert (site / "www" / "index.html").stat().st_mtime_ns == before


def test_a_ruling_that_is_chosen_shows_exactly_its_verdicts(club: Path, site: Path, tmp_path: Path) -> None:
    changed, folder = tmp_path / "site", tmp_path / "club"
    shutil.copytree(site, changed)
    shutil.copytree(club, folder)
    assert "No verdict has changed" in run("--changes", "-o", changed).stdout
    (folder / "archive.toml").write_text(
        '[rules.postcard1943]\nrulings = ["choice-of-arrivals=schedule"]\n', encoding="utf-8"
    )
    result = run(folder, "-o", changed, "--jobs", "1")
    assert "2 judged" in result.stdout
    output = run("--changes", "-o", changed).stdout
    found = table(changed, "changes")
    expected = audits_differ("choice-of-arrivals=schedule")
    assert expected
    assert {(one["old_clause"] or one["new_clause"], one["step"]) for one in found} == expected
    assert "what differs: the options" in output
    assert output.count("step ") == len(expected)


def test_a_rule_that_is_changed_shows_exactly_its_verdicts(club: Path, site: Path, tmp_path: Path) -> None:
    """The program is copied, and a rule of one game is taken out of the copy."""
    changed, program = tmp_path / "site", tmp_path / "program"
    shutil.copytree(site, changed)
    for name in ("referee", "vassalgen", "modules"):
        shutil.copytree(ROOT / name, program / name)
    rules = program / "referee" / "games" / "postcard1943" / "reinforcements.py"
    text, rule = rules.read_text(encoding="utf-8"), '@on_arrival(rules, "reinf.2")\n'
    assert text.count(rule) == 1
    rules.write_text(text.replace(rule, ""), encoding="utf-8")
    process = started(club, changed, program)
    assert process.wait() == 1
    found = table(changed, "changes")
    before = json.loads(
        CliRunner().invoke(main, ["audit", str(LOGS / "breaches.vlog"), "--json", "-"]).stdout
    )
    gone = [one["steps"][-1] for one in before["findings"] if one["clause"] == "reinf.2"]
    assert gone
    assert [(one["change"], one["old_clause"], one["step"]) for one in found] == [
        ("finding gone", "reinf.2", step) for step in gone
    ]
    assert {one["why"] for one in found} == {"the code of the rules"}


def audits_differ(ruling: str) -> set[tuple[str, int]]:
    """What audits with and without a ruling find differently."""
    found = []
    for words in ([], ["--ruling", ruling]):
        log = str(LOGS / "breaches.vlog")
        output = json.loads(CliRunner().invoke(main, ["audit", log, "--json", "-", *words]).stdout)
        found.append({(one["clause"], one["steps"][-1], one["says"]) for one in output["findings"]})
    return {(clause, step) for clause, step, _ in found[0] ^ found[1]}


def test_a_redacted_site_names_nobody(club: Path, site: Path, tmp_path: Path) -> None:
    redacted = tmp_path / "site"
    shutil.copytree(site, redacted)
    assert "Ada" in everything(redacted / "www")
    assert run(club, "-o", redacted, "--redact", "--page", "2", "--jobs", "1").exit_code == 1
    output = everything(redacted / "www")
    for name in ("Ada", "Ben", "mail-1", "breaches.vlog", "full of mistakes"):
        assert name not in output
    assert str(tmp_path) not in output
    assert "Player 1" in output
    assert not (redacted / "www" / "games" / "1.html").exists()


def test_no_password_is_in_the_archive(site: Path) -> None:
    assert b"not-a-secret" not in b"".join(path.read_bytes() for path in site.rglob("*") if path.is_file())


def test_what_is_hidden_in_a_game_that_goes_on_is_nowhere(site: Path, tmp_path: Path) -> None:
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement", cloaks=["blade"])
    playing.hide("blade").move("blade", "H6").move("hart", "C2")
    data = ModuleData(name="Postcard Tunisia 1943", version="2")
    (tmp_path / "club").mkdir()
    SavedGame.new(playing.log().stream.encode(), moduledata=data).write(tmp_path / "club" / "a.vlog")
    for words, is_shown in (([], False), (["--reveal"], True)):
        made = tmp_path / f"site{len(words)}"
        made.mkdir()
        begun(site, made)
        result = run(tmp_path / "club", "-o", made, "--jobs", "1", *words)
        assert "1 judged" in result.stdout
        connection = sqlite3.connect(made / "archive.db")
        verdicts = connection.execute("SELECT says FROM actions UNION SELECT says FROM findings").fetchall()
        connection.close()
        heat = (made / "www" / "data" / "maps.json").read_text("utf-8")
        assert ("H6" in heat + str(verdicts)) is is_shown


class Deadly:
    """What breaks the process that reads it."""

    name = "deadly"

    def __reduce__(self) -> Any:
        return os.abort, ()


def test_what_breaks_a_worker_is_one_line_and_the_next_task_is_carried_out(tmp_path: Path) -> None:
    worker = Worker(Limit(60.0))
    good = FactsTask(Source(Place(str(LOGS / "mail-1.vlog")), "x"), Limits())
    try:
        assert worker.run(good).value.steps == 11
        broken = worker.run(Deadly())  # type: ignore[arg-type]
        assert broken.broke
        assert "SIGABRT" in broken.wrong or "code" in broken.wrong
        assert worker.run(good).value.steps == 11
        worker.limit = Limit(0.001)
        assert worker.run(good).wrong == "took longer than 0.001 s"
    finally:
        worker.end()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")
def test_what_takes_too_much_memory_is_one_line() -> None:
    worker = Worker(Limit(60.0, 40 * 2**20))
    try:
        outcome = worker.run(FactsTask(Source(Place(str(LOGS / "everything.vlog")), "x"), Limits()))
    finally:
        worker.end()
    assert outcome.broke
    assert "memory" in outcome.wrong or "process" in outcome.wrong


def started(club: Path, site: Path, program: Path = ROOT) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "referee", "archive", str(club), "-o", str(site), "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(program)}
    quiet = subprocess.DEVNULL
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    try:
        return subprocess.Popen(command, cwd=program, env=environment, stdout=quiet, stderr=quiet)
    finally:
        signal.signal(signal.SIGINT, before)


def begun(site: Path, other: Path) -> None:
    """An archive for which only the boards are drawn."""
    shutil.copy(site / "archive.db", other)
    connection = sqlite3.connect(other / "archive.db")
    for name in (
        "files",
        "paths",
        "file_facts",
        "verdicts",
        "findings",
        "actions",
        "dice",
        "games",
        "game_logs",
    ):
        connection.execute(f"DELETE FROM {name}")
    connection.execute("DELETE FROM runs")
    connection.execute("DELETE FROM pages")
    connection.commit()
    connection.close()


def counted(site: Path, name: str) -> int:
    connection = sqlite3.connect(f"file:{site / 'archive.db'}?mode=ro", uri=True)
    try:
        return int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
    finally:
        connection.close()


def stopped(club: Path, site: Path, number: signal.Signals, done: str) -> int:
    """The exit code of a run that is stopped after some step."""
    process = started(club, site)
    while process.poll() is None and not counted(site, done):
        time.sleep(0.02)
    process.send_signal(number)
    return process.wait()


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_a_run_that_is_stopped_goes_on_where_it_was(club: Path, site: Path, tmp_path: Path) -> None:
    for number, code, done in ((signal.SIGINT, 130, "file_facts"), (signal.SIGKILL, -9, "verdicts")):
        begun(site, tmp_path)
        assert stopped(club, tmp_path, number, done) == code
    kept = counted(tmp_path, "verdicts")
    assert kept >= 1
    result = run(club, "-o", tmp_path, "--jobs", "1")
    assert f"{2 - kept} judged" in result.stdout
    assert [one["illegal"] for one in table(tmp_path, "games")] == [0, 18]


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_finds_the_same(club: Path, site: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is an extra")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        result = run(club, "-o", tmp_path, "--scheduler", cluster.scheduler_address)
    assert "2 games, 2 judged" in result.stdout
    for name in ("games", "players", "clauses", "dice"):
        found = [{**one, "page": ""} for one in table(tmp_path, name)]
        assert found == [{**one, "page": ""} for one in table(site, name)]


def test_where_no_scheduler_answers_that_is_said(club: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is an extra")
    result = run(club, "-o", tmp_path, "--scheduler", "nonsense://nowhere")
    assert result.exit_code == 2
    assert "no scheduler answers at nonsense://nowhere" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="claims of processes that died run out there")
def test_two_runs_at_once_judge_each_game_once(club: Path, site: Path, tmp_path: Path) -> None:
    begun(site, tmp_path)
    both = [started(club, tmp_path) for _ in range(2)]
    assert [process.wait() for process in both] == [1, 1]
    connection = sqlite3.connect(tmp_path / "archive.db")
    assert connection.execute("SELECT sum(judged) FROM runs").fetchone() == (2,)
    assert connection.execute("SELECT count(*) FROM games WHERE status = 'judged'").fetchone() == (2,)
    connection.close()


def test_a_run_waits_while_another_one_writes_the_site(club: Path, site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path, dirs_exist_ok=True)
    index = tmp_path / "www" / "index.html"
    index.unlink()
    until = time.time() + 1.5
    with Database.open(tmp_path / "archive.db") as database, database.writing() as to:
        host, process = socket.gethostname(), os.getppid()
        to.execute("INSERT INTO claims VALUES ('www', ?, ?, ?)", (host, process, until))
    assert "0 judged, 2 as before" in run(club, "-o", tmp_path).stdout
    assert index.stat().st_mtime >= until
