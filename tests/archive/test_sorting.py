"""Logs sorted into games, by what is seen of them alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.archive.corrections import Corrections, Given, read_corrections
from referee.archive.file_facts import LOG, FileFacts
from referee.archive.files import Place
from referee.archive.sorting import COPY, PART, sort_logs
from vassalgen.problems import BadInput

ADA_AND_BEN = (("Ada", "Allies"), ("Ben", "Axis"))


def table(*places: int) -> bytes:
    """A table with a counter in each of these places."""
    return b"".join(place.to_bytes(4, "big") for place in sorted(places))


FORTY = tuple(range(1000, 1040))


def a_log(
    stream: str,
    opening: bytes,
    ending: bytes,
    players: tuple[tuple[str, str], ...] = ADA_AND_BEN,
    saved: int = 0,
    steps: int = 2,
) -> FileFacts:
    chain = b"".join(f"{stream[: step + 1]:>4}".encode()[-4:] for step in range(steps))
    return FileFacts(LOG, "Ridge", "1", players, steps, saved, "", stream, chain, opening, ending)


def games(logs: Mapping[str, FileFacts], corrections: Corrections = Corrections()) -> list[tuple[str, ...]]:  # noqa: B008
    return [line.logs for line in sort_logs(logs, corrections, lambda place: place).lines]


START, NOON, NIGHT = table(1, 2, 3), table(1, 2, 4), table(1, 5, 4)


def test_a_log_that_begins_as_another_ended_goes_on_with_it() -> None:
    logs = {"b": a_log("bb", NOON, NIGHT), "a": a_log("aa", START, NOON)}
    assert games(logs) == [("a", "b")]


def test_logs_of_other_players_are_another_game() -> None:
    others = (("Cora", "Allies"), ("Dan", "Axis"))
    logs = {"a": a_log("aa", START, NOON), "b": a_log("bb", NOON, NIGHT, others)}
    assert games(logs) == [("a",), ("b",)]


def test_two_games_that_begin_alike_are_two() -> None:
    logs = {"a": a_log("aa", START, NOON), "b": a_log("bb", START, NIGHT)}
    assert games(logs) == [("a",), ("b",)]


def test_a_branch_is_a_game_counted_from_where_it_leaves_the_longer_line() -> None:
    logs = {
        "a": a_log("aa", START, NOON),
        "short": a_log("bb", NOON, table(7, 8, 9)),
        "long": a_log("cc", NOON, NIGHT),
        "longer": a_log("dd", NIGHT, table(7, 5, 4)),
    }
    lines = sort_logs(logs, Corrections(), lambda place: place).lines
    assert [(line.logs, line.own) for line in lines] == [
        (("a", "long", "longer"), ("a", "long", "longer")),
        (("a", "short"), ("short",)),
    ]


def test_a_log_under_another_name_is_a_copy_and_its_beginning_a_part() -> None:
    logs = {
        "whole": a_log("abcd", START, NIGHT, steps=4),
        "again": a_log("abcd", START, NIGHT, steps=4),
        "saved": a_log("ab", START, NOON, steps=2),
    }
    found = sort_logs(logs, Corrections(), lambda place: place)
    assert [line.logs for line in found.lines] == [("whole",)]
    assert {(one.log, one.why, one.of) for one in found.aside} == {
        ("again", COPY, "whole"),
        ("saved", PART, "whole"),
    }


def test_a_few_counters_may_have_been_moved_between_two_logs() -> None:
    first = a_log("aa", table(*FORTY), table(*(place + 100 for place in FORTY[:12]), *FORTY[12:]))
    moved = table(*(place + 100 for place in FORTY[:11]), 5000, *FORTY[12:])
    lines = sort_logs({"a": first, "b": a_log("bb", moved, START)}, Corrections(), lambda place: place).lines
    assert [(line.logs, line.moved) for line in lines] == [(("a", "b"), (1,))]
    others = (("Ada", "Allies"), ("Cora", "Axis"))
    assert games({"a": first, "b": a_log("bb", moved, START, others)}) == [("a",), ("b",)]
    far = table(*(place + 500 for place in FORTY[:12]), *FORTY[12:])
    assert games({"a": first, "b": a_log("bb", far, START)}) == [("a",), ("b",)]


def test_a_log_in_which_nothing_moved_has_its_place_by_when_it_was_saved() -> None:
    logs = {
        "a": a_log("aa", START, NOON, saved=1),
        "c": a_log("cc", NOON, NIGHT, saved=3),
        "talk": a_log("bb", NOON, NOON, saved=2),
    }
    assert games(logs) == [("a", "talk", "c")]


def test_what_the_corrections_say_counts() -> None:
    logs = {"a": a_log("aa", START, NOON), "b": a_log("bb", NIGHT, NOON), "c": a_log("cc", NOON, NIGHT)}
    given = Given(("a", "b"), title="The final")
    found = sort_logs(logs, Corrections((given,)), lambda place: place).lines
    assert [(line.logs, line.given) for line in found] == [(("a", "b"), given), (("c",), None)]
    renamed = {"a": logs["a"], "c": a_log("cc", NOON, NIGHT, (("Ada K.", "Allies"),))}
    assert games(renamed) == [("a",), ("c",)]
    assert games(renamed, Corrections(players={"Ada K.": "Ada"})) == [("a", "c")]


def test_every_mistake_in_the_corrections_is_named(tmp_path: Path) -> None:
    (tmp_path / "archive.toml").write_text(
        '[[game]]\ntitel = "x"\n[[game]]\nlogs = 3\n[players]\nAda = 1\n', encoding="utf-8"
    )
    with pytest.raises(BadInput) as caught:
        read_corrections([tmp_path])
    problems = str(caught.value)
    assert "there is no 'titel' here: did you mean title?" in problems or "title" in problems
    assert "game 1: has no logs" in problems
    assert "game 2, logs: is not a list of texts" in problems
    assert "players, Ada: is not a text" in problems


def test_patterns_hold_below_a_folder_whatever_it_is_called(tmp_path: Path) -> None:
    folder = tmp_path / "logs [2024] * final"
    folder.mkdir()
    (folder / "archive.toml").write_text(
        '[seasons]\n"autumn" = ["league/*"]\n[ignore]\nlogs = ["tests/*.vlog"]\n', encoding="utf-8"
    )
    corrections = read_corrections([folder])
    assert corrections.season([Place(str(folder / "league" / "a.vlog")).posix]) == "autumn"
    assert corrections.season([Place(str(folder / "league" / "all.zip"), "a.vlog").posix]) == "autumn"
    assert corrections.ignores(Place(str(folder / "tests" / "a.vlog")).posix)
    assert not corrections.ignores(Place(str(folder / "league" / "a.vlog")).posix)
