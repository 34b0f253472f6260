"""How heavy the counters of the modules are: what VASSAL must read, write and escape. No engine is needed.

The state of a counter is nested, one level for each trait, so that its length grows with the square of their
number. VASSAL writes it out for every dynamic property and layer of a counter at every key that it hears.
The budgets for these figures stand in ``tests/data/weights.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import attrs
from attrs import frozen

from vassalgen.compile import compile_game
from vassalgen.game.finding import open_game
from vassalgen.parts.odds import fights
from vassalgen.parts.pieces import abilities, counter_piece, prototypes
from vassalgen.parts.setups import file_of
from vassalgen.vassal import buildfile, streams
from vassalgen.vassal.commands import AddPiece, ChangePiece
from vassalgen.vassal.components import PrototypeDefinition
from vassalgen.vassal.pieces import expand, from_slot_text
from vassalgen.vassal.savedgame import read_saved_game
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.embellishment import Embellishment

PLAYED = Path(__file__).parents[1] / "tests" / "data"


@frozen
class Weights:
    """The figures of one module; those of units are for all counters that fight."""

    traits: float
    """Traits of a unit, the median."""
    most_traits: int
    writers: int
    """Dynamic properties and layers of a unit, at most: each writes the whole counter at every key."""
    unit: int
    """Characters of a unit in a save, at most."""
    change: int
    """Characters of a changed unit in a log, at most, as a set-up has it."""
    pressed: int
    """The same in the log in which every command was pressed: values, trails and past places grow in play."""
    pressed_unit: int
    """Characters of a unit in a save, at most, as it is anywhere in that log."""
    setup: int
    """Bytes of the largest set-up."""


def weights_of(name: str) -> Weights:
    """Compile a game and weigh it."""
    game = open_game(name)
    compiled = compile_game(game)
    entries = dict(compiled.entries)
    known = {
        one.component.name: from_slot_text(one.component.content)
        for one in buildfile.find_all(prototypes(abilities(game)), PrototypeDefinition)
    }
    units = [
        expand(counter_piece(game, counter, compiled.ids), known, strict=True)
        for counter in game.counters.values()
        if fights(game, counter.kind)
    ]
    texts = [piece.encode() for piece in units]
    traits = [len(piece.traits) for piece in units]
    pressed = list(_changes(PLAYED / name / "everything.vlog"))
    return Weights(
        traits=median(traits),
        most_traits=max(traits),
        writers=max(
            sum(type(one) in (DynamicProperty, Embellishment) for one in unit.traits) for unit in units
        ),
        unit=max(len(AddPiece(id="", type=type_, state=state).encode()) for type_, state in texts),
        change=max(len(ChangePiece(id="", new_state=state, old_state=state).encode()) for _, state in texts),
        pressed=max(len(change.encode()) for _, change in pressed),
        pressed_unit=max(
            len(attrs.evolve(unit, state=change.new_state).encode()) for unit, change in pressed
        ),
        setup=max(len(entries[file_of(scenario)]) for scenario in game.scenarios.values()),
    )


def _changes(log: Path) -> Iterator[tuple[AddPiece, ChangePiece]]:
    """The changes of counters that fight in a log, each with the counter as it was added."""
    fighting: dict[str, AddPiece] = {}
    for node in streams.decode(read_saved_game(log).text).root.walk():
        match node.command:
            case AddPiece(id=str(name)) as added if ",Fights," in added.type:
                fighting[name] = added
            case ChangePiece(id=name) as change if name in fighting:
                yield fighting[name], change
