"""Reading game.toml: sides, kinds of counters, sequence of play, dice, declarations."""

from __future__ import annotations

import re
from typing import Any

from vassalgen.game.conditions import Condition
from vassalgen.game.counters import COLUMN_TYPES, Column, Factor, Kind, StackingLimit, State
from vassalgen.game.provenance import RECONSTRUCTION
from vassalgen.game.reading.nodes import Node
from vassalgen.game.sequence import CONTESTS, SPEAKERS, SUBJECTS, Declaration, Dice, Phase, Sequence, Turn
from vassalgen.game.sides import Formation, Nation, Side


def read_game_file(root: Node) -> dict[str, Any]:
    """Return the contents of game.toml, by the names of the fields of Game."""
    root.remember("game")
    found: dict[str, Any] = {"title": root.text("title")}
    for key in ("version", "designer", "publisher", "edition", "players", "credits"):
        text = root.text(key, "")
        if text:
            found[key] = text
    found["sides"] = {name: _side(name, node) for name, node in root.tables("sides", "side")}
    found["nations"] = {name: _nation(name, node) for name, node in root.tables("nations", "nation")}
    found["formations"] = {
        name: _formation(name, node) for name, node in root.tables("formations", "formation")
    }
    found["kinds"] = {name: _kind(name, node) for name, node in root.tables("kinds", "kind")}
    found["factors"] = {name: _factor(name, node) for name, node in root.tables("factors", "factor")}
    found["columns"] = {name: _column(name, node) for name, node in root.tables("columns", "column")}
    found["states"] = {name: _state(name, node) for name, node in root.tables("states", "state")}
    found["stacking"] = read_stacking(root, "stacking")
    found["sequence"] = _sequence(root.node("sequence"), tuple(found["sides"]))
    found["turns"] = read_turns(root, "turn")
    found["dice"] = {name: _dice(name, node) for name, node in root.tables("dice", "dice")}
    found["declarations"] = {
        name: _declaration(name, node) for name, node in root.tables("declarations", "declaration")
    }
    return found


def read_stacking(root: Node, thing: str) -> tuple[StackingLimit, ...]:
    """Return the stacking limits of the game or of a scenario."""
    limits = []
    for number, node in enumerate(root.nodes("stacking")):
        node.remember(f"{thing}/{number}")
        limits.append(
            StackingLimit(
                kinds=node.words("kinds"),
                limit=node.integer("limit"),
                side=node.text("side", ""),
                turns=node.integers("turns", ()),
                not_with=node.words("not_with", ()),
                one_free=node.text("one_free", ""),
                hexes=Condition(node.text("hexes", "")),
            )
        )
        node.finish("a stacking limit")
    return tuple(limits)


def read_turns(root: Node, thing: str) -> tuple[Turn, ...]:
    """Return a turn track; its turns are tables whose keys are the turn numbers."""
    turns = []
    for name, node in root.tables("turns", thing):
        if not re.fullmatch(r"\d{1,9}", name):
            node.wrong("", f"{name!r} is not a turn", "expected the turn's number")
            continue
        label, note = node.text("label", ""), node.text("note", "")
        turns.append(Turn(int(name), label, note, node.rest(f"turn {name}")))
    return tuple(turns)


def _side(name: str, node: Node) -> Side:
    title = node.text("title")
    side = Side(name, title, node.text("adjective", title))
    node.finish("a side")
    return side


def _nation(name: str, node: Node) -> Nation:
    nation = Nation(name, node.text("title"), node.text("side", ""), node.text("counts_as", name))
    node.finish("a nation")
    return nation


def _formation(name: str, node: Node) -> Formation:
    given = node.provenance(node.document.provenance or RECONSTRUCTION)
    formation = Formation(name, node.text("title"), node.text("side"), node.text("part_of", ""), given)
    node.finish("a formation")
    return formation


