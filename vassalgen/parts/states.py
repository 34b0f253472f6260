"""States of counters: disrupted, out of supply, points left. Each is a property, a badge and a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from vassalgen.announcements import StateChanged, date_property, state_property
from vassalgen.game.counters import TURN_ENDS, Counter, State
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration
from vassalgen.parts.boxes import IS_LOST
from vassalgen.parts.face_down import here
from vassalgen.parts.keys import keys_of
from vassalgen.parts.lookups import among, of_others
from vassalgen.parts.names import CURRENT_BATTLE, HAS_BATTLE, OFF_BOARD, PRESSER, STOP, TURN
from vassalgen.parts.odds import fights
from vassalgen.parts.pictures import SPENT, badges_of, states_picture, together
from vassalgen.parts.trait_shorthand import (
    Part,
    add,
    call,
    command,
    global_,
    hidden,
    number,
    on,
    report,
    text,
)
from vassalgen.parts.turn_track import NEW_PHASE, begins, over
from vassalgen.templates import Named, quoted
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.sub_menu import SubMenu

MENU = "State"


def states_of(game: Game, kind: str) -> tuple[State, ...]:
    """The states that counters of a kind may have."""
    return tuple(state for state in game.states.values() if kind in state.kinds)


def counts(state: State) -> bool:
    """Whether the state is a number of points, as opposed to on or off."""
    return state.is_count


def set_key(state: State) -> str:
    """The key that turns a state on, or spends a point, without an announcement."""
    return f"state_less_{state.id}" if counts(state) else f"state_on_{state.id}"


def none_key(state: str) -> str:
    """The key that removes all points of a state that counts, without an announcement."""
    return f"state_none_{state}"


def clear_key(state: str) -> str:
    """The key that turns a state off without an announcement."""
    return f"state_off_{state}"


def date_key(state: str) -> str:
    """The key that stores the date of a dated state."""
    return f"state_date_{state}"


RECOVER = "recover"
"""The key with which counters end the state that a button names, if they are in it, and announce it."""
_RECOVERING = "Recovering"
"""The property of the module that names it."""


def recover_key(state: str, side: str) -> str:
    """The key with which the clerk has all counters of a side recover from a state."""
    return f"re_{state}_{side}"


def recovering(game: Game) -> tuple[Part, ...]:
    """What the clerk needs for that."""
    found = [state for state in game.states.values() if recovers(state)]
    if not found:
        return ()
    said = [(state, side, recover_key(state.id, side.id)) for state in found for side in game.sides.values()]
    return (
        global_(_RECOVERING, *(on(pressed, state.id) for state, _, pressed in said), numeric=False),
        *(
            call(
                pressed,
                RECOVER,
                when=f"{among(state.kinds, 'Kind')}&&{state_property(state.id)}>0",
                where=("Side", side.title),
            )
            for state, side, pressed in said
        ),
    )


def properties() -> tuple[GlobalProperty, ...]:
    """The property of the module that counters use to recover."""
    return (GlobalProperty(name=_RECOVERING, initial_value=""),)


def state_traits(game: Game, kind: str) -> tuple[Part, ...]:
    """What counters of a kind need for their states, outermost first."""
    found = states_of(game, kind)
    if not found:
        return ()
    menu = tuple(entry for state in found for entry in _entries(state))
    pressed = keys_of(game).states
    return (
        SubMenu(text=MENU, commands=menu),
        *(
            hidden("place", place, *(one for state in there for one in _pressed(state, pressed)))
            for place, there in (*_out_of_place(game, kind, found).items(), *_of_sides(game, kind, found))
        ),
        *(_report(game, state) for state in found),
        *(
            trait
            for state in found
            for trait in _commands(game, state, pressed.get(state.id), _needed(game, kind, state))
        ),
        *(trait for place, state in enumerate(found) for trait in _points(state, place)),
        *(trait for state in found for trait in _kept(game, state, _declared(game, kind, state))),
    )


def _out_of_place(game: Game, kind: str, found: Iterable[State]) -> dict[str, list[State]]:
    """The states by the condition that a counter is in a place where it can neither enter nor leave them.

    In a box it enters only states that it may declare there; among the losses, none.
    """
    places: dict[str, list[State]] = {}
    for state in found:
        boxed = any(one.boxed for one in _declared(game, kind, state))
        places.setdefault(IS_LOST if boxed else OFF_BOARD, []).append(state)
    return places


def _of_sides(game: Game, kind: str, found: Iterable[State]) -> Iterator[tuple[str, tuple[State]]]:
    """The states that only some sides declare, with the condition that a counter belongs to another side."""
    for state in found:
        sides = [one.sides for one in _declared(game, kind, state)]
        if sides and all(sides):
            yield of_others(game, dict.fromkeys(side for some in sides for side in some)), (state,)


def points_of(game: Game, counter: Counter) -> tuple[Part, ...]:
    """The properties of states that count points, which begin with the counter's own number."""
    found = []
    for state in states_of(game, counter.kind):
        if counts(state):
            most = state.most(counter)
            name = state_property(state.id)
            low, full = (
                add(f"state_less_{state.id}", -1),
                on(f"state_full_{state.id}", f"{{{most_property(state)}}}"),
            )
            declared = _declared(game, counter.kind, state)
            none = [on(none_key(state.id), "0")] if any(one.whole for one in declared) else []
            found.append(number(name, low, full, *none, start=most, low=0, high=most))
    return tuple(found)


