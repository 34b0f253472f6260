"""How heavy the counters of the modules are: what VASSAL must read, write and escape. No engine is needed.

The state of a counter is nested, one level for each trait, so that its length grows with the square of their
number. VASSAL writes it out for every dynamic property and layer of a counter at every key that it hears.
The budgets for these figures stand in ``tests/data/weights.toml``.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

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
    """The figures of one module; those of units are of every counter that fights."""

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
    return Weights(
        traits=median(traits),
        most_traits=max(traits),
        writers=max(
            sum(type(one) in (DynamicProperty, Embellishment) for one in unit.traits) for unit in units
        ),
        unit=max(len(AddPiece(id="", type=type_, state=state).encode()) for type_, state in texts),
        change=max(len(ChangePiece(id="", new_state=state, old_state=state).encode()) for _, state in texts),
        pressed=_longest_change(PLAYED / name / "everything.vlog"),
        setup=max(len(entries[file_of(scenario)]) for scenario in game.scenarios.values()),
    )


def _longest_change(log: Path) -> int:
    """The most characters of a change of a counter that fights."""
    texts = [
        node.text.removeprefix("LOG\t") for node in streams.decode(read_saved_game(log).text).root.walk()
    ]
    fighting = {text.split("/")[1] for text in texts if text.startswith("+/") and ",Fights," in text}
    return max(len(text) for text in texts if text.startswith("D/") and text.split("/")[1] in fighting)
