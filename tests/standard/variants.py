"""The small game `divisions` with other rules, and the rulings that a record does not expect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from referee.judge import judge_record
from referee.record import parse

HERE = Path(__file__).parent


def not_met(
    folder: Path, actions: str, places: str, files: Mapping[str, str] | None = None
) -> list[tuple[int, object, list[str]]]:
    """Return the lines whose expectation is not met, with the ruling and what was found.

    ``folder`` has the files that are laid over the game's, and ``files`` are written there first; ``places``
    are statements before the actions.
    """
    for file, text in (files or {}).items():
        (folder / file).write_text(text, encoding="utf-8")
    setup = ["set up", "at turn 1, Blue movement", *(places.split("; ") if places else ())]
    record = "\n".join(["game divisions", "", "case", *setup, actions])
    return [
        (judged.statement.line, judged.ruling.verdict, [breach.says for breach in judged.ruling.breaches])
        for _, statements in judge_record(parse(record, str(HERE / "x.record"), [folder]))
        for judged in statements
        if judged.ruling and judged.failed
    ]
