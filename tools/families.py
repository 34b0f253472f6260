"""How far the families of rules.toml carry a game whose rules are Python: its cases, judged by rules as data.

    python3 tools/families.py GAME FOLDER [CASES]

FOLDER is laid over the game's data: its rules.toml, and what that needs besides. FOLDER.toml beside it says
what the game's own words are in games by data. For each file of cases: how many rulings that are expected the
families give, legal ones and breaches; how many breaches they find with another clause, another grade, or not
at all; how many legal actions they accuse; and what they have no words for. Cases by readings that are not
adopted are counted apart. Last, the predicates of the game of which the families make every finding in these
cases, with their lines.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from inspect import getsourcelines, unwrap
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.engine.rules import Rule, StateRule
from referee.judge import Judged, judge_record
from referee.record import parse
from tools.coverage import CASES
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.game.reading.documents import read_toml
from vassalgen.problems import BadInput

KINDS = ("met, legal", "met, breach", "clause", "grade", "missed", "accused", "no words")


def cases_in(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the header of a file of cases with the lines of each case."""
    header, case = "", list[str]()
    for line in (*path.read_text().splitlines(), "case"):
        header = header or (line if line.startswith("game ") else "")
        if line.startswith("case"):
            if case:
                yield header, case
            case = []
        if case or line.startswith("case "):
            case.append(line)


def judge(header: str, lines: list[str], data: tuple[Path, ...]) -> tuple[dict[int, Judged], set[int]]:
    """Return what is judged of a case by its line, and the lines that could not be read."""
    unread, text = set[int](), [header, *lines]
    while True:
        try:
            record = parse("\n".join(text), "case.record", data)
        except BadInput as error:
            places = {problem.place.split(",")[0] for problem in error.problems}
            wrong = {int(place.removeprefix("line ")) - 1 for place in places if place.startswith("line ")}
            if not wrong - unread or 0 in wrong:
                raise
            unread |= wrong
            text = ["" if number in wrong else line for number, line in enumerate(text)]
            continue
        return {one.statement.line: one for _, found in judge_record(record) for one in found}, unread


def verdict(judged: Judged | None) -> str:
    """Return which of the kinds a ruling is, beside the one expected."""
    if judged is None or judged.ruling is None or judged.statement.expected is None:
        return "no words"
    wanted = {one for verdict in judged.statement.expected.verdicts for one in verdict}
    found = judged.ruling.verdict
    if not judged.failed:
        return "met, breach" if found else "met, legal"
    if not wanted:
        return "accused"
    if not found:
        return "missed"
    return "grade" if {clause for _, clause in wanted} & {clause for _, clause in found} else "clause"


def finders(header: str, lines: list[str]) -> dict[int, set[Any]]:
    """Return by line the predicates that find what is expected to be found."""
    by_text = dict[tuple[str, str], Any]()

    def noting(kind: type[Rule] | type[StateRule]) -> Any:
        plain: Any = kind.breaches

        def breaches(self: Any, *about: Any) -> list[Any]:
            found = list(plain(self, *about))
            by_text.update({(one.clause, one.says): unwrap(self.find) for one in found})
            return found

        return patch.object(kind, "breaches", breaches)

    with noting(Rule), noting(StateRule):
        judged, _ = judge(header, lines, ())
    return {
        line: {
            by_text[each] for found in one.ruling.breaches if (each := (found.clause, found.says)) in by_text
        }
        for line, one in judged.items()
        if one.ruling and one.statement.expected
    }


def row(name: str, counts: Counter[str]) -> str:
    """Return a line of the table."""
    apart = [sum(count for kind, count in counts.items() if kind == f"other {one}") for one in KINDS]
    cells = "".join(f"{counts[kind]:12}" for kind in KINDS)
    return f"{name:16}{cells}{sum(apart[:2]):10} of {sum(apart)}"


@click.command(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("game")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("cases", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.pass_context
def main(ctx: click.Context, game: str, folder: Path, cases: Path | None) -> None:
    """Count how far families of rules carry GAME, with the rules in FOLDER."""
    with refusing(ctx):
        words = {str(own): str(data) for own, data in read_toml(folder.with_suffix(".toml")).items()}
        every, made = Counter[str](), defaultdict[Any, Counter[bool]](Counter)
        click.echo(f"{'':16}{''.join(f'{kind:>12}' for kind in KINDS)}{'by other readings':>19}")
        for path in sorted((cases or CASES / game).glob("*.record")):
            counts = count(path, folder, words, made)
            click.echo(row(path.stem, counts))
            every += counts
    click.echo(row("all", every))
    whole = [one for one, counts in made.items() if not counts[False]]
    lines = [sum(len(getsourcelines(one)[0]) for one in ones) for ones in (made, whole)]
    click.echo(f"\n{len(made)} predicates with findings ({lines[0]} lines); families make all findings of")
    click.echo(f"{len(whole)} ({lines[1]} lines): {', '.join(sorted(one.__name__ for one in whole))}")


def count(path: Path, folder: Path, words: dict[str, str], made: dict[Any, Counter[bool]]) -> Counter[str]:
    """Count what the families make of a file of cases; note in ``made`` whose findings they make."""
    counts = Counter[str]()
    for header, lines in cases_in(path):
        other = any(line.startswith("adopt ") for line in lines)
        with patch("vassalgen.game.checking.check_fit"):  # the rules as data are not all of the game's
            judged, unread = judge(header, in_words(lines, words), (folder,))
        found = finders(header, lines)
        for number, line in enumerate(lines, 1):
            if " ! " not in line:
                continue
            kind = verdict(None if number in unread else judged.get(number + 1))
            counts[f"other {kind}" if other else kind] += 1
            for predicate in found.get(number + 1, ()):
                made[predicate][kind == "met, breach"] += 1
    return counts


def in_words(lines: Iterable[str], words: dict[str, str]) -> list[str]:
    """Return lines of a case in the words of games by data."""
    text = "\n".join(lines)
    for own, data in words.items():
        text = text.replace(own, data)
    return text.split("\n")


if __name__ == "__main__":
    main()
