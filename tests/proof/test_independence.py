"""What the proof takes from the rules that it tries: plain data, and no calculation.

A mutator or a literal reading that asked the rules would be wrong wherever they are, and nobody would see it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, has

from referee.audit import Report
from referee.engine.position import Battle, Note
from referee.games import find_idiom, shipped_rules
from tools.proof.judging import audit_game
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import opening_of
from tools.proof.proving import is_accusation, world_of

ROOT = Path(__file__).resolve().parents[2]
RULES = "referee.games."
ASKING = ("tools/oracles/games/*/__init__.py", "tools/oracles/games/*/asking.py")
"""The files that put a question to the rules and to a literal reading, for ``tools/differ.py`` to compare."""
GOOD_FOR_ALL = ("empty", "start", "verbs")
"""What any game's rulebook is asked for: an empty table, the set-up, the list of verbs."""
QUESTIONS = ("judge", "play", "options", "allows", "status", "rulebook", "prepared")
"""The names by which rules are asked through a position or its world."""

EFFECT = "what is on the table after an action; its ruling is not looked at"
SHARED: dict[str, str] = {
    "tools/proof/games/patton1943/upkeep.py play": EFFECT,
    "tools/proof/games/tunisia1943/legal_actions.py play": EFFECT,
}
"""What asks the rules all the same, and why it may."""

REMAINS: dict[str, str] = {}
"""What still takes a calculation from the rules and should not, and why it does."""


def files() -> list[Path]:
    """The files of mutators and literal readings."""
    asking = {path for pattern in ASKING for path in ROOT.glob(pattern)}
    found = [*(ROOT / "tools/proof/games").rglob("*.py"), *(ROOT / "tools/oracles/games").rglob("*.py")]
    return sorted(path for path in found if path not in asking)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The module and name of everything that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def is_plain(module: str, name: str) -> bool:
    """Return whether a name is of data: a kind of note, a constant, the type of a battle or of a note."""
    home = import_module(module)
    value = getattr(home, name, None)
    if isinstance(value, Note | str | int | tuple | frozenset):
        return True
    if not isinstance(value, type) or not has(value):
        return False
    return issubclass(value, Battle) or value in _types_of_notes(module)


def _types_of_notes(module: str) -> set[type]:
    game = module.removeprefix(RULES).partition(".")[0]
    home = f"{RULES}{game}.notes"
    notes = vars(import_module(home)).values() if find_spec(home) else ()
    return {note.of for note in notes if isinstance(note, Note)}


def questions(path: Path) -> Iterator[str]:
    """The names by which a file asks the rules through a position."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    harmless = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in GOOD_FOR_ALL
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in QUESTIONS and node not in harmless:
            yield node.attr


def shared() -> Iterator[str]:
    """Everything that mutators and literal readings take from the rules, but plain data."""
    for path in files():
        where = path.relative_to(ROOT).as_posix()
        for module, name in imports(path):
            asks = module.startswith("tools.oracles.games.") and name in ("GAME", "ask", "asking")
            if asks or (module.startswith(RULES) and not is_plain(module, name)):
                yield f"{where} {name or module}"
        yield from (f"{where} {name}" for name in questions(path))


def test_mutators_and_literal_readings_take_no_calculation_from_the_rules() -> None:
    assert sorted(set(shared()) - SHARED.keys() - REMAINS.keys()) == []


def test_what_is_excused_is_still_there() -> None:
    assert sorted((SHARED.keys() | REMAINS.keys()) - set(shared())) == []


def too_much(old: Callable[..., Any], by: int) -> Callable[..., Any]:
    """A sum of the rules that is too high."""

    def wrong(*args: Any) -> Any:
        found = old(*args)
        if isinstance(found, tuple):
            return tuple(evolve(part, amount=part.amount + by) for part in found)
        return evolve(found, amount=found.amount + by) if has(type(found)) else found + by

    return wrong


WRONG_SUMS = [
    pytest.param("postcard1943", "_printed", 1, 0, id="postcard1943-a printed factor"),
    pytest.param("patton1943", "terrain", 4, 2, id="patton1943-terrain on the attack die"),
    pytest.param("tunisia1943", "_value", 1, 2, id="tunisia1943-the strength of a unit"),
    pytest.param("vitoria1813", "value", 1, 4, id="vitoria1813-the strength of a brigade"),
]
"""Calculations of the rules, by how much they are made wrong, and how many turns are played then."""


@pytest.mark.parametrize(("name", "calculation", "by", "turns"), WRONG_SUMS)
def test_a_wrong_sum_in_the_rules_shows_as_a_false_accusation(
    name: str, calculation: str, by: int, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = import_module(f"{RULES}{name}.battle")
    monkeypatch.setattr(battle, calculation, too_much(getattr(battle, calculation), by))
    assert any(is_accusation(one, find_idiom(name)) for one in legal_game(name, turns).findings)


def legal_game(name: str, turns: int) -> Report:
    """The audit of a random game without breaches."""
    played = play_for_log(world_of(name, ""), 1, turns)
    report, _ = audit_game(opening_of(name), played.steps, 1)
    return report


def test_every_game_is_looked_at() -> None:
    assert {path.parent.name for path in files()} >= set(shipped_rules())
