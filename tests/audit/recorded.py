"""Games that a real VASSAL recorded, and what an audit must find in them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from referee.audit import Report, audit
from referee.table import read_log
from vassalgen.game.finding import open_game

DATA = Path(__file__).resolve().parents[1] / "data"


@cache
def expected(game: str) -> dict[str, dict[str, Any]]:
    """What is expected of each log of a game."""
    found: dict[str, dict[str, Any]] = tomllib.loads(
        (DATA / game / "expected.toml").read_text(encoding="utf-8")
    )
    return found


@cache
def audited(game: str, name: str) -> Report:
    """The audit of one log, without a module."""
    report = audit([read_log(DATA / game / f"{name}.vlog")], open_game(game))
    assert not report.unjudged
    return report
