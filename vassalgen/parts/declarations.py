"""Declarations as commands: each announces itself, rolls its dice, sets its state, sends its counter
somewhere.

Declarations about a battle belong to the battle of their counter or, if it is in none, to the current battle.
They end with the phase, and so do the states that they set, unless these have an end of their own. A
declaration with points or towards a hex is a menu of its own, with a command for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from vassalgen.announcements import (
    SAID,
    STEPS,
    Declared,
    SideDeclared,
    declaration_property,
    dice_property,
    state_property,
    waiting,
)
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration
from vassalgen.parts.battle import GIVE, GIVEN, SOME_BATTLE
from vassalgen.parts.boxes import IS_LOST, loss_place, place_of, turns
from vassalgen.parts.checks import Check, is_checked
from vassalgen.parts.choices import choice_buttons
from vassalgen.parts.dice import faces, is_yes, roll_key
from vassalgen.parts.face_down import here, hides
from vassalgen.parts.fetching import fetching, keys_sent, to_battle
from vassalgen.parts.keys import declaring_key
from vassalgen.parts.lookups import of_others
from vassalgen.parts.modifiers import Modifiers
from vassalgen.parts.names import (
    ACTIVE,
    BOXES,
    CURRENT_BATTLE,
    HAS_BATTLE,
    OF_CLERK,
    OFF_BOARD,
    PRESSER,
    SOLITAIRE,
    TRACK,
    TURN,
)
from vassalgen.parts.odds import fights
from vassalgen.parts.states import clear_key, counts, date_key, none_key, recovers, set_key
from vassalgen.parts.trait_shorthand import Part, add, call, command, global_, hidden, key, number, on, report
from vassalgen.parts.turn_track import active_side, outside
from vassalgen.templates import Named, quoted
from vassalgen.vassal.components import Component, DoActionButton, GlobalProperty, ToolbarMenu
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.global_hot_key import GlobalHotKey
from vassalgen.vassal.traits.restrict_commands import RestrictCommands
from vassalgen.vassal.traits.send_to_location import REGION, SendToLocation
from vassalgen.vassal.traits.sub_menu import SubMenu

MENU = "Declare"
POINTS, TOWARDS, TOWARDS_OF = "DeclaredPoints", "DeclaredTowards", "DeclaredBy"
"""The properties of the module with the points and the hex of the declaration being made, and the counter
that has named that hex.
"""
_DIRECTIONS = "Towards"
"""The menu of directions, for counters that make several declarations towards a neighbouring hex."""


@frozen
class MenuCommand:
    """One way to make a declaration: its command, possibly with points or towards a neighbouring hex."""

    menu: str
    pressed: Key
    points: int | None = None
    towards: str = ""

    @property
    def suffix(self) -> str:
        """The suffix of its keys, which distinguishes them from those of the other commands."""
        return self.towards or ("" if self.points is None else str(self.points))


def declarations_of(game: Game, kind: str) -> tuple[Declaration, ...]:
    """What counters of a kind may declare."""
    return tuple(
        one for one in game.declarations.values() if kind in one.kinds and (one.about != "game" or one.kinds)
    )


def names_hex_first(game: Game, kind: str) -> bool:
    """Whether counters of a kind name the hex first: they make several declarations towards a hex."""
    return sum(one.towards for one in declarations_of(game, kind)) > 1


def menu_commands(game: Game, one: Declaration, kind: str) -> tuple[MenuCommand, ...]:
    """The commands with which a counter of a kind makes a declaration."""
    usual = declaring_key(game, one.id)
    said: list[tuple[str, int | None, str]]
    if one.points:
        said = [(f"{one.title}: {points}", points, "") for points in one.points]
    elif one.towards and not names_hex_first(game, kind):
        said = [(f"{one.title} {direction}", None, direction) for direction in game.map.grid.directions]
    else:
        return (MenuCommand(one.title, usual),)
    pressed = (usual, *(key(f"told_tell_{one.id}_{place}") for place in range(1, len(said))))
    return tuple(
        MenuCommand(menu, by, points, towards)
        for by, (menu, points, towards) in zip(pressed, said, strict=True)
    )


def declaration_traits(game: Game, kind: str) -> tuple[Part, ...]:
    """What counters of a kind need for declarations, outermost first."""
    found = declarations_of(game, kind)
    if not found:
        return ()
    own = fights(game, kind) and not game.kinds[kind].counts_in
    battle = SOME_BATTLE if own else CURRENT_BATTLE
    menus = [(one.title, menu_commands(game, one, kind)) for one in found]
    directions = (_DIRECTIONS,) if names_hex_first(game, kind) else ()
    return (
        SubMenu(text=MENU, commands=(*directions, *(title for title, _ in menus))),
        *(
            SubMenu(text=title, commands=tuple(entry.menu for entry in said))
            for title, said in menus
            if len(said) > 1
        ),
        *(_directions(game, found) if directions else ()),
        *_speakers(game, found, kind),
        *(_report(game, one, battle) for one in found),
        *(
            _command(game, one, entry, battle, kind)
            for one in found
            for entry in menu_commands(game, one, kind)
        ),
        *(_done_in_others(game, found) if own else ()),
        *(trait for one in found for trait in _kept(game, one, battle, kind)),
        *_counted(game, found),
    )


def _directions(game: Game, found: tuple[Declaration, ...]) -> tuple[Part, ...]:
    """The menu of directions, each with a command; the next declaration is then made towards that hex."""
    way = game.map.grid.directions
    said = {direction: f"towards_{direction}" for direction in way}
    boxed = any(one.towards and (one.boxed or one.lost) for one in found)
    return (
        *(() if boxed else (hidden("place", OFF_BOARD, *(f"to_{direction}" for direction in way)),)),
        SubMenu(text=_DIRECTIONS, commands=tuple(way)),
        *(command(direction, f"to_{direction}", pressed) for direction, pressed in said.items()),
        global_(TOWARDS, *(on(pressed, direction) for direction, pressed in said.items()), numeric=False),
        global_(
            TOWARDS_OF, *(on(pressed, "{CID}") for pressed in said.values()), on("towards", ""), numeric=False
        ),
    )


def _counted(game: Game, found: tuple[Declaration, ...]) -> tuple[Part, ...]:
    """How many declarations a counter that may be face down, and is then not named, has made.

    If it stores the battle, that is sufficient.
    """
    said = [add(f"told_take_{one.id}", 1) for one in found if not _notes_battle(game, one)]
    return (number(SAID, *said),) if said and hides(game) else ()


def _notes_battle(game: Game, one: Declaration) -> bool:
    """Whether a counter stores the battle for which it made a declaration, because later commands depend on
    it.
    """
    comes = any(kind.counts_in and one.state == kind.counts_in for kind in game.kinds.values())
    return one.about == "battle" and (one.to_battle or comes)


def passing(game: Game) -> dict[tuple[str, str], tuple[str, ...]]:
    """What declarations about battles leave on counters until the phase ends.

    For each property that is above 0, and the key that clears it, the kinds of counters that have it.
    """
    kept: dict[tuple[str, str], list[str]] = {}
    for kind in game.kinds:
        found = declarations_of(game, kind)
        for one in found:
            if _notes_battle(game, one):
                kept.setdefault((declaration_property(one.id), f"told_un_{one.id}"), []).append(kind)
        for state in dict.fromkeys(_passing(game, found)):
            kept.setdefault((state_property(state), clear_key(state)), []).append(kind)
    return {what: tuple(kinds) for what, kinds in kept.items()}


def _done_in_others(game: Game, found: tuple[Declaration, ...]) -> Iterator[Part]:
    """States that belong to a battle end when the counter takes part in the next one."""
    for state in dict.fromkeys(_passing(game, found)):
        for entering in ("setA", "setD"):
            yield command("", entering, clear_key(state), when=f"{state_property(state)}>0")


def _passing(game: Game, found: tuple[Declaration, ...]) -> Iterator[str]:
    """The states that are set by declarations about battles and have no other end."""
    for one in found:
        state = game.states.get(one.state)
        if one.about == "battle" and state and not (counts(state) or recovers(state)):
            yield state.id


def properties() -> tuple[GlobalProperty, ...]:
    """The properties of the module that declarations use."""
    return (
        GlobalProperty(name=POINTS, initial_value="0", is_numeric=True, min="-9999", max="9999"),
        GlobalProperty(name=TOWARDS, initial_value=""),
        GlobalProperty(name=TOWARDS_OF, initial_value=""),
    )


def buttons(game: Game) -> tuple[Component, ...]:
    """Buttons for declarations that are not made by a counter; several are in one menu."""
    found: list[Component] = []
    for one in game.declarations.values():
        if one.secret:
            found += choice_buttons(game, one)
        elif not one.kinds:
            found.append(_button(game, one))
    said = (one for one in game.declarations.values() if not one.secret and not one.kinds)
    of_game = tuple(one.title for one in said if one.about == "game")
    if len(of_game) > 1:
        tip = "What a side says of the game as a whole"
        found.append(ToolbarMenu(description="Declare", text="Declare", tooltip=tip, menu_items=of_game))
    return tuple(found)


def _prevented(game: Game, one: Declaration) -> Iterator[tuple[str, str]]:
    """The conditions under which a button cannot be used, with the message for each."""
    if one.about == "battle":
        yield f"{CURRENT_BATTLE}==0", "There is no current battle."
    active = active_side(game)
    if one.by == "active":
        yield (
            f'{active}!=""&&{PRESSER}!="{SOLITAIRE}"&&{PRESSER}!={active}',
            "Only the active side declares this.",
        )
    if one.by == "passive":
        yield f'{active}==""||{PRESSER}=={active}', "Only the side that is not active declares this."
    if one.phases:
        titles = " and ".join(phase.title for phase in game.sequence.phases if phase.id in one.phases)
        yield outside(game, one.phases), f"{one.title}: only in {titles}."
    if one.turns:
        numbers = " and ".join(map(str, one.turns))
        noun = "turn" if len(one.turns) == 1 else "turns"
        yield _in_no_turn(one), f"{one.title}: only in {noun} {numbers}."


def _in_no_turn(one: Declaration) -> str:
    """The condition that the current turn is not one of the turns of a declaration."""
    return "&&".join(f"{TURN}!={turn}" for turn in one.turns)


def _button(game: Game, one: Declaration) -> DoActionButton:
    parts = {"declaration": quoted(str(Named(one.id, one.title))), "side": PRESSER}
    if one.about == "battle":
        parts["battle"] = CURRENT_BATTLE
    said = SideDeclared.expression(**parts)
    for condition, why in _prevented(game, one):
        said = f"{{{condition}?{quoted(why)}:{said[1:-1]}}}"
    return DoActionButton(
        name=one.title,
        text=one.title,
        tooltip=one.text or one.title,
        do_report=True,
        report_format=said,
        do_hotkey=bool(one.dice),
        hotkeys=(roll_key(one.dice),) if one.dice else (),
    )


def _speakers(game: Game, found: tuple[Declaration, ...], kind: str) -> Iterator[RestrictCommands]:
    """Hides the commands from players who may not use them, with as few traits as possible."""
    together: dict[str, list[Declaration]] = {}
    apart: dict[str, list[Declaration]] = {}
    for one in found:
        conditions = tuple(filter(None, _silenced(game, one)))
        if conditions:
            together.setdefault("||".join(conditions), []).append(one)
        for condition in conditions:
            apart.setdefault(condition, []).append(one)
    for match, several in min(together, apart, key=len).items():
        yield hidden(" ".join(one.id for one in several), match, *_pressed(game, several, kind))
    for place, boxed in ((OFF_BOARD, False), (IS_LOST, True)):
        there = [one for one in found if one.boxed == boxed and not one.lost]
        if there:
            yield hidden("place", place, *_pressed(game, there, kind))


def _pressed(game: Game, found: Iterable[Declaration], kind: str) -> tuple[Key, ...]:
    return tuple(entry.pressed for one in found for entry in menu_commands(game, one, kind))


def _silenced(game: Game, one: Declaration) -> Iterator[str]:
    """The conditions under which a counter may not make a declaration."""
    yield {
        "active": f'{ACTIVE}!=""&&Side!={ACTIVE}',
        "passive": f"Side=={ACTIVE}",
        "owner": f'{PRESSER}!=Side&&{PRESSER}!="{SOLITAIRE}"',
        "any": "",
    }[one.by]
    yield from _strangers(game, one)
    if one.phases:
        yield outside(game, one.phases)
    if one.turns:
        yield _in_no_turn(one)
    if one.reduced:
        yield f"{STEPS}>=MaxSteps"


def _strangers(game: Game, one: Declaration) -> Iterator[str]:
    """The condition that a counter is not one of those that make a declaration."""
    if one.counters:
        listed = quoted("|" + "|".join(one.counters) + "|")
        yield f'!{listed}.contains("|"+CID+"|")'
        return
    owners = [game.map.boxes[box].side for box in one.to if box in game.map.boxes]
    sides = one.sides or (tuple(owners) if all(owners) else ())
    if sides and set(sides) != set(game.sides):
        yield of_others(game, sides)


def _report(game: Game, one: Declaration, battle: str) -> Part:
    if is_checked(game, one):
        return _check(game, one, battle).say(f"told_say_{one.id}")
    parts = {
        "counter": here(game),
        "declaration": quoted(str(Named(one.id, one.title))),
        "side": PRESSER,
    }
    if one.points:
        parts["points"] = POINTS
    if one.towards:
        parts["towards"] = TOWARDS
    if one.about == "battle":
        parts["battle"] = battle
    if one.dice:
        dice = game.dice[one.dice]
        parts["faces"] = faces(dice)
        if dice.yes:
            parts["yes"] = is_yes(dice, f"{dice_property(dice.id)}_total")
    return report(f"told_say_{one.id}", Declared.expression(**parts))


def _check(game: Game, one: Declaration, battle: str) -> Check:
    return Check(game, one, battle, Modifiers(game).worth("die").removeprefix("+"))


def _command(game: Game, one: Declaration, entry: MenuCommand, battle: str, kind: str) -> Part:
    state = game.states.get(one.state)
    counted = state is not None and counts(state)
    before, after = _around(game, one, battle)
    named = one.towards and names_hex_first(game, kind)
    spent = (none_key(one.state),) if one.whole else (set_key(state),) * (entry.points or 1) if state else ()
    sent = [
        *(("setA",) if one.joins else ()),
        *((f"told_take_{one.id}",) if _notes_battle(game, one) or hides(game) else ()),
        *((f"told_with_{one.id}_{entry.suffix}",) if entry.suffix else ()),
        *before,
        *((f"told_cast_{one.id}",) if one.dice else ()),
        *spent,
        *((date_key(one.state),) if state and state.dated else ()),
        *((clear_key(one.clears),) if one.clears else ()),
        f"told_say_{one.id}",
        *(("towards",) if named else ()),
        *after,
        *((f"told_give_{one.id}", f"told_hand_{one.id}") if one.columns or one.die else ()),
        *(("sent1", f"told_go_{one.id}", "sent0") if one.to or one.away else ()),
    ]
    conditions = [_in_battle(battle)] if one.about == "battle" else []
    if named:
        conditions.append(f"{TOWARDS_OF}==CID")
    if counted and entry.points is not None:
        conditions.append(f"{state_property(one.state)}>{entry.points - 1}")
    return command(entry.menu, entry.pressed, *sent, when="&&".join(conditions))


def _in_battle(battle: str) -> str:
    """Whether a counter that declares something about a battle has one."""
    return HAS_BATTLE if battle == SOME_BATTLE else f"{battle}>0"


def _around(game: Game, one: Declaration, battle: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys that a declaration sends before its roll, and after its announcement."""
    before: tuple[str, ...] = ()
    after = keys_sent(one)
    if is_checked(game, one):
        check = _check(game, one, battle)
        before, after = check.before, (*check.after, *after)
    if one.steps:
        change = ("more", "saySteps") if one.steps > 0 else ("last", "notLast")
        after = (*after, *change * abs(one.steps))
    if one.to_battle:
        after = (*after, "sent1", f"told_fly_{one.id}", "sent0")
    return before, after


