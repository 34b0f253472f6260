"""The sides, the options of the module, and the properties of the whole game."""

from __future__ import annotations

from vassalgen.announcements import SCENARIO
from vassalgen.game.game import Game
from vassalgen.parts import battle, declarations, fetching, states, versions
from vassalgen.parts.boxes import loss_property
from vassalgen.parts.choices import choice_properties
from vassalgen.parts.keypad import edge_properties
from vassalgen.parts.names import FIRST_SIDE, SOLITAIRE
from vassalgen.parts.pieces import Abilities
from vassalgen.parts.preferences import preferences
from vassalgen.parts.turn_track import first_side, stop_properties
from vassalgen.vassal.components import Entry, GlobalOptions, GlobalProperties, GlobalProperty, PlayerRoster


def roster(game: Game) -> PlayerRoster:
    """The sides, and one for a solitaire player."""
    sides = (*(side.title for side in game.sides.values()), SOLITAIRE)
    return PlayerRoster(
        button_text="Side", tooltip="Change sides", children=tuple(Entry(content=side) for side in sides)
    )


def options() -> GlobalOptions:
    """Reports are always on; hotkeys work even if their windows are closed, as the clerk requires."""
    return GlobalOptions(
        auto_report="Always",
        hot_keys_on_closed_windows="Always",
        store_leading_zero_integers_as_strings=True,
        children=preferences(),
    )


def properties(game: Game, able: Abilities) -> GlobalProperties:
    """Properties of the whole game: besides battles and choices, the scenario being played."""
    scenario = next(iter(game.scenarios.values()), None)
    played = (
        GlobalProperty(name=FIRST_SIDE, initial_value=first_side(game, scenario)),
        GlobalProperty(name=SCENARIO, initial_value=scenario.id if scenario else ""),
    )
    return GlobalProperties(
        children=(
            *played,
            *battle.properties(game),
            *choice_properties(game),
            *fetching.properties(game),
            *declarations.properties(),
            *states.properties(),
            *versions.properties(),
            *stop_properties(game),
            loss_property(game),
            *edge_properties(game),
            GlobalProperty(name="Sent", initial_value="0"),
            GlobalProperty(name="TurnTracker.defaultDocked", initial_value="true"),  # [turn.TurnTracker]
            *able.delegation.properties(),
        )
    )