def most_property(state: State) -> str:
    """The property of a counter with the number of points of a state at the start."""
    return "most_" + state_property(state.id)


def _entries(state: State) -> tuple[str, ...]:
    if counts(state):
        return f"{state.title}: one less", f"{state.title}: all back"
    return (state.title,)


def _pressed(state: State, pressed: Mapping[str, Key]) -> tuple[Key | str, ...]:
    """The keys of its menu entries."""
    first = pressed.get(state.id) or f"state_do_{state.id}"
    return (first, f"state_re_{state.id}") if counts(state) else (first,)


def _report(game: Game, state: State) -> Part:
    name = state_property(state.id)
    dated = {"turn": TURN, "stop": STOP} if state.dated else {}
    line = StateChanged.expression(
        counter=here(game),
        state=quoted(str(Named(state.id, state.title))),
        old=f"old{name}" if counts(state) else f"(1-{name})",
        new=name,
        side=PRESSER,
        **dated,
    )
    if counts(state):  # all points are back when none was missing: nothing to say
        line = f'{{old{name}=={name}?"":{line[1:-1]}}}'
    return report(f"state_say_{state.id}", line)


def _needed(game: Game, kind: str, state: State) -> str:
    """The condition that a counter can be in a state: some states belong to a battle, and end with it."""
    declared = _declared(game, kind, state)
    if not declared or recovers(state) or any(one.about != "battle" for one in declared):
        return ""
    fought = HAS_BATTLE if fights(game, kind) and not game.kinds[kind].counts_in else f"{CURRENT_BATTLE}>0"
    return f"{fought}||{state_property(state.id)}>0"


def _commands(game: Game, state: State, pressed: Key | None, needed: str) -> tuple[Part, ...]:
    id_, name = state.id, state_property(state.id)
    if counts(state):
        less, full = _entries(state)
        return (
            command(
                less, pressed or f"state_do_{id_}", f"state_less_{id_}", f"state_say_{id_}", when=f"{name}>0"
            ),
            command(full, f"state_re_{id_}", f"state_full_{id_}", f"state_say_{id_}"),
            *_ending(game, state),
        )
    date = (date_key(id_),) if state.dated else ()
    return (
        command(
            state.title,
            pressed or f"state_do_{id_}",
            f"state_flip_{id_}",
            *date,
            f"state_say_{id_}",
            when=needed,
        ),
        *(
            (
                command(
                    "",
                    RECOVER,
                    clear_key(id_),
                    f"state_say_{id_}",
                    when=f"{_RECOVERING}=={quoted(id_)}&&{name}>0",
                ),
            )
            if recovers(state)
            else ()
        ),
        *_ending(game, state),
    )


