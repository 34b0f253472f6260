"""Dice buttons, one for each purpose, each with its own announcement."""

from __future__ import annotations

from vassalgen.announcements import DiceRolled, dice_property
from vassalgen.game.game import Game
from vassalgen.game.sequence import Dice
from vassalgen.parts.names import CURRENT_BATTLE, PRESSER
from vassalgen.parts.trait_shorthand import key
from vassalgen.templates import Named, quoted
from vassalgen.vassal.components import Component, DiceButton, ToolbarMenu
from vassalgen.vassal.scalars import Key

MENU = "Dice"


def roll_key(dice: str) -> Key:
    """The hotkey with which counters roll dice."""
    return key(f"roll_{dice}")


def faces(dice: Dice) -> str:
    """The expression for the faces last rolled, joined by plus signs."""
    rolled = f'(""+{dice_property(dice.id)}_result)'
    return f'{rolled}.replace(",","+")' if dice.count > 1 else rolled


def is_yes(dice: Dice, total: str) -> str:
    """The expression for yes or no."""
    listed = quoted("|" + "|".join(map(str, dice.yes)) + "|")
    return f'({listed}.contains("|"+{total}+"|")?"yes":"no")'


def dice_buttons(game: Game) -> tuple[Component, ...]:
    """A button for each kind of dice, all in one menu."""
    buttons = tuple(_button(dice) for dice in game.dice.values())
    if not buttons:
        return ()
    menu = ToolbarMenu(
        description=MENU,
        text=MENU,
        tooltip="Roll dice; each roll says what it is for",
        icon="/images/die.gif",
        menu_items=tuple(dice.title for dice in game.dice.values()),
    )
    return (*buttons, menu)


def _button(dice: Dice) -> DiceButton:
    result = '(""+result)'
    parts = {
        "dice": quoted(str(Named(dice.id, dice.title))),
        "faces": f'{result}.replace(",","+")' if dice.count > 1 else result,
        "side": PRESSER,
    }
    if dice.yes:
        parts["yes"] = is_yes(dice, "numericalTotal" if dice.count > 1 else "result")
    alone = _starred(DiceRolled.expression(**parts))
    in_battle = _starred(DiceRolled.expression(**parts, battle=CURRENT_BATTLE))
    return DiceButton(
        name=dice_property(dice.id),
        text=dice.title,
        tooltip=dice.title,
        icon="",
        n_dice=dice.count,
        n_sides=dice.sides,
        report_format=f"{{{CURRENT_BATTLE}>0?{in_battle}:{alone}}}",
        hotkey=roll_key(dice.id),
    )


def _starred(expression: str) -> str:
    """Two stars in front, as VASSAL's dice reports have in the chat; without the braces."""
    return f'"** "+{expression[1:-1]}'
