"""Archives of earlier and other forms: read, or refused with what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.archive.database import Database
from referee.archive.file_facts import FileFacts
from vassalgen.problems import BadInput

LOG = FileFacts("log", "Postcard Tunisia 1943", "5", (("Ada", "axis"),))


def changed(path: Path, statements: Iterable[str]) -> None:
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive that knows one log."""
    path = tmp_path / "archive.sqlite"
    with Database.open(path) as database:
        database.write_file_facts("abc", LOG)
    return path


def test_an_archive_of_the_form_before_keeps_what_it_knows(archive: Path) -> None:
    changed(archive, ["ALTER TABLE file_facts RENAME TO looks", "PRAGMA user_version=2"])
    for _ in range(2):
        with Database.open(archive) as database:
            assert database.file_facts() == {"abc": LOG}


@pytest.mark.parametrize("form", [1, 4])
def test_an_archive_of_another_form_is_refused_with_what_to_do(archive: Path, form: int) -> None:
    changed(archive, [f"PRAGMA user_version={form}"])
    with pytest.raises(BadInput) as refused:
        Database.open(archive)
    assert f"form {form}, not 3" in str(refused.value)
    assert "choose another folder" in str(refused.value)


def test_a_file_that_is_no_archive_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite"
    path.write_text("dear diary, today we played the Kasserine scenario again", "utf-8")
    with pytest.raises(BadInput) as refused:
        Database.open(path)
    assert "cannot be read as an archive" in str(refused.value)
    assert "choose another folder" in str(refused.value)


def test_a_folder_in_the_place_of_an_archive_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        Database.open(tmp_path)
    assert "cannot be read as an archive" in str(refused.value)


def test_a_disk_that_is_full_is_said_with_the_file_and_nothing_is_half_written(archive: Path) -> None:
    with pytest.raises(BadInput) as refused, Database.open(archive) as database:
        size = database.one("PRAGMA page_count")
        database.rows(f"PRAGMA max_page_count={size + 2}")
        with database.writing() as to:
            to.execute("INSERT INTO meta VALUES ('small', 'x')")
            to.execute("INSERT INTO meta VALUES ('large', ?)", ("x" * 100_000,))
    assert str(refused.value) == f"{archive}: cannot be used: database or disk is full"
    assert refused.value.passing
    with Database.open(archive) as database:
        assert database.note("small") == ""
        assert database.file_facts() == {"abc": LOG}
