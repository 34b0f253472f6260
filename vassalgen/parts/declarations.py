"""Declarations as commands: each says its line, throws its dice and sets its state.

Those about a battle belong to the battle of their counter or, of counters that take part in none, to the one
at hand; they and the states they set end with the phase.
"""

from __future__ import annotations

from vassalgen.announcements import (
    BATTLE,
    Declared,
    Named,
    SideDeclared,
    declaration_property,
    dice_property,
    quoted,
)
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration
from vassalgen.parts.dice import faces, is_yes, throw_key
from vassalgen.parts.keys import keys_of
from vassalgen.parts.names import ACTIVE, BATTLE_AT_HAND, HERE, PRESSER, SOLITAIRE
from vassalgen.parts.odds import fights
from vassalgen.parts.states import clear_key, counts, date_key, set_key
from vassalgen.parts.turn_track import NEW_PHASE
from vassalgen.parts.wiring import Part, command, key, number, on, report
from vassalgen.vassal.components import Component, DoActionButton
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.globalhotkey import GlobalHotKey
from vassalgen.vassal.traits.hidecmd import RestrictCommands
from vassalgen.vassal.traits.submenu import SubMenu

MENU = "Declare"


def declarations_of(game: Game, kind: str) -> tuple[Declaration, ...]:
    """What counters of a kind may declare."""
    return tuple(
        one for one in game.declarations.values() if kind in one.kinds and (one.about != "game" or one.kinds)
    )


def declaration_traits(game: Game, kind: str) -> tuple[Part, ...]:
    """What counters of a kind need to declare things, outermost first."""
    found = declarations_of(game, kind)
    if not found:
        return ()
    battle = f"({BATTLE}>0?{BATTLE}:{BATTLE_AT_HAND})" if fights(game, kind) else BATTLE_AT_HAND
    cleared = [f"told_un_{one.id}" for one in found if one.about == "battle"]
    cleared += [
        clear_key(one.state)
        for one in found
        if one.about == "battle" and one.state and not counts(game.states[one.state])
    ]
    return (
        SubMenu(text=MENU, commands=tuple(one.title for one in found)),
        *(trait for one in found for trait in _speakers(game, one)),
        *(_report(game, one, battle) for one in found),
        *(_command(game, one, battle) for one in found),
        *((command("", NEW_PHASE, *cleared),) if cleared else ()),
        *(trait for one in found for trait in _kept(game, one, battle)),
    )


def buttons(game: Game) -> tuple[Component, ...]:
    """Declarations of the whole game, which are made by a button."""
    return tuple(
        DoActionButton(
            name=one.title,
            text=one.title,
            tooltip=one.text or one.title,
            do_report=True,
            report_format=SideDeclared.expression(
                declaration=quoted(str(Named(one.id, one.title))), side=PRESSER
            ),
            do_hotkey=bool(one.dice),
            hotkeys=(throw_key(one.dice),) if one.dice else (),
        )
        for one in game.declarations.values()
        if not one.kinds
    )


def _pressed(game: Game, one: Declaration) -> Key:
    return keys_of(game).declarations.get(one.id) or key(f"told_tell_{one.id}")


def _speakers(game: Game, one: Declaration) -> tuple[RestrictCommands, ...]:
    """Hide the command from those who may not speak."""
    condition = {
        "active": f'{ACTIVE}!=""&&Side!={ACTIVE}',
        "passive": f"Side=={ACTIVE}",
        "owner": f'{PRESSER}!=Side&&{PRESSER}!="{SOLITAIRE}"',
        "any": "",
    }[one.by]
    if not condition:
        return ()
    return (RestrictCommands(name=one.id, match=f"{{{condition}}}", keys=(_pressed(game, one),)),)


def _report(game: Game, one: Declaration, battle: str) -> Part:
    parts = {
        "counter": HERE,
        "declaration": quoted(str(Named(one.id, one.title))),
        "side": PRESSER,
    }
    if one.about == "battle":
        parts["battle"] = battle
    if one.dice:
        dice = game.dice[one.dice]
        parts["faces"] = faces(dice)
        if dice.yes:
            parts["yes"] = is_yes(dice, f"{dice_property(dice.id)}_total")
    return report(f"told_say_{one.id}", Declared.expression(**parts))


def _command(game: Game, one: Declaration, battle: str) -> Part:
    sent = [
        *((f"told_take_{one.id}",) if one.about == "battle" else ()),
        *((f"told_cast_{one.id}",) if one.dice else ()),
        *((set_key(game.states[one.state]),) if one.state else ()),
        *((date_key(one.state),) if one.state and game.states[one.state].dated else ()),
        f"told_say_{one.id}",
    ]
    return command(one.title, _pressed(game, one), *sent, when=f"{battle}>0" if one.about == "battle" else "")


def _kept(game: Game, one: Declaration, battle: str) -> tuple[Part, ...]:
    found: list[Part] = []
    if one.dice:
        found.append(GlobalHotKey(text="", key=key(f"told_cast_{one.id}"), sent_key=throw_key(one.dice)))
    if one.about == "battle":
        told = declaration_property(one.id)
        found.append(number(told, on(f"told_take_{one.id}", f"{{{battle}}}"), on(f"told_un_{one.id}", "0")))
    return tuple(found)
