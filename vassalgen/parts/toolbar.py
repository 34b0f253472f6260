"""Further buttons of the toolbar: lists of forces, battles, recovery, notes."""

from __future__ import annotations

from vassalgen.announcements import BATTLE, date_property, state_property
from vassalgen.game.counters import State
from vassalgen.game.game import Game
from vassalgen.game.sides import Side
from vassalgen.parts import battle, declarations, keys
from vassalgen.parts.face_down import listed
from vassalgen.parts.states import counts, recover_key, recovers
from vassalgen.parts.trait_shorthand import key
from vassalgen.vassal.components import Component, GlobalKeyCommand, Inventory, NotesWindow, ToolbarMenu

_TO_CLERK = "MODULE|false|MAP|||||0|0||true|IsClerk|1|EQUALS||"


def toolbar(game: Game) -> tuple[Component, ...]:
    """The buttons, from left to right."""
    return (
        *_battles(),
        *_recovery(game),
        *declarations.buttons(game),
        *_lists(game),
        NotesWindow(),
    )


def _battles() -> tuple[Component, ...]:
    """Buttons that concern battles but no particular counter."""
    commands = (
        GlobalKeyCommand(
            name="Announce battle",
            button_text="Announce the current battle",
            tooltip="Announce the current battle again, as it is declared so far",
            icon="",
            button_hotkey=keys.ANNOUNCE,
            hotkey=key(battle.ANNOUNCE),
            target=_TO_CLERK,
        ),
        GlobalKeyCommand(
            name="Call off all battles",
            button_text="Call off all battles",
            tooltip="Call off every battle that is declared",
            icon="",
            button_hotkey=key("callOffAll"),
            hotkey=key(battle.CALL_OFF),
            filter=f"{{{BATTLE}>0}}",
        ),
    )
    menu = ToolbarMenu(
        description="Battles",
        text="Battles",
        tooltip="Announce the current battle, call off battles",
        menu_items=tuple(one.button_text for one in commands),
    )
    return (*commands, menu)


def _recovery(game: Game) -> tuple[Component, ...]:
    """One menu that removes states from all counters of a side at once; each counter announces it."""
    found = [state for state in game.states.values() if recovers(state)]
    if not found:
        return ()
    commands = tuple(_off(state, side) for state in found for side in game.sides.values())
    menu = ToolbarMenu(
        description="Recover",
        text="Recover",
        tooltip="Take a state off all counters of a side at once",
        menu_items=tuple(one.button_text for one in commands),
    )
    return (*commands, menu)


def _off(state: State, side: Side) -> GlobalKeyCommand:
    text = f"{side.title}: no longer {state.title}"
    return GlobalKeyCommand(
        name=text,
        button_text=text,
        tooltip=text,
        icon="",
        button_hotkey=key(f"all_off_{state.id}_{side.id}"),
        hotkey=key(recover_key(state.id, side.id)),
        target=_TO_CLERK,
    )


def _lists(game: Game) -> tuple[Component, ...]:
    """All lists of units in one menu."""
    lists = (_forces(game), *_with_states(game))
    if len(lists) == 1:
        return lists
    menu = ToolbarMenu(
        description="Lists",
        text="Lists",
        tooltip="Lists of units",
        menu_items=tuple(one.text for one in lists),
    )
    return (*lists, menu)


def _forces(game: Game) -> Inventory:
    kinds = "|" + "|".join(kind.id for kind in game.kinds.values() if not kind.marker) + "|"
    return Inventory(
        name="Forces",
        text="Forces",
        tooltip="All units, where they are",
        icon="",
        hotkey=keys.FORCES,
        include=f'{{"{kinds}".contains("|"+Kind+"|")}}',
        group_by=("Side", "CurrentMap"),
        leaf_format=listed(game, ("  ", "LocationName")),
        sort_format=listed(game),
        zoom_on=True,
        piece_zoom=0.5,
        piece_zoom2=0.6,
        piece_zoom3=0.75,
    )


def _with_states(game: Game) -> tuple[Inventory, ...]:
    """A list of counters in a dated state, with its date."""
    return tuple(
        Inventory(
            name=state.title,
            text=state.title,
            tooltip=f"All units: {state.title}, and since when",
            icon="",
            include=f"{{{state_property(state.id)}==1}}",
            group_by=("Side",),
            leaf_format=listed(game, ("  ", "LocationName"), ("  since turn ", date_property(state.id))),
            sort_format=listed(game),
        )
        for state in game.states.values()
        if state.dated and not counts(state)
    )