def _kept(game: Game, one: Declaration, battle: str, kind: str) -> tuple[Part, ...]:
    found: list[Part] = [*fetching(game, one), *to_battle(one)]
    if is_checked(game, one):
        found += _check(game, one, battle).traits()
    if one.dice:
        found.append(GlobalHotKey(text="", key=key(f"told_cast_{one.id}"), sent_key=roll_key(one.dice)))
    if one.columns or one.die:
        found += _given(game, one, battle)
    if one.to or one.away:
        region = f"{{{_goal(game, one)}}}"
        found.append(
            SendToLocation(key=key(f"told_go_{one.id}"), map=BOXES, region=region, destination=REGION)
        )
    if one.points:
        numbers = [on(f"told_with_{one.id}_{points}", str(points)) for points in one.points]
        found.append(global_(POINTS, *numbers))
    if one.towards and not names_hex_first(game, kind):
        named = [on(f"told_with_{one.id}_{way}", way) for way in game.map.grid.directions]
        found.append(global_(TOWARDS, *named, numeric=False))
    if _notes_battle(game, one):
        name = declaration_property(one.id)
        found.append(number(name, on(f"told_take_{one.id}", f"{{{battle}}}"), on(f"told_un_{one.id}", "0")))
    return tuple(found)


def _given(game: Game, one: Declaration, battle: str) -> tuple[Part, ...]:
    """What a declaration adds to its battle, for or against the attacker."""
    way, worth = ("columns", one.columns) if one.columns else ("die", one.die)
    points = POINTS if one.points else "1"
    rolled = game.dice.get(one.dice)
    if rolled and rolled.yes:
        points = f'({is_yes(rolled, f"{dice_property(rolled.id)}_total")}=="yes"?1:-1)'
    worth_to_attacker = f"{{(Side=={ACTIVE}?{worth}:-{worth})*{points}}}"
    return (
        call(f"told_hand_{one.id}", GIVE[way], where=OF_CLERK),
        global_(CURRENT_BATTLE, on(f"told_give_{one.id}", f"{{{battle}}}")),
        global_(GIVEN, on(f"told_give_{one.id}", worth_to_attacker)),
    )


def _box_of_side(game: Game, boxes: tuple[str, ...]) -> str:
    """The expression for the place of a box: if there are several, that of the counter's side."""
    found = quoted(place_of(game, boxes[-1]))
    for side in game.sides.values():
        if len(boxes) > 1 and (box := game.map.box_of(boxes, side.id)):
            found = f"(Side=={quoted(side.title)}?{quoted(place_of(game, box))}:{found})"
    return found


def _goal(game: Game, one: Declaration) -> str:
    """The expression for the place among the boxes to which a declaration sends its counter."""
    if one.to:
        return _box_of_side(game, one.to)
    last = max((turn.number for turn in turns(game)), default=0)
    slot = quoted(waiting(TRACK, 0).removesuffix("0"))
    return f"({TURN}+{one.away}>{last}?{loss_place(game)}:{slot}+({TURN}+{one.away}))"
