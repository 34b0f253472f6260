"""The counters: prototypes, which define what counters can do, and the counters themselves.

A counter's own definition contains only its data: markers, faces, numbers. Behaviour is in prototypes, one
for each kind of counter, not nested.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import frozen

from vassalgen.announcements import (
    CID,
    STEPS,
    Due,
    Eliminated,
    Moved,
    Removed,
    Restored,
    StepReported,
    StepsChanged,
    state_property,
)
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.game.values import Value
from vassalgen.parts import battle, checks, face_down, fetching, keys, pictures
from vassalgen.parts.boxes import IS_LOST, BoxesBoard, loss_place
from vassalgen.parts.clerk import clerk
from vassalgen.parts.declarations import declaration_traits
from vassalgen.parts.delegation import Delegation, without_commands
from vassalgen.parts.face_down import MASKED, UNSEEN, counter_of, here
from vassalgen.parts.ids import CLERK, TURN_MARKER, Ids
from vassalgen.parts.keypad import keypad_moves
from vassalgen.parts.lookups import among
from vassalgen.parts.modifiers import TEST_FACTOR, Modifiers, is_tested
from vassalgen.parts.names import BOXES, PRESSER, TURN, UNMARK
from vassalgen.parts.odds import ATTACK, DEFENCE, by_steps, counted_property, factor_of, fights, strength
from vassalgen.parts.states import (
    badges,
    counts,
    most_property,
    points_of,
    state_traits,
    states_of,
)
from vassalgen.parts.trait_shorthand import (
    Part,
    add,
    command,
    global_,
    hidden,
    key,
    marks,
    number,
    on,
    report,
)
from vassalgen.parts.trait_shorthand import keys as keys_of_module
from vassalgen.parts.turn_track import NEW_PHASE, begins
from vassalgen.templates import located
from vassalgen.vassal.components import PrototypeDefinition, PrototypesContainer
from vassalgen.vassal.pieces import Piece, slot_text
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.counter_global_key_command import CounterGlobalKeyCommand
from vassalgen.vassal.traits.delete import Delete
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.footprint import Footprint
from vassalgen.vassal.traits.global_hot_key import GlobalHotKey
from vassalgen.vassal.traits.immobilized import BandSelection, Immobilized, Movement
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.send_to_location import PLACE, REGION, SendToLocation
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty
from vassalgen.vassal.traits.trigger_action import TriggerAction
from vassalgen.vassal.traits.use_prototype import UsePrototype

MOVED = "moved"
"""The key that maps send to pieces that were moved on them."""
TRAIL_ON, TRAIL_OFF = "trailOn", "trailOff"
"""The keys that show and hide the movement trail of a counter."""
NOT_ELIMINATED = "Restore: this counter was dragged here. Drag it back."
"""The message for a counter that cannot be restored: VASSAL only knows where to return counters that were
sent away.
"""
_NOBODY = "-"
_GONE = ("sent1", "goLost", "sent0", "sayLost")


def kind_prototype(kind: str) -> str:
    """The prototype of a kind of counter."""
    return f"Kind {kind}"


def prototypes(able: Abilities) -> PrototypesContainer:
    """All prototypes."""
    return PrototypesContainer(
        children=tuple(
            PrototypeDefinition(name=name, content=slot_text(Piece.of(*traits, _basic("", ""))))
            for name, traits in able.prototypes.items()
        )
    )


@frozen
class Abilities:
    """What counters can do: the prototypes, and what the clerk does for them."""

    prototypes: dict[str, tuple[Part, ...]]
    delegation: Delegation
    follow_phases: str


def abilities(game: Game) -> Abilities:
    """Determine what the counters of each kind can do, and whether the counter or the clerk does it."""
    found = {kind: able(game, kind) for kind in game.kinds}
    called = _called(game, found)
    gathered = _gathered(called, found)
    delegation = Delegation(called - gathered, gathered)
    light = {
        kind_prototype(kind): delegation.keep(kind, found[kind], _inside(game, kind)) for kind in game.kinds
    }
    return Abilities({**face_down.prototypes(game), **light}, delegation, _follow_phases(game, found))


def able(game: Game, kind: str) -> tuple[Part, ...]:
    """Everything that counters of a kind can do, for any player, outermost first."""
    counters = [counter for counter in game.counters.values() if counter.kind == kind]
    return (
        *battle.common(game),
        *(_marker(game) if game.kinds[kind].marker else _unit(game, kind)),
        *_moving(game),
        *face_down.turning(game, kind),
        *(
            _stepped(game, kind, max(counter.steps for counter in counters))
            if any(_has_steps(game, counter) for counter in counters)
            else ()
        ),
    )


def _inside(game: Game, kind: str) -> tuple[Part, ...]:
    """The traits further in, of individual counters of a kind, that answer keys."""
    return tuple(
        part
        for counter in game.counters.values()
        if counter.kind == kind
        for part in (*(_faces(counter) if _has_steps(game, counter) else ()), *points_of(game, counter))
    ) + ((face_down.mask_of(game),) if game.kinds[kind].hidden and face_down.hides(game) else ())


def _called(game: Game, found: Mapping[str, tuple[Part, ...]]) -> frozenset[Key]:
    """The keys that counters receive from other counters, the clerk, buttons, maps and the turn track."""
    callers = (*clerk(game, "").traits, *(trait for traits in found.values() for trait in traits))
    sent = {one.sent_key for one in callers if isinstance(one, CounterGlobalKeyCommand) and one.sent_key}
    return frozenset({*sent, *keys_of_module(NEW_PHASE, MOVED, battle.CALL_OFF)})


def _gathered(called: frozenset[Key], found: Mapping[str, tuple[Part, ...]]) -> frozenset[Key]:
    """The keys at which counters only add to properties of the module."""
    adds: set[Key] = set()
    others: set[Key] = set()
    for traits in found.values():
        for trait in (part[0] if isinstance(part, tuple) else part for part in traits):
            match trait:
                case SetGlobalProperty():
                    adds |= {one.key for one in trait.commands if one.key}
                case DynamicProperty():
                    others |= {one.key for one in trait.commands if one.key}
                case TriggerAction():
                    others |= {one for one in (trait.key, *trait.watch_keys) if one}
                case ReportState():
                    others |= set(trait.keys)
                case CounterGlobalKeyCommand() | GlobalHotKey() | SendToLocation():
                    others |= {one for one in (trait.key,) if one}
    return called & frozenset(adds - others)


def _follow_phases(game: Game, found: Mapping[str, tuple[Part, ...]]) -> str:
    """The condition that a counter has something to do when a phase begins, derived from its own commands.

    VASSAL writes out every counter to which it sends a key, so counters that would do nothing are skipped.
    """
    kinds: dict[str, list[str]] = {}
    for kind, traits in found.items():
        for trait in traits:
            if isinstance(trait, TriggerAction) and trait.key == key(NEW_PHASE):
                kinds.setdefault(trait.match[1:-1], []).append(kind)
    some = (f"({among(found, 'Kind')}&&({condition}))" for condition, found in kinds.items())
    return "||".join((among((CLERK, TURN_MARKER), CID), *some))


def _basic(image: str, name: str, gpid: str = "") -> Part:
    return BasicPiece(image=image, name=name), BasicPieceState(gpid=gpid)


def _moving(game: Game) -> tuple[Part, ...]:
    """Moves are reported in one line per counter; "moved" marks and trails end with the phase."""
    moved = Moved.expression(
        counter=counter_of(game), origin="OldLocationName", to="LocationName", side=PRESSER
    )
    return (
        report("sayMoved", moved),
        command("", MOVED, "sayMoved", when="Sent==0"),
        *keypad_moves(game),
        MovementMarkable(
            icon=pictures.MOVED,
            x=28,
            y=-12,
            text="",
            key=None,
            mark_text="",
            mark_key=key("mark"),
            unmark_text="",
            unmark_key=key(UNMARK),
        ),
        Footprint(
            key=keys.TRAIL,
            text="Movement trail",
            initially_visible=True,
            globally_visible=True,
            radius=7,
            fill_colour=(255, 255, 255),
            line_colour=(150, 40, 30),
            unselected_opacity=70,
            line_width=2.5,
            on_key=key(TRAIL_ON),
            off_key=key(TRAIL_OFF),
            clear_key=key("clearTrail"),
        ),
        global_("Sent", on("sent1", "1"), on("sent0", "0")),
    )


def _stepped(game: Game, kind: str, most: int) -> tuple[Part, ...]:
    """Steps are lost and, if there are several, regained; the opponent does not see those of face-down
    counters.
    """
    who, hides = here(game), face_down.hides(game)
    said = StepsChanged.expression(counter=who, old=f"old{STEPS}", new=STEPS, side=PRESSER)
    if hides:
        lost = f'old{STEPS}>{STEPS}?"loses":"regains"'
        reported = StepReported.expression(counter=who, lost=lost, side=PRESSER)
        said = f"{{{MASKED}?{reported[1:-1]}:{said[1:-1]}}}"
    return (
        report("saySteps", said),
        command("Lose a step", keys.LOSE, "last", "notLast"),
        command("", "last", *_GONE, when=f"{STEPS}==1"),
        command("", "notLast", "less", "saySteps", when=f"{STEPS}>1"),
        *(_regaining(game, kind) if most > 1 else ()),
    )


def _regaining(game: Game, kind: str) -> tuple[Part, ...]:
    missing, pressed = f"{STEPS}<MaxSteps", ("more", "saySteps")
    if game.kinds[kind].hidden:
        not_now = hidden("whole", f"{UNSEEN}||!({missing})", keys.GAIN)
        return not_now, command("Regain a step", keys.GAIN, *pressed)
    return (command("Regain a step", keys.GAIN, *pressed, when=missing),)


def _marker(game: Game) -> tuple[Part, ...]:
    """Markers can be removed again."""
    return (
        report("sayRemoved", Removed.expression(counter=here(game), side=PRESSER)),
        command("Remove", keys.ELIMINATE, "sayRemoved", "remove"),
        Delete(text="", key=key("remove")),
    )


def _unit(game: Game, kind: str) -> tuple[Part, ...]:
    return (
        *badges(game, kind),
        *(battle.fighter(game, kind) if fights(game, kind) else ()),
        *declaration_traits(game, kind),
        *state_traits(game, kind),
        *fetching.coming(game, kind),
        *_losses(game, kind),
        *_due(game),
    )


def _losses(game: Game, kind: str) -> tuple[Part, ...]:
    """To the box for losses, and back to where it came from."""
    box = loss_place(game)
    name = counter_of(game)
    back = Restored.expression(counter=here(game), side=PRESSER)
    gone = (keys.ELIMINATE, *((keys.LOSE,) if _in_steps(game, kind) else ()))
    return (
        hidden("lost", f"{UNSEEN}||{IS_LOST}" if game.kinds[kind].hidden else IS_LOST, *gone),
        hidden("not lost", f"!({IS_LOST})", keys.RESTORE),
        report("sayLost", Eliminated.expression(counter=located(name, "oldLocationName"), side=PRESSER)),
        report("sayBack", f'{{{IS_LOST}?"{NOT_ELIMINATED}":{back[1:-1]}}}'),
        command("Eliminate", keys.ELIMINATE, *_GONE),
        command("Restore", keys.RESTORE, "sent1", "goBack", "sent0", "sayBack"),
        SendToLocation(
            key=key("goLost"), map=BOXES, region=f"{{{box}}}", back_key=key("goBack"), destination=REGION
        ),
    )


def _has_steps(game: Game, counter: Counter) -> bool:
    return counter.steps > 1 or (not game.kinds[counter.kind].marker and _in_steps(game, counter.kind))


def _in_steps(game: Game, kind: str) -> bool:
    """Whether counters of a kind are lost step by step, unlike leaders and wagons, which are lost as a whole.

    Counters that only go to the turn track are never lost.
    """
    if any(one.away and kind in one.kinds for one in game.declarations.values()):
        return False
    stepped = {counter.kind for counter in game.counters.values() if counter.steps > 1}
    return kind in stepped or (bool(stepped) and fights(game, kind))


def _due(game: Game) -> tuple[Part, ...]:
    """Counters due in the turn that begins announce themselves."""
    # in a hex that is a number the engine takes (""+LocationName) for no string once a method is called on it
    waits = f'GetString("LocationName").endsWith(" T"+{TURN})'
    return (
        report("sayDue", Due.expression(counter=here(game))),
        command("", NEW_PHASE, "sayDue", when=f"{begins(game)}&&{waits}"),
    )


def counter_piece(game: Game, counter: Counter, ids: Ids) -> Piece:
    """The definition of a counter."""
    kind = game.kinds[counter.kind]
    return Piece.of(
        UsePrototype(name=kind_prototype(counter.kind)),
        *face_down.covering(game, counter),
        *without_commands(
            (*(_faces(counter) if _has_steps(game, counter) else ()), *points_of(game, counter))
        ),
        *_strengths(game, counter),
        marks({**_values(game, counter), **_fixed_strengths(game, counter)}),
        *((Immobilized(),) if kind.marker else ()),
        _basic(pictures.counter_picture(counter), counter.name, ids.gpid(counter.id)),
    )


def _faces(counter: Counter) -> tuple[Part, ...]:
    """Steps left, and the corresponding face; the id of the piece stays the same."""
    most = counter.steps
    images = (*(pictures.counter_picture(counter, steps) for steps in range(1, most)), "")
    shown = Embellishment(
        name="Face",
        images=images,
        follow_expression=True,
        expression=STEPS,
        legacy_activate_key="",
    )
    return (
        *((shown,) if most > 1 else ()),
        number(STEPS, add("less", -1), add("more", 1), start=most, low=0, high=most),
    )


def _strengths(game: Game, counter: Counter) -> tuple[Part, ...]:
    """What the counter adds to the sums of a battle, if it varies."""
    return tuple(
        CalculatedProperty(name=name, expression=f"{{{counted}}}")
        for name, counted in _counted(game, counter).items()
        if not counted.isdecimal()
    )


def _fixed_strengths(game: Game, counter: Counter) -> dict[str, str]:
    """What it always adds."""
    return {name: counted for name, counted in _counted(game, counter).items() if counted.isdecimal()}


def _counted(game: Game, counter: Counter) -> dict[str, str]:
    """The expressions for what the counter adds to the sums of a battle."""
    if not fights(game, counter.kind):
        return {}
    found: dict[str, str] = {}
    used = {counted_property(game, names): factor_of(game, names) for names in (ATTACK, DEFENCE)}
    if (test := Modifiers(game).test) and is_tested(game, counter.kind):
        used[TEST_FACTOR] = test.factor
    used |= {checks.factor_property(game, factor): factor for factor in checks.factors(game)}
    for name, factor in used.items():
        values = {steps: strength(counter, factor, steps) for steps in range(1, counter.steps + 1)}
        found[name] = _in_states(game, counter.kind, factor, values)
    return found


def _in_states(game: Game, kind: str, factor: str, values: Mapping[int, int]) -> str:
    """The expression for the value of a factor in any state of the counter, from its values by steps."""
    plain = value = str(values[1]) if len(set(values.values())) == 1 else by_steps(values)
    for state in states_of(game, kind):
        rule = state.counts.get(factor)
        if rule and (value != plain or _is_changed(rule, values.values())):
            there, nothing_less = f"{state_property(state.id)}>0", min(values.values()) >= 0
            if rule == "double" and nothing_less:
                value = f"(({there}?2:1)*{value})"
            elif rule in ("half up", "half down") and nothing_less:
                value = f"({there}?{_worth(rule, value)}:{value})"
            else:
                some = "!=" if rule.isdecimal() else ">"
                value = f"({there}&&{value}{some}0?{_worth(rule, value)}:{value})"
    return value


def _is_changed(rule: str, values: Collection[int]) -> bool:
    """Whether a state's rule changes any of these values."""
    if rule.isdecimal():
        return any(value not in (0, int(rule)) for value in values)
    return max(values) > (1 if rule in ("half up", "half down to 1") else 0)


