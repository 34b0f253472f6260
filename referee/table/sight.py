"""What a viewer sees of pieces: names, layers, labels, properties, and which pieces are visible at all.
[counters.Decorator.getName and getProperty, trait by trait]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from referee.table import events
from referee.table.events import Event, Subject
from referee.table.texts import evaluate, fill
from referee.table.things import SILENT_CODES, Deck, Map, Piece, Stack, Thing
from vassalgen.vassal import sequences
from vassalgen.vassal.compounds import Access, Owner
from vassalgen.vassal.expressions.values import java_int
from vassalgen.vassal.scalars import INTEGER
from vassalgen.vassal.traits import Trait
from vassalgen.vassal.traits.basic_name import BasicName
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.embellishment import Embellishment, EmbellishmentState
from vassalgen.vassal.traits.free_rotator import AngleState, FreeRotator
from vassalgen.vassal.traits.hideable import Hideable
from vassalgen.vassal.traits.labeler import Labeler
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.obscurable import Obscurable

if TYPE_CHECKING:
    from referee.table.table import Table

Hiding = Literal["", "masked", "hidden"]
MAX_RECURSION = 50
"""The depth at which VASSAL gives up on a property that depends on itself. [tools.RecursionLimiter]"""

_MOST_ASKED = 2_000
"""The maximum number of properties evaluated for one: if each depends twice on others the number explodes."""
_LONGEST = 2**16
"""The maximum length of a property: if each contains others twice the length doubles every time."""
_MOST_ENDLESS = 20
"""After so many properties that could not be evaluated, none that depends on others is evaluated any more."""


@frozen
class LayerSeen:
    """A visible layer: ``level`` from 1."""

    name: str
    level: int
    active: bool
    level_name: str


class Sight:
    """How the table looks to one viewer: a player's key, or None for an observer."""

    def __init__(self, table: Table, viewer: str | None) -> None:
        self._table = table
        self.viewer = viewer
        self._depth = self._asked = self._endless = 0

    def _is_mine(self, owner: str | None, access: Access) -> bool:
        """Whether the viewer has access to what this owner hid. [counters.PlayerAccess, SideAccess,
        SpecifiedSideAccess]
        """
        if owner is None:
            return True
        if self.viewer is None:
            return False
        if access.owner is Owner.PLAYER:
            return owner == self.viewer
        player = self._table.player(self.viewer)
        if player is None:
            return False
        return player.side in access.sides if access.sides else player.side == owner

    def invisible(self, piece: Piece) -> bool:
        """Whether an Invisible trait hides the piece from the viewer."""
        owner = piece.hidden_by
        if owner is None:
            return False
        trait = piece.type.traits[piece.type.hide_places[0]]
        return not self._is_mine(owner, trait.access if isinstance(trait, Hideable) else Access())

    def hiding(self, piece: Piece) -> Hiding:
        """Whether the piece is invisible to the viewer, or its identity is."""
        if self.invisible(piece):
            return "hidden"
        masked = bool(piece.type.mask_places) and self.property(piece, "Obscured") == "true"
        return "masked" if masked else ""

    def top(self, stack: Stack) -> Piece | None:
        """The topmost piece the viewer sees. [counters.Stack.topPiece]"""
        return next((piece for piece in reversed(stack.members) if not self.invisible(piece)), None)

    def top_for(self, stack: Stack, player: str) -> Piece | None:
        """The topmost piece that a player sees. [counters.Stack.topPiece(playerId)]"""
        return next((p for p in reversed(stack.members) if p.hidden_by in (None, player)), None)

    def layer_on_map(self, thing: Thing, map_: Map | None) -> int:
        """The layer of a map that contains something; VASSAL searches the lower ones first.
        [map.DefaultPieceCollection, LayeredPieceCollection]
        """
        facts = self._table.facts_of(map_)
        if facts is None or facts.layer_property is None:
            below = isinstance(thing, Deck) or (isinstance(thing, Piece) and thing.type.never_stacks)
            return 0 if below else 1
        order = facts.layer_order
        if isinstance(thing, Stack) and not isinstance(thing, Deck):
            seen = self.top(thing)
            thing = seen if seen else thing.members[0] if thing.members and thing.layer != -1 else thing
        value = self.property(thing, facts.layer_property) if isinstance(thing, Piece) else None
        return order.index(value) if value in order else len(order)

    def name(self, thing: Thing) -> str:
        """The name that the viewer sees; for a stack, the names of its visible pieces from top to bottom."""
        if isinstance(thing, Deck):
            return thing.name
        if isinstance(thing, Stack):
            return self._stack_name(thing)
        assert isinstance(thing, Piece)
        return self._piece_name(thing)

    def _stack_name(self, stack: Stack) -> str:
        """[counters.Stack.getName]: as there, empty names at the front leave no comma."""
        shown = [piece for piece in reversed(stack.members) if not self.invisible(piece)]
        text = ""
        for place, piece in enumerate(shown):
            text += self.name(piece)
            if text and place < len(shown) - 1:
                text += ", "
        return text

    def true_name(self, piece: Piece) -> str:
        """The name regardless of masks and invisibility."""
        return self._piece_name(piece, reveal=True)

    def _piece_name(self, piece: Piece, *, reveal: bool = False) -> str:
        """The basic name, modified by the surrounding traits one after the other."""
        kind = piece.type
        if kind.name_places is None:
            return self._made_name(piece, reveal=reveal)
        states = tuple(piece.states[place] for place in kind.name_places)
        if states not in kind.names:
            kind.names[states] = self._made_name(piece, reveal=reveal)
        return kind.names[states]

    def _made_name(self, piece: Piece, *, reveal: bool) -> str:
        name = self.property(piece, "BasicName") or ""
        for place in piece.type.naming_places:
            name = self._renamed(piece, place, name, reveal=reveal)
        return name

    def _renamed(self, piece: Piece, place: int, inner: str, *, reveal: bool) -> str:
        """The name after a trait has modified the name of what is inside it. [getName of each]"""
        trait, state = piece.type.traits[place], piece.states[place]
        if isinstance(trait, Embellishment):
            raw = trait.level_name(self._level(piece, place, trait))  # a layer that is turned off has none
            if not raw:
                return inner
            first, *rest = sequences.decode(raw, "+")
            if not rest:
                return first
            return first + inner if first else inner + rest[0]
        if isinstance(trait, Labeler) and (state.strip() or trait.always_format):
            words = {"pieceName": inner, "label": self._label(piece, state)}
            return self._fill(piece, trait.name_format, words)
        if reveal:
            return inner
        if isinstance(trait, Hideable) and state != "null":
            mine = self._is_mine(state, trait.access)
            return f"{inner}({trait.text})" if mine else ""
        if isinstance(trait, Obscurable):
            owner = _mask_owner(state)
            if owner is not None:
                mine = self._is_mine(owner, trait.access)
                return f"{inner}({trait.mask_name})" if mine else trait.mask_name
        return inner

    def _label(self, piece: Piece, state: str) -> str:
        """A label may be a format itself. [counters.Labeler.getLabel]"""
        return self._fill(piece, state.strip(), {})

    def _fill(self, piece: Piece, text: str, words: Mapping[str, str]) -> str:
        return fill(text, lambda name: words[name] if name in words else self.property(piece, name))

    def layer(self, piece: Piece, place: int, trait: Embellishment) -> LayerSeen:
        """The current appearance of a layer. [counters.Embellishment.mySetState, checkPropertyLevel]"""
        value = self._level(piece, place, trait)
        level = abs(value)
        name = trait.level_name(level) if value > 0 else ""
        shown = name[1:] if name.startswith("+") else name.removesuffix("+")
        return LayerSeen(trait.name, level, value > 0, shown)

    def _level(self, piece: Piece, place: int, trait: Embellishment) -> int:
        """The level of a layer; if it is turned off, minus the level that it would have."""
        count = trait.count
        value = min(max(-count, _level_in(piece.states[place])), count)
        if trait.follow_expression and trait.expression:
            level = self._followed_level(piece, place, trait)
            if level is not None:
                return level if value > 0 else -level
        return value

    def _followed_level(self, piece: Piece, place: int, trait: Embellishment) -> int | None:
        own = piece.type.followed(place)
        text = (
            piece.states[own]
            if own is not None
            else evaluate(trait.expression, lambda name: self.property(piece, name), as_property=True)
        )
        try:
            level = INTEGER.decode(text) - trait.first_level_value + 1 if text else 1
        except ValueError:
            return None
        return None if text is None else min(max(level, 1), trait.count)

    def layers(self, piece: Piece) -> list[LayerSeen]:
        """All layers, outermost first."""
        return [
            self.layer(piece, place, trait)
            for place, trait in enumerate(piece.type.traits)
            if isinstance(trait, Embellishment)
        ]

    def dynamic(self, piece: Piece) -> dict[str, str]:
        """The dynamic properties; as in VASSAL, an inner one with the same name counts last."""
        return {trait.name: piece.states[place] for place, trait in piece.type.dynamic}

    def markers(self, piece: Piece) -> dict[str, str]:
        """The markers."""
        found: dict[str, str] = {}
        for place, trait in piece.type.markers:
            found.update(_marked(trait, piece.states[place]))
        return found

    def labels(self, piece: Piece) -> dict[str, str]:
        """The text labels by the property of each."""
        return {
            trait.property_name: self._label(piece, piece.states[place])
            for place, trait in enumerate(piece.type.traits)
            if isinstance(trait, Labeler)
        }

    def rotations(self, piece: Piece) -> dict[str, tuple[float, str]]:
        """By name of the rotator: degrees as VASSAL stores them (minus is clockwise), and the state."""
        found: dict[str, tuple[float, str]] = {}
        for place, trait in enumerate(piece.type.traits):
            if isinstance(trait, FreeRotator):
                state = trait.state_class.decode(piece.states[place])
                angle = state.angle if isinstance(state, AngleState) else -trait.degrees_clockwise(state)
                found[trait.name] = (angle, piece.states[place])
        return found

    def moved(self, piece: Piece) -> bool | None:
        """The "moved" mark, None if the piece has none."""
        marks = [
            piece.states[place] == "true"
            for place, trait in enumerate(piece.type.traits)
            if isinstance(trait, MovementMarkable)
        ]
        return marks[-1] if marks else None

    def property(self, piece: Piece, name: str) -> str | None:
        """A property as expressions on the piece find it: from the outermost trait inwards, then place, map
        and module.
        """
        if self._depth > MAX_RECURSION or self._asked > _MOST_ASKED:
            return None
        self._depth += 1
        self._asked += 1
        try:
            for place in piece.type.provider_places(name):
                found = self._trait_property(piece, place, piece.type.traits[place], name)
                if found is not None:
                    return found if len(found) <= _LONGEST else found[:_LONGEST]
            return self._basic_property(piece, name)
        finally:
            self._depth -= 1
            if not self._depth:
                self._endless += self._asked > _MOST_ASKED
                self._asked = 0 if self._endless < _MOST_ENDLESS else _MOST_ASKED

    def _trait_property(self, piece: Piece, place: int, trait: Trait, name: str) -> str | None:
        state = piece.states[place]
        match trait:
            case DynamicProperty() if trait.name == name:
                return state
            case Marker() if name in trait.names:
                return _marked(trait, state).get(name)
            case Embellishment() if name.startswith(trait.name + "_"):
                return self._layer_property(piece, place, trait, name[len(trait.name) + 1 :])
            case Labeler() if trait.property_name == name:
                return self._label(piece, state)
            case CalculatedProperty() if trait.name == name:
                bare = trait.expression.replace("$", "_").isidentifier()
                return evaluate(trait.expression, lambda other: self.property(piece, other), as_property=bare)
            case FreeRotator() if name in (f"{trait.name}_Facing", f"{trait.name}_Degrees"):
                degrees = self.rotations(piece)[trait.name][0]
                return str(int(-degrees)) if name.endswith("_Degrees") else str(_integer(state) + 1)
            case MovementMarkable() if name == "Moved":
                return state
            case Hideable() if name in ("Invisible", "InvisibleToOthers"):
                hidden = state != "null" if name.endswith("Others") else self.invisible(piece)
                return "true" if hidden else "false"
            case Obscurable() if name in ("Obscured", "ObscuredToOthers"):
                owner = _mask_owner(state)
                masked = owner is not None
                if name == "Obscured":
                    masked = not self._is_mine(owner, trait.access)
                return "true" if masked else "false"
            case BasicName() if name == "BasicName" and trait.name:
                return self._fill(piece, trait.name, {})
        return None

    def _layer_property(self, piece: Piece, place: int, trait: Embellishment, ending: str) -> str | None:
        if ending not in ("Image", "Name", "Level", "Active"):
            return None
        layer = self.layer(piece, place, trait)
        match ending:
            case "Level":
                return str(layer.level if layer.active else -layer.level)
            case "Active":
                return "true" if layer.active else "false"
            case "Name":
                return layer.level_name
        images = trait.images
        return images[layer.level - 1] if layer.active and layer.level <= len(images) else ""

    def _basic_property(self, piece: Piece, name: str) -> str | None:
        """[counters.BasicPiece.getProperty]"""
        table, map_, (x, y) = self._table, piece.map, piece.position
        zone = table.zone_at(map_, x, y)
        parent = piece.parent
        match name:
            case "BasicName":
                return piece.type.basic_name
            case "PieceName":
                return self.name(piece)
            case "LocationName":
                return table.location_of(piece) or ""
            case "CurrentMap":
                return map_.name if map_ else ""
            case "CurrentBoard":
                return table.board_at(map_, x, y) or ""
            case "CurrentZone":
                return zone or ""
            case "CurrentX":
                return str(x)
            case "CurrentY":
                return str(y)
            case "PieceUID":
                return piece.id
            case "PieceId":
                return piece.gpid
            case "DeckName":
                return parent.name if isinstance(parent, Deck) else ""
            case "DeckPosition":
                in_deck = isinstance(parent, Deck)
                return str(len(parent.members) - parent.index_of(piece)) if parent and in_deck else "0"
            case "Selected":
                return "false"
            case "StackSize":
                return str(len(parent.members)) if parent else "1"
            case "StackPos":
                return str(len(parent.members) - parent.index_of(piece)) if parent else "1"
        kept = dict(zip(piece.kept[::2], piece.kept[1::2], strict=False))
        if name in kept:
            return kept[name]
        return table.globals.get(name, map_.name if map_ else None, zone)

    def changes(self, piece: Piece, were: Mapping[int, str]) -> list[Event]:
        """Return what changed about a piece; ``were`` are the previous states, by position."""
        if not were:
            return []
        subject = self._table.subject(piece)
        events = (
            self._change(piece, subject, place, old, piece.states[place])
            for place, old in sorted(were.items())
        )
        return [event for event in events if event is not None]

    def _change(self, piece: Piece, subject: Subject, place: int, old: str, new: str) -> Event | None:
        trait = piece.type.traits[place]
        match trait:
            case Embellishment():
                seen = self.layer(piece, place, trait)
                return events.LayerChanged(
                    piece=subject,
                    layer=trait.name,
                    old=abs(_integer(old)),
                    new=seen.level,
                    active=seen.active,
                    level_name=seen.level_name,
                )
            case DynamicProperty():
                shows = trait.name in piece.type.seen_properties
                return events.PropertyChanged(piece=subject, name=trait.name, old=old, new=new, shows=shows)
            case FreeRotator():
                return events.Rotated(piece=subject, old=old, new=new)
            case Labeler():
                return events.Labelled(piece=subject, old=old, new=new)
            case MovementMarkable():
                return events.MarkedMoved(piece=subject, moved=new == "true")
            case Hideable() | Obscurable():
                owner = new.partition(";")[0]
                how = "hidden" if isinstance(trait, Hideable) else "masked"
                return events.Hidden(piece=subject, how=how, by=None if owner == "null" else owner)
        code = piece.type.parts[place].partition(";")[0] + ";"
        if code in SILENT_CODES:
            return None
        return events.StateChanged(piece=subject, code=code, old=old, new=new)


@lru_cache(maxsize=1024)
def _level_in(state: str) -> int:
    """The level in the state of a layer, negative if it is turned off."""
    return EmbellishmentState.from_text(state).value if state else -1


def _mask_owner(state: str) -> str | None:
    """The owner of a mask: the state of an Obscurable begins with it."""
    owner = state.partition(";")[0]
    return None if owner in ("null", "") else owner


def _marked(trait: Marker, state: str) -> dict[str, str]:
    read = MarkerState.from_text(state)
    return {name: trait.value(name, read) or "" for name in trait.names if name}


def _integer(text: str) -> int:
    return java_int(text) or 0
