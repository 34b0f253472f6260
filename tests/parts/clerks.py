"""The module's clerk simulated: what VASSAL would calculate of a battle with the module's own expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, evolve, field

from vassalgen.announcements import SCENARIO
from vassalgen.game.game import Game
from vassalgen.parts import battle
from vassalgen.parts.clerk import clerk
from vassalgen.parts.ids import ids_of
from vassalgen.parts.modifiers import Modifiers
from vassalgen.parts.names import TURN
from vassalgen.parts.pieces import counter_piece
from vassalgen.parts.trait_shorthand import Part
from vassalgen.vassal.compounds import SetTo
from vassalgen.vassal.expressions import parse
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty


@define
class Asked:
    """A counter, or none, in front of the properties of the module."""

    shared: Mapping[str, str]
    own: Mapping[str, str] = field(factory=dict)
    worked_out: Mapping[str, str] = field(factory=dict)
    keeps_leading_zeros: bool = True

    def property(self, name: str) -> str | None:
        if name in self.worked_out:
            return parse(self.worked_out[name]).evaluate(self)
        return self.own.get(name, self.shared.get(name))

    def function(self, name: str, arguments: tuple[str, ...]) -> str:
        assert name == "GetString"
        return self.property(arguments[0]) or ""


@define
class Clerk:
    """Collects a battle of a game, in a turn of a scenario."""

    game: Game
    scenario: str
    turn: int
    values: dict[str, str] = field(factory=dict)
    traits: dict[str, tuple[Part, ...]] = field(factory=dict)

    def counter(self, name: str, where: str, steps: int, **own: str) -> Asked:
        """Return a counter in a hex, with a number of steps left."""
        kind = self.game.counters[name].kind
        piece = counter_piece(self.game, self.game.counters[name], ids_of(self.game))
        given = {"LocationName": where, "Steps": str(steps), "Half": "0", "MyTest": "0"}
        states = {
            f"state_{one.id.replace('-', '_')}": "0" for one in self.game.states.values() if kind in one.kinds
        }
        worked_out = {}
        for trait, state in piece.pairs():
            if isinstance(trait, Marker) and isinstance(state, MarkerState):
                given |= dict(zip(trait.names, state.values, strict=True))
            elif isinstance(trait, CalculatedProperty):
                worked_out[trait.name] = trait.expression
        return Asked(self.values, {**states, **given, **own}, worked_out)

    def collect(self, attackers: Iterable[Asked], defenders: Iterable[Asked], test: int = 0) -> None:
        """Calculate a battle, for which a test has been rolled or not."""
        self.values.clear()
        self.values |= {one.name: one.initial_value for one in battle.properties(self.game)}
        self.values |= {SCENARIO: self.scenario, TURN: str(self.turn)}
        modifiers, nobody = Modifiers(self.game), Asked(self.values)
        defending = [evolve(one, own={**one.own, "MyTest": str(test)}) for one in defenders]
        for key in ("gClr", "appD", "appA", "appT", "gMods", "gSums", "gFold"):
            role = {"appD": defending, "appA": attackers, "appT": defending}.get(key)
            for one in [nobody] if role is None else role:
                kind = one.own.get("Kind", "")
                if kind not in self.traits:
                    parts = battle.fighter(self.game, kind) if kind else clerk(self.game, "").traits
                    self.traits[kind] = tuple(parts)
                self._press(key, one, self.traits[kind])
        assert modifiers.all

    def _press(self, key: str, one: Asked, parts: Iterable[Part]) -> None:
        for part in parts:
            if not isinstance(part, SetGlobalProperty):
                continue
            for command in part.commands:
                if command.key and command.key.name == key and isinstance(command.change, SetTo):
                    value = command.change.value
                    self.values[part.name] = parse(value).evaluate(one) if value.startswith("{") else value