def _ending(game: Game, state: State) -> tuple[Part, ...]:
    """At the end of its phase or of the turn a state ends, and all points are restored."""
    if not state.ends:
        return ()
    name = state_property(state.id)
    ended = begins(game) if state.ends == TURN_ENDS else over(game, state.ends)
    if counts(state):
        back = (f"state_full_{state.id}", f"state_say_{state.id}")
        return (command("", NEW_PHASE, *back, when=f"{name}<{state.levels}&&{ended}"),)
    over_now = (clear_key(state.id), f"state_say_{state.id}")
    return (command("", NEW_PHASE, *over_now, when=f"{name}>0&&{ended}"),)


def recovers(state: State) -> bool:
    """Whether a state can be removed from all counters of a side at once."""
    return not counts(state) and bool(state.dated or state.ends or state.marker)


def badges(game: Game, kind: str) -> Iterator[Embellishment]:
    """The badges of all states in one layer, because VASSAL writes the whole counter for every layer.

    It must be outside labels: these ask twice for the shape of the traits inside them, and a layer then
    evaluates its level. [counters.Labeler.getLabelPosition, Embellishment.getShape]
    """
    for layer, group in enumerate(badges_of(states_of(game, kind))):
        shown = [state_property(state) for state in group if state]
        values = "+".join(f"{2**place}*{name}" if place else name for place, name in enumerate(shown))
        yield Embellishment(
            name=f"badges{layer}",
            images=tuple(states_picture(game, choice) for choice in together(group)),
            follow_expression=True,
            expression=values if len(shown) == 1 else f"{{{values}}}",
            first_level_value=0,
            legacy_activate_key="",
        )


def _points(state: State, place: int) -> tuple[Part, ...]:
    """Points in the upper right corner, or on the face.

    Labels contain no expression: VASSAL asks for the counter's name, and therefore for the labels, at every
    key that a report might answer. [counters.ReportState.myKeyEvent]
    """
    name = state_property(state.id)
    if state.back:
        return _back(state)
    if not counts(state):
        return ()
    label = Labeler(
        text="",
        font_size=14,
        font_style=1,
        background=(255, 255, 255),
        vertical_position="t",
        vertical_justification="t",
        vertical_offset=4 + place * 22,
        horizontal_position="r",
        horizontal_justification="r",
        horizontal_offset=4,
        name_format="$pieceName$",
        always_format=True,
    )
    return ((label, LabelerState(label=f"${name}$")),)


def _back(state: State) -> tuple[Part, ...]:
    """The points left, large at the bottom of the counter, which is darkened when there are none."""
    name = state_property(state.id)
    label = Labeler(
        text="",
        font_size=24,
        font_style=1,
        vertical_position="b",
        vertical_justification="b",
        vertical_offset=2,
        name_format="$pieceName$",
        always_format=True,
    )
    shade = Embellishment(
        name="Spent",
        images=(SPENT, ""),
        level_names=(f"+ ({state.title} gone)", ""),
        follow_expression=True,
        expression=name,
        first_level_value=0,
        legacy_activate_key="",
    )
    return ((label, LabelerState(label=f"${name}$")), shade)


def _declared(game: Game, kind: str, state: State) -> tuple[Declaration, ...]:
    """The declarations with which counters of a kind enter a state."""
    return tuple(one for one in game.declarations.values() if one.state == state.id and kind in one.kinds)


def _laid(state: State) -> str:
    """The value of a state after a declaration that sets it."""
    if not state.unless:
        return "1"
    return f"{{{state_property(state.unless)}>0?{state_property(state.id)}:1}}"


def _kept(game: Game, state: State, declared: tuple[Declaration, ...]) -> tuple[Part, ...]:
    if counts(state):
        return ()
    name = state_property(state.id)
    cleared = any(one.clears == state.id for one in game.declarations.values())
    ends = recovers(state) or cleared or any(one.about == "battle" for one in declared)
    flags = number(
        name,
        on(f"state_flip_{state.id}", f"{{1-{name}}}"),
        *((on(set_key(state), _laid(state)),) if declared else ()),
        *((on(clear_key(state.id), "0"),) if ends else ()),
        low=0,
        high=1,
    )
    if not state.dated:
        return (flags,)
    when = f'{{{name}>0?{TURN}+" "+{STOP}:""}}'
    dates = text(date_property(state.id), on(date_key(state.id), when), on(clear_key(state.id), ""))
    return dates, flags