def _worth(rule: str, value: str) -> str:
    """The expression for the worth of a value above 0 in a state, by the state's rule."""
    half = f"{value}/2"
    known = {
        "half up": f"({value}+1)/2",
        "half down": half,
        "half down to 1": f"Math.max(1,{half})",
        "double": f"2*{value}",
    }
    return known.get(rule, rule)


def _values(game: Game, counter: Counter) -> dict[str, str]:
    """The data of a counter as properties: its id, side and kind, the factors, the game's own columns."""
    side = game.sides[counter.side].title if counter.side else _NOBODY
    kind = game.kinds[counter.kind]
    values = {CID: counter.id, "Side": side, "Kind": counter.kind}
    facts: Mapping[str, Value | None] = {
        "Nation": counter.nation,
        "Stack": counter.stack if not kind.marker else None,
        "Fights": "1" if fights(game, counter.kind) else None,
        "MaxSteps": counter.steps if _has_steps(game, counter) else None,
        **{most_property(state): state.most(counter) for state in states_of(game, kind.id) if counts(state)},
        **counter.face().factors,
        **{name: counter.extra.get(name) for name in counter.extra},
    }
    values |= {name: written for name, value in facts.items() if (written := _written(value))}
    return values


def _written(value: Value | None) -> str:
    match value:
        case bool():
            return "1" if value else "0"
        case tuple():
            return " ".join(map(_written, value))
        case None | Mapping():
            return ""
    return str(value)


def turn_marker(game: Game, ids: Ids) -> Piece:
    """The marker on the turn track, which moves by itself."""
    x, y = "0", "0"
    for turn, (right, down) in BoxesBoard(game).markers.items():
        x, y = f"({TURN}=={turn}?{right}:{x})", f"({TURN}=={turn}?{down}:{y})"
    return Piece.of(
        command("", NEW_PHASE, "goTurn", when=begins(game)),
        SendToLocation(
            key=key("goTurn"), map=BOXES, board=BOXES, x=f"{{{x}}}", y=f"{{{y}}}", destination=PLACE
        ),
        marks({CID: TURN_MARKER, "Side": _NOBODY, "Fights": "0"}),
        Immobilized(ignores_grid=True, band_selection=BandSelection.NEVER, movement=Movement.NEVER),
        _basic(pictures.TURN_MARKER, "Turn", ids.gpid(TURN_MARKER)),
    )
