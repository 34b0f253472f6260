"""Which clauses of a game are judged, and which have cases: derived from its rules and its cases.

    python3 tools/coverage.py GAME [CASES]

For each clause that a referee judges: its rules, and how many actions in the cases about it are expected to
be legal (and were examined by the clause's rules) or to break it. An enforced clause needs a rule, a legal
case and an illegal one; a scored one needs a rule, a legal case and one that breaks it in any grade. Exit
code 0: nothing is missing; 1: something is; 2: no such game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.judge import judge_record
from referee.record import read
from tools.refusing import refusing
from vassalgen.commandline import Command
from vassalgen.game.finding import open_game
from vassalgen.game.game import Game

CASES = Path(__file__).resolve().parents[1] / "tests" / "cases"


@frozen
class Covered:
    """A judged clause: its rules, and the cases that test it."""

    clause: str
    judged: str
    rules: tuple[str, ...]
    legal: int
    broken: int
    illegal: int

    @property
    def missing(self) -> tuple[str, ...]:
        """What it lacks."""
        lacks = []
        if not self.rules:
            lacks.append("a rule")
        if not self.legal:
            lacks.append("a legal case")
        if not (self.illegal if self.judged == "enforced" else self.broken):
            lacks.append("an illegal case" if self.judged == "enforced" else "a case that breaks it")
        return tuple(lacks)


def coverage(game: Game, cases: Path) -> tuple[Covered, ...]:
    """Return what is covered of each clause that is judged, from the cases in a folder."""
    rules = find_rules(game).clauses
    judged = [clause for clause in game.clauses.values() if clause.judged in ("enforced", "scored")]
    legal: dict[str, int] = {}
    broken: dict[tuple[str, Grade], int] = {}
    for path in sorted(cases.glob("*.record")):
        for clauses, expected, consulted in _expectations(path):
            for clause in clauses:
                if not expected and clause in consulted:
                    legal[clause] = legal.get(clause, 0) + 1
            for grade, clause in expected:
                broken[clause, grade] = broken.get((clause, grade), 0) + 1
    return tuple(
        Covered(
            clause.id,
            clause.judged,
            rules.get(clause.id, ()),
            legal.get(clause.id, 0),
            sum(broken.get((clause.id, grade), 0) for grade in Grade),
            broken.get((clause.id, Grade.illegal), 0),
        )
        for clause in judged
    )


Expectation = tuple[tuple[str, ...], frozenset[tuple[Grade, str]], tuple[str, ...]]


def _expectations(path: Path) -> Iterator[Expectation]:
    """The clauses of the case, what was expected and met, and the clauses whose rules examined the action."""
    for case, statements in judge_record(read(path)):
        for each in statements:
            if each.ruling is None or each.statement.expected is None:
                continue
            met = each.statement.expected.met(each.ruling.verdict)
            if met is not None:
                yield case.clauses, met, each.ruling.consulted


@click.command(cls=Command)
@click.argument("name", metavar="GAME")
@click.argument("cases", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.pass_context
def main(ctx: click.Context, name: str, cases: Path | None) -> None:
    """Print which clauses of GAME are judged and tested by its cases."""
    with refusing(ctx):
        game = open_game(name)
        found = coverage(game, cases or CASES / game.id)
    click.echo(f"{'clause':12} {'judged':9} {'rules':>5} {'legal':>5} {'illegal':>7} {'other':>5}")
    for each in found:
        lacks = f"  lacks {', '.join(each.missing)}" if each.missing else ""
        numbers = f"{len(each.rules):5} {each.legal:5} {each.illegal:7} {each.broken - each.illegal:5}"
        click.echo(f"{each.clause:12} {each.judged:9} {numbers}{lacks}")
    lacking = [each for each in found if each.missing]
    click.echo(f"{len(found)} clauses are judged; {len(lacking)} lack something")
    ctx.exit(1 if lacking else 0)


if __name__ == "__main__":
    main()
