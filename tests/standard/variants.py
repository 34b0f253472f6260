"""The small game `divisions` with other rules, and the rulings that a record does not expect."""

from __future__ import annotations

from pathlib import Path

from referee.judge import judge_record
from referee.record import parse

HERE = Path(__file__).parent


def not_met(folder: Path, actions: str, places: str) -> list[tuple[int, object, list[str]]]:
    """Return the lines whose expectation is not met, with the ruling and what was found.

    ``folder`` has the files that are laid over the game's; ``places`` are statements before the actions.
    """
    setup = ["set up", "at turn 1, Blue movement", *(places.split("; ") if places else ())]
    text = "\n".join(["game divisions", "", "case", *setup, actions])
    return [
        (judged.statement.line, judged.ruling.verdict, [breach.says for breach in judged.ruling.breaches])
        for _, statements in judge_record(parse(text, str(HERE / "x.record"), [folder]))
        for judged in statements
        if judged.ruling and judged.failed
    ]
