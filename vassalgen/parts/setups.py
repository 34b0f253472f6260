"""Set-ups: for each scenario a saved game, written here and not by VASSAL.

The ids of the pieces come from the game's own list, so that the logs of all versions refer to the same
pieces; and pieces are exactly where VASSAL would snap them. The clerk and the turn marker are in each set-up.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping

import attrs
from attrs import field, frozen

from vassalgen.announcements import BEGUN_WITH, SCENARIO, waiting
from vassalgen.drawing.boards import Board
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario
from vassalgen.parts.boxes import STATUS, BoxesBoard, place_of, turns, waiting_place
from vassalgen.parts.choices import keeping_secrets
from vassalgen.parts.clerk import clerk, plate, status_line
from vassalgen.parts.face_down import turned_down
from vassalgen.parts.ids import CLERK, LINE, PLATE, TURN_MARKER, Ids
from vassalgen.parts.names import BOXES, FIRST_SIDE, MAIN, TRACK
from vassalgen.parts.pieces import Abilities, counter_piece, turn_marker
from vassalgen.parts.turn_track import first_side, set_turn
from vassalgen.parts.versions import remembering, version_of
from vassalgen.problems import BadInput
from vassalgen.vassal import buildfile, streams
from vassalgen.vassal.commands import (
    AddPiece,
    AtStartDone,
    BeginSave,
    Command,
    EndSave,
    Notes,
    PlacedBoard,
    PublicNotes,
    RestoreProperty,
    SetBoards,
)
from vassalgen.vassal.components import (
    GameModule,
    GlobalProperty,
    PieceSlot,
    PredefinedSetup,
    PrototypeDefinition,
    SetupStack,
)
from vassalgen.vassal.grids import MapPlan, plans_of
from vassalgen.vassal.grids.plan import ImageSize
from vassalgen.vassal.pieces import Piece, expand, from_slot_text, slot_text
from vassalgen.vassal.streams import Node
from vassalgen.vassal.traits.basic_piece import BasicPiece
from vassalgen.vassal.traits.stack import Stack, StackState

Place = tuple[str, str]
"""A map and the name of a place on it."""
EMPTY = "Empty board, to set up freely"


def file_of(scenario: Scenario) -> str:
    """The name of a scenario's saved game in the module."""
    return f"{scenario.id}.vsav"


def entries(game: Game) -> tuple[PredefinedSetup, ...]:
    """The entries of VASSAL's File menu and its wizard."""
    scenarios = tuple(
        PredefinedSetup(name=scenario.title, file=file_of(scenario)) for scenario in game.scenarios.values()
    )
    return (*scenarios, PredefinedSetup(name=EMPTY, use_file=False))


def own_pieces(game: Game, ids: Ids, able: Abilities) -> dict[str, tuple[Piece, Place]]:
    """The pieces that every game has, and their places."""
    return {
        CLERK: (
            clerk(
                game,
                ids.gpid(CLERK),
                *keeping_secrets(game),
                *remembering(version_of(game)),
                delegation=able.delegation,
            ),
            (BOXES, STATUS),
        ),
        PLATE: (plate(game, ids.gpid(PLATE)), (BOXES, STATUS)),
        TURN_MARKER: (turn_marker(game, ids), (BOXES, waiting(TRACK, _first_turn(game)))),
        LINE: (status_line(game, ids.gpid(LINE)), (MAIN, "")),
    }


def _first_turn(game: Game) -> int:
    return next((turn.number for turn in turns(game)), 1)


def at_start(game: Game, ids: Ids, own: Mapping[str, tuple[Piece, Place]]) -> tuple[SetupStack, ...]:
    """The at-start stacks of a game that begins with an empty board."""
    found = []
    for id_, (piece, (map_name, place)) in own.items():
        x, y = own_pixel(game, id_, _first_turn(game)) or BoxesBoard(game).middle(place)
        slot = PieceSlot(name=piece.name, gpid=ids.gpid(id_), content=slot_text(piece))
        found.append(SetupStack(name=piece.name, owning_board=map_name, x=x, y=y, children=(slot,)))
    return tuple(found)


def own_pixel(game: Game, id_: str, turn: int) -> tuple[int, int] | None:
    """The position of a piece that every game has, on a turn; None if it is in a named place."""
    if id_ == LINE:
        return Board(game).status[:2]
    return BoxesBoard(game).markers.get(turn) if id_ == TURN_MARKER else None


