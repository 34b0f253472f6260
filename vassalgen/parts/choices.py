"""Points that both sides choose secretly for the current battle, and show together.

Each choice is a button of the toolbar; the clerk stores it, announces that it was made, and when all have
chosen shows the points and gives the difference to the side with more.
"""

from __future__ import annotations

from vassalgen.announcements import PointsChosen, PointsShown, choice_property, identifier
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration
from vassalgen.game.sides import Side
from vassalgen.parts.battle import GIVE, GIVEN, NEW_BATTLE
from vassalgen.parts.names import ACTIVE, CURRENT_BATTLE, PRESSER, SOLITAIRE
from vassalgen.parts.trait_shorthand import Part, command, global_, key, on, report, signed
from vassalgen.parts.turn_track import NEW_PHASE
from vassalgen.templates import Named, quoted
from vassalgen.vassal.components import Component, GlobalKeyCommand, GlobalProperty, ToolbarMenu

_OPEN = "-1"
"""The value of a choice that has not been made."""


def secrets(game: Game) -> tuple[Declaration, ...]:
    """The declarations that are chosen secretly; only in games with two sides."""
    return tuple(one for one in game.declarations.values() if one.secret and len(game.sides) == 2)


def choice_properties(game: Game) -> tuple[GlobalProperty, ...]:
    """The choices of each side and the battle for which they were last shown, as properties of the module."""
    started = {
        **{choice_property(one.id, side): _OPEN for one in secrets(game) for side in game.sides},
        **{_shown(one): "0" for one in secrets(game)},
    }
    return tuple(
        GlobalProperty(name=name, initial_value=value, is_numeric=True, min="-1", max="9999")
        for name, value in started.items()
    )


def choice_buttons(game: Game, one: Declaration) -> tuple[Component, ...]:
    """A menu with a button for each side and number of points."""
    commands = tuple(
        GlobalKeyCommand(
            name=(text := f"{one.title}: {side.title} {points}"),
            button_text=text,
            tooltip=one.text or text,
            icon="",
            button_hotkey=key(f"press_{_key(one, side, points)}"),
            hotkey=key(_key(one, side, points)),
            target="MODULE|false|MAP|||||0|0||true|IsClerk|1|EQUALS||",
        )
        for side in game.sides.values()
        for points in one.points
    )
    menu = ToolbarMenu(
        description=one.title,
        text=one.title,
        tooltip=one.text or one.title,
        menu_items=tuple(command.button_text for command in commands),
    )
    return (*commands, menu)


def keeping_secrets(game: Game) -> tuple[Part, ...]:
    """What the clerk needs for all choices, outermost first."""
    return tuple(part for one in secrets(game) for part in _kept(game, one))


def _key(one: Declaration, side: Side, points: int) -> str:
    return f"choose_{one.id}_{side.id}_{points}"


def _shown(one: Declaration) -> str:
    """The property with the battle for which the points were last shown: they are chosen only once."""
    return f"shown_{identifier(one.id)}"


def _kept(game: Game, one: Declaration) -> tuple[Part, ...]:
    first, second = game.sides.values()
    mine, yours = choice_property(one.id, first.id), choice_property(one.id, second.id)
    named = quoted(str(Named(one.id, one.title)))
    way, worth = ("columns", one.columns) if one.columns else ("die", one.die)
    favour = f"({ACTIVE}=={quoted(first.title)}?1:-1)*{worth}*({mine}-{yours})"
    given = {("shift" if way == "columns" else "die"): signed(favour)} if worth else {}
    shown = PointsShown.expression(
        battle=CURRENT_BATTLE,
        declaration=named,
        owner=quoted(first.title),
        points=mine,
        other=quoted(second.title),
        others=yours,
        side=PRESSER,
        **given,
    )
    show, sides = f"show_{one.id}", tuple(game.sides.values())
    return (
        *(part for side in sides for part in _choosing(game, one, side, named)),
        report(f"tell_{one.id}", shown),
        command(
            "",
            show,
            f"tell_{one.id}",
            *((f"take_{one.id}", GIVE[way]) if worth else ()),
            f"done_{one.id}",
            when=f"{mine}>=0&&{yours}>=0",
        ),
        global_(_shown(one), on(f"done_{one.id}", f"{{{CURRENT_BATTLE}}}")),
        *((global_(GIVEN, on(f"take_{one.id}", f"{{{favour}}}")),) if worth else ()),
        *(
            global_(
                choice_property(one.id, side.id),
                *(on(f"set_{_key(one, side, points)}", str(points)) for points in one.points),
                *(on(ended, _OPEN) for ended in (f"done_{one.id}", NEW_BATTLE, NEW_PHASE)),
            )
            for side in sides
        ),
    )


def _choosing(game: Game, one: Declaration, side: Side, named: str) -> tuple[Part, ...]:
    """The commands of a side, available to its own players and to a solitaire player."""
    chose = PointsChosen.expression(
        battle=CURRENT_BATTLE, owner=quoted(side.title), declaration=named, side=PRESSER
    )
    who = f"({PRESSER}=={quoted(side.title)}||{PRESSER}=={quoted(SOLITAIRE)})"
    may = f"{CURRENT_BATTLE}>0&&{_shown(one)}!={CURRENT_BATTLE}&&{who}"
    said = f"chose_{one.id}_{side.id}"
    return (
        report(said, chose),
        *(
            command(
                "",
                _key(one, side, points),
                f"set_{_key(one, side, points)}",
                said,
                f"show_{one.id}",
                when=may,
            )
            for points in one.points
        ),
    )