def _kind(name: str, node: Node) -> Kind:
    kind = Kind(
        id=name,
        title=node.text("title"),
        factors=node.words("factors", ()),
        roster=node.text("roster", ""),
        hidden=node.flag("hidden", False),
        marker=node.flag("marker", False),
        attacked=node.flag("attacked", False),
        counts_in=node.text("counts_in", ""),
        along=node.flag("along", False),
    )
    node.finish("a kind of counter")
    return kind


def _factor(name: str, node: Node) -> Factor:
    title, special = node.text("title"), node.node("special")
    factor = Factor(name, title, {sign: special.text(sign) for sign in special})
    node.finish("a factor")
    return factor


def _column(name: str, node: Node) -> Column:
    column = Column(name, node.choice("type", COLUMN_TYPES), node.text("title", ""), node.words("one_of", ()))
    node.finish("a column")
    return column


def _state(name: str, node: Node) -> State:
    named, counted = isinstance(node.entries.get("levels"), str), node.node("counts")
    state = State(
        id=name,
        title=node.text("title"),
        kinds=node.words("kinds"),
        levels=node.text("levels") if named else node.integer("levels", 1),
        dated=node.flag("dated", False),
        back=node.flag("back", False),
        marker=node.text("marker", ""),
        ends=node.text("ends", ""),
        counts={name: _amount(counted, name) for name in counted},
        unless=node.text("unless", ""),
    )
    node.finish("a state")
    return state


def _amount(node: Node, key: str) -> str:
    """A number, or a text such as ``half up``."""
    value = node.entries.get(key)
    return (
        str(node.integer(key)) if isinstance(value, int) and not isinstance(value, bool) else node.text(key)
    )


def _sequence(node: Node, sides: tuple[str, ...]) -> Sequence:
    sequence = Sequence(
        node.words("order", sides),
        *(
            tuple(_phase(phase, part) for phase in node.nodes(part))
            for part in ("opening", "player_turn", "closing")
        ),
    )
    node.remember("sequence")
    node.finish("the sequence of play")
    return sequence


def _phase(node: Node, part: str) -> Phase:
    phase = Phase(node.text("id"), node.text("title"), node.text("text", ""), node.words("also", ()))
    node.remember(f"phase/{part}/{phase.id}")
    node.finish("a phase")
    return phase


def _dice(name: str, node: Node) -> Dice:
    dice = Dice(
        id=name,
        title=node.text("title"),
        count=node.integer("count", 1),
        sides=node.integer("sides", 6),
        yes=node.integers("yes", ()),
        against=node.text("against", ""),
        adds=node.text("adds", ""),
        alone=node.flag("alone", False),
        modified=node.flag("modified", False),
        always=node.integers("always", ()),
        never=node.integers("never", ()),
        contest=node.choice("contest", CONTESTS, ""),
        neither=node.integer("neither") if "neither" in node else None,
    )
    node.finish("dice")
    return dice


def _declaration(name: str, node: Node) -> Declaration:
    declaration = Declaration(
        id=name,
        title=node.text("title"),
        about=node.choice("about", SUBJECTS, "counter"),
        by=node.choice("by", SPEAKERS, "any"),
        kinds=node.words("kinds", ()),
        dice=node.text("dice", ""),
        state=node.text("state", ""),
        key=node.text("key", ""),
        text=node.text("text", ""),
        points=node.integers("points", ()),
        whole=node.flag("whole", False),
        towards=node.flag("towards", False),
        to=node.words("to", ()),
        away=node.integer("away", 0),
        secret=node.flag("secret", False),
        columns=node.integer("columns", 0),
        die=node.text("die") if isinstance(node.entries.get("die"), str) else node.integer("die", 0),
        clears=node.text("clears", ""),
        joins=node.flag("joins", False),
        to_battle=node.flag("to_battle", False),
        steps=node.integer("steps", 0),
        reduced=node.flag("reduced", False),
        boxed=node.flag("boxed", False),
        lost=node.flag("lost", False),
        sides=node.words("sides", ()),
        counters=node.words("counters", ()),
        fetches=node.text("fetches", ""),
        out_of=node.words("out_of", ()),
        phases=node.words("phases", ()),
        turns=node.integers("turns", ()),
    )
    node.finish("a declaration")
    return declaration
