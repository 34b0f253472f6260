"""The rulings that a record expects, read and written."""

from __future__ import annotations

import re

from referee.engine.rulings import Grade
from referee.record.statements import Expectation, Verdict
from vassalgen.game.game import Game, unknown
from vassalgen.problems import FormatError


def read_expectation(game: Game, text: str) -> Expectation:
    """Read what stands after the first sign of an expectation."""
    words = _spaced(text).split()
    small = (*Grade.__members__, "or", "and", "more")
    words = [word.lower() if word.lower() in small else word for word in words]
    said = " ".join(words)
    more = re.search(r"\band more\b", said) is not None
    verdicts: set[Verdict] = set()
    grade = ""
    for alternative in _parted(re.sub(r"\band more\b", "", said).split(), "or"):
        parts = _parted(alternative, "!")
        if grade and parts[0] and parts[0][0] not in Grade.__members__:
            parts[0].insert(0, grade)  # as before the last "or"
        verdict = frozenset(breach for part in parts for breach in _breaches(game, part))
        grade = parts[-1][0]
        if Grade.legal.name in (part[0] for part in parts) and (more or len(parts) > 1):
            passes = ", and with 'and more' anything would pass" if more else ""
            raise FormatError(f"a legal action breaks no clause{passes}", "'! legal' alone")
        verdicts.add(verdict)
    return Expectation(frozenset(verdicts), more)


def _breaches(game: Game, words: list[str]) -> set[tuple[Grade, str]]:
    """Read a grade and its clauses."""
    grade, *clauses = words or [""]
    clauses = [_clause(game, clause) for clause in clauses]
    if grade not in Grade.__members__:
        raise FormatError(f"no grade {grade!r}", unknown(grade, tuple(Grade.__members__)))
    if grade == Grade.legal.name and clauses:
        raise FormatError("a legal action breaks no clause", "'! legal' alone")
    if grade != Grade.legal.name and not clauses:
        return {(Grade[grade], "")}
    return {(Grade[grade], clause) for clause in clauses}


def _clause(game: Game, name: str) -> str:
    """The clause of a name; capitals do not matter."""
    if name in game.clauses:
        return name
    found = [clause for clause in game.clauses if clause.lower() == name.lower()]
    if len(found) == 1:
        return found[0]
    raise FormatError(f"no clause {name!r}", unknown(name, game.clauses))


def say_expectation(expected: Expectation) -> str:
    """Write an expectation: ``illegal 4.3b or illegal 7.4f``, ``illegal 4.3b and more``."""
    verdicts = sorted(" ! ".join(say_verdict(verdict)) for verdict in expected.verdicts)
    return " or ".join(verdicts) + (" and more" if expected.more else "")


def say_verdict(verdict: Verdict) -> list[str]:
    """Write a verdict: ``legal``, or for each grade from the worst the clauses."""
    if not verdict:
        return [Grade.legal.name]
    grades = sorted({grade for grade, _ in verdict}, reverse=True)
    return [
        f"{grade.name} {' '.join(sorted(clause for found, clause in verdict if found == grade))}".rstrip()
        for grade in grades
    ]


def _spaced(text: str) -> str:
    """An expectation with its signs as words."""
    said = re.sub(r"[(),/]|:(?= |$)", " ", text.replace("!", " ! "))
    return re.sub(r"\b((by|rule|clause|and(?! more)) )+(?=\S*\d)", "", " ".join(said.split()))


def _parted(words: list[str], sign: str) -> list[list[str]]:
    """The words between the signs."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == sign:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
