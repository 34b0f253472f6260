"""The counters: what they can do (the prototypes), what they are, and the slots that hold them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tests.data.skirmish.places import CAMPS
from vassalgen.vassal.components import CardSlot, PieceSlot, PrototypeDefinition, PrototypesContainer
from vassalgen.vassal.compounds import Access, AddTo, Constraints, Owner, PropertyCommand
from vassalgen.vassal.pieces import Piece, slot_text
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.clone import Clone
from vassalgen.vassal.traits.delete import Delete
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.footprint import Footprint
from vassalgen.vassal.traits.free_rotator import FreeRotator
from vassalgen.vassal.traits.hideable import Hideable
from vassalgen.vassal.traits.immobilized import Immobilized
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.obscurable import IMAGE, PEEK, MaskStyle, Obscurable
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.return_to_deck import ReturnToDeck
from vassalgen.vassal.traits.send_to_location import REGION, SendToLocation
from vassalgen.vassal.traits.trigger_action import TriggerAction
from vassalgen.vassal.traits.use_prototype import UsePrototype

FLIP, LOSE, RECOVER = Key.ctrl("F"), Key.ctrl("L"), Key.ctrl("R")
RIGHT, LEFT = Key.ctrl("]"), Key.ctrl("[")
DELETE, CLONE, CONCEAL, HIDE = Key.ctrl("D"), Key.ctrl("C"), Key.ctrl("U"), Key.ctrl("I")
WHITE = (255, 255, 255)


@frozen
class Unit:
    """A fighting counter: its name, side and kind, and its strength at each of its steps."""

    name: str
    side: str
    kind: str
    strengths: tuple[int, ...] = (3, 1)

    @property
    def image(self) -> str:
        """The picture of the full strength."""
        return f"{self.kind}-1.svg"


UNITS = (
    Unit("Heron Spears", "Herons", "spears", (4, 2)),
    Unit("Heron Bows", "Herons", "bows"),
    Unit("Heron Riders", "Herons", "riders"),
    Unit("Heron Captain", "Herons", "captain", (1,)),
    Unit("Thorn Axes", "Thorns", "axes", (4, 2)),
    Unit("Thorn Slings", "Thorns", "slings", (2, 1)),
    Unit("Thorn Wolves", "Thorns", "wolves"),
    Unit("Thorn Chief", "Thorns", "chief", (1,)),
)
FLAGS = {"Heron Flag": "herons-flag.svg", "Thorn Flag": "thorns-flag.svg"}
TURN_MARKER = "Turn Marker"
CARDS = {
    "Sudden Rain": "rain",
    "Morning Fog": "fog",
    "Fair Wind": "wind",
    "Wrong Turning": "lost",
    "Old Oath": "oath",
}


def prototypes() -> PrototypesContainer:
    """The prototypes of units, of other markers and of cards."""
    definitions = {"Unit": _unit_traits(), "Marker": _marker_traits(), "Card": _card_traits()}
    return PrototypesContainer(
        children=tuple(
            PrototypeDefinition(name=name, content=slot_text(Piece.of(*traits, _basic("", ""))))
            for name, traits in definitions.items()
        )
    )


def _basic(image: str, name: str, gpid: str = "") -> tuple[BasicPiece, BasicPieceState]:
    return BasicPiece(image=image, name=name), BasicPieceState(gpid=gpid)


def _unit_traits() -> tuple[Trait | tuple[Trait, DynamicPropertyState] | tuple[Trait, LabelerState], ...]:
    """What every unit can do, outermost first: reports stand outside of what they report."""
    losses = DynamicProperty(
        name="Losses",
        constraints=Constraints(numeric=True, minimum=0, maximum=3),
        commands=(
            PropertyCommand(text="Lose one", key=LOSE, change=AddTo("1")),
            PropertyCommand(text="Recover one", key=RECOVER, change=AddTo("-1")),
        ),
    )
    losses_shown = Labeler(
        text="",
        font_size=11,
        background=(255, 250, 220),
        colour=(150, 20, 20),
        vertical_position="t",
        vertical_justification="t",
        horizontal_position="r",
        horizontal_justification="r",
        name_format="$pieceName$",
        font_style=1,
        property_name="LossesShown",
    )
    return (
        ReportState(keys=(FLIP,), report_format="$PlayerSide$: $oldPieceName$ becomes $newPieceName$ *"),
        ReportState(
            keys=(LOSE, RECOVER),
            report_format="$PlayerSide$: $newPieceName$ losses $oldLosses$ to $Losses$ *",
        ),
        ReportState(
            keys=(RIGHT, LEFT), report_format="$PlayerSide$: $newPieceName$ turns to $Facing_Degrees$ *"
        ),
        ReportState(
            keys=(DELETE,), report_format="$PlayerSide$ takes $oldPieceName$ away from $oldLocationName$ *"
        ),
        MovementMarkable(x=-36, y=-24, text="Mark moved"),
        Footprint(text="Trail", globally_visible=True, radius=6, line_colour=(60, 50, 40), line_width=2.0),
        Delete(),
        Clone(),
        SendToLocation(
            text="Eliminate",
            key=Key.ctrl("E"),
            map=CAMPS,
            region="$Side$ Lost",
            back_text="Bring back",
            back_key=Key.ctrl("B"),
            destination=REGION,
        ),
        TriggerAction(
            name="Hit",
            text="Take a hit",
            key=Key.ctrl("H"),
            match="{Step_Level==1}",
            action_keys=(LOSE, FLIP),
        ),
        Hideable(key=HIDE, text="Hide"),
        Obscurable(
            key=CONCEAL,
            image="hidden.svg",
            text="Conceal",
            style=MaskStyle(IMAGE, image="hidden.svg"),
            mask_name="Unknown",
            access=Access(Owner.SIDE),
        ),
        FreeRotator(
            clockwise_key=RIGHT,
            counterclockwise_key=LEFT,
            clockwise_text="Turn right",
            counterclockwise_text="Turn left",
            name="Facing",
        ),
        Labeler(
            key=Key.ctrl("O"),
            text="Order",
            background=WHITE,
            vertical_position="b",
            vertical_justification="t",
            property_name="Order",
        ),
        (losses_shown, LabelerState(label='{Losses>0?"-"+Losses:""}')),
        (losses, DynamicPropertyState(value="0")),
    )


def _marker_traits() -> tuple[Trait, ...]:
    return (Delete(), Clone(), Immobilized())


def _card_traits() -> tuple[Trait, ...]:
    return (
        ReportState(keys=(CONCEAL,), report_format="$PlayerName$ turns over $newPieceName$ *"),
        ReturnToDeck(text="Return", key=RECOVER, ask=False, deck_expression="Events"),
        Obscurable(
            key=CONCEAL, image="card-back.svg", text="Turn over", style=MaskStyle(PEEK), mask_name="Card"
        ),
    )


def unit(one: Unit, gpid: str) -> Piece:
    """The definition of a unit."""
    step = Embellishment(
        increase_text="Flip",
        increase_key=FLIP,
        images=tuple(f"{one.kind}-{step}.svg" for step in range(1, len(one.strengths) + 1)),
        level_names=("", "+ (reduced)")[: len(one.strengths)],
        name="Step",
    )
    markers = Marker(names=("Side", "Kind", "Strength"))
    strengths = "/".join(map(str, one.strengths))
    values = MarkerState(items=(one.side, one.kind, strengths))
    basic = _basic(one.image, one.name, gpid)
    layers = (step,) if len(one.strengths) > 1 else ()
    return Piece.of(UsePrototype(name="Unit"), *layers, (markers, values), basic)


def marker(name: str, image: str, gpid: str) -> Piece:
    """The definition of a flag, or of the turn marker."""
    return Piece.of(UsePrototype(name="Marker"), _basic(image, name, gpid))


def card(name: str, gpid: str) -> Piece:
    """The definition of a card."""
    return Piece.of(UsePrototype(name="Card"), _basic(f"card-{CARDS[name]}.svg", name, gpid))


class Slots:
    """Makes slots, each with the next id that no other slot of the module has."""

    def __init__(self) -> None:
        self.next_id = 1

    def unit(self, name: str) -> PieceSlot:
        """A slot for the unit of that name."""
        one = next(one for one in UNITS if one.name == name)
        return self._slot(unit(one, str(self.next_id)))

    def marker(self, name: str) -> PieceSlot:
        """A slot for a flag or the turn marker."""
        image = FLAGS.get(name, "turn.svg")
        return self._slot(marker(name, image, str(self.next_id)))

    def cards(self) -> Iterator[CardSlot]:
        """The slots of the deck; the first card is at the bottom."""
        for name in CARDS:
            piece = card(name, str(self.next_id))
            yield CardSlot(name=name, gpid=piece.gpid, width=76, height=104, content=slot_text(piece))
            self.next_id += 1

    def _slot(self, piece: Piece) -> PieceSlot:
        self.next_id += 1
        return PieceSlot(name=piece.name, gpid=piece.gpid, width=56, height=56, content=slot_text(piece))