@frozen
class SetUp:
    """Makes the saved games of a module."""

    game: Game
    ids: Ids
    module: GameModule
    own: Mapping[str, tuple[Piece, Place]]
    prototypes: Mapping[str, Piece]
    plans: Mapping[str, MapPlan]
    _counters: dict[str, tuple[str, Piece]] = field(factory=dict)
    """The counters that another scenario has as well."""

    @classmethod
    def of(
        cls,
        game: Game,
        ids: Ids,
        own: Mapping[str, tuple[Piece, Place]],
        module: GameModule,
        image_size: ImageSize,
    ) -> SetUp:
        """Read from the module what its saved games need."""
        known = {
            found.component.name: from_slot_text(found.component.content)
            for found in buildfile.find_all(module, PrototypeDefinition)
        }
        return cls(game, ids, module, own, known, plans_of(module, image_size=image_size))

    def stream(self, scenario: Scenario) -> str:
        """The text of a scenario's saved game."""
        commands = [BeginSave(), *self._pieces(scenario), *self._rest(scenario), EndSave()]
        first, *others = (Node(command.encode()) for command in commands)
        return streams.encode(attrs.evolve(first, children=tuple(others)))

    def _pieces(self, scenario: Scenario) -> Iterator[Command]:
        turn = scenario.turns[0].number if scenario.turns else 1
        for id_, (piece, place) in self.own.items():
            yield self._add(self.ids.piece(id_), *self._whole(piece), place, own_pixel(self.game, id_, turn))
        copies = Tally[str]()
        for (where, _), counters in self._stacks(scenario).items():
            yield from self._stack(where, counters, copies, face_down=scenario.face_down)

    def _stacks(self, scenario: Scenario) -> dict[tuple[Place, str], list[Counter]]:
        """Counters by place and side, from bottom to top."""
        found: dict[tuple[Place, str], list[Counter]] = {}
        for placement in scenario.setup:
            at = placement.at or self._first_hex(placement.zone)
            for name in placement.counters:
                counter = self.game.counters[name]
                found.setdefault((self._place(at), counter.side), []).append(counter)
        for arrival in scenario.arrivals:
            for name in arrival.counters:
                counter = self.game.counters[name]
                place = (BOXES, waiting_place(self.game, arrival))
                found.setdefault((place, counter.side), []).append(counter)
        return found

    def _first_hex(self, zone: str) -> str:
        """Counters that may start anywhere in a zone are placed in its first hex; their player moves them."""
        return self.game.map.zones[zone].hexes[0]

    def _place(self, at: str) -> Place:
        return (MAIN, at) if at in self.game.map.grid else (BOXES, place_of(self.game, at))

    def _stack(
        self, place: Place, counters: list[Counter], copies: Tally[str], *, face_down: bool
    ) -> Iterator[Command]:
        """A stack; of several markers of a kind each has an id of its own."""
        pieces: list[str] = []
        for counter in counters:
            copy = f"-{copies[counter.id]}" if copies[counter.id] else ""
            copies[counter.id] += 1
            pieces.append(f"{self.ids.piece(counter.id)}{copy}")
            if counter.id not in self._counters:
                self._counters[counter.id] = self._whole(counter_piece(self.game, counter, self.ids))
            type_text, whole = self._counters[counter.id]
            piece = turned_down(self.game, counter, whole) if face_down else whole
            yield self._add(pieces[-1], type_text, piece, place)
        x, y = self._pixel(place)
        state = StackState(map=place[0], x=x, y=y, ids=tuple(pieces))
        stack = Piece.of((Stack(), state))
        copy = pieces[0].removeprefix(self.ids.piece(counters[0].id))
        yield AddPiece(
            id=f"{self.ids.stack(counters[0].id)}{copy}", type=stack.type_text, state=stack.state_text
        )

    def _whole(self, piece: Piece) -> tuple[str, Piece]:
        """A piece with the traits of its prototypes, and the text of what it is."""
        whole = expand(piece, self.prototypes, strict=True)
        return whole.type_text, whole

    def _add(
        self, id_: str, type_text: str, whole: Piece, place: Place, pixel: tuple[int, int] | None = None
    ) -> Command:
        x, y = pixel or self._pixel(place)
        state = attrs.evolve(whole.basic_state, map=place[0], x=x, y=y)
        text = whole.replace_state(BasicPiece, state).state_text
        return AddPiece(id=id_, type=type_text, state=text)

    def _pixel(self, place: Place) -> tuple[int, int]:
        map_name, name = place
        found = self.plans[map_name].centre(name)
        if found is None:
            raise BadInput(self.game.problem("map", f"there is no place {name!r} on the map {map_name}"))
        return found

    def _rest(self, scenario: Scenario) -> Iterator[Command]:
        own = {
            FIRST_SIDE: first_side(self.game, scenario),
            SCENARIO: scenario.id,
            BEGUN_WITH: self.module.version,
        }
        for found in buildfile.find_all(self.module, GlobalProperty):
            one = found.component
            value = own.get(one.name, one.initial_value)
            yield RestoreProperty(name=one.name, value=value, container="Module")
        for map_name in (MAIN, BOXES):
            yield SetBoards(map=map_name, boards=(PlacedBoard(map_name),))
        yield AtStartDone()
        yield set_turn(self.game, scenario)
        yield Notes(text=_notes(scenario))
        yield PublicNotes(text="")


def _notes(scenario: Scenario) -> str:
    texts = (scenario.title, scenario.text, scenario.victory_text)
    return "\n\n".join(" ".join(text.split()) for text in texts if text)
