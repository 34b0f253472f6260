"""Short forms for the traits that commands are made of.

A command is a chain of keys: a trigger that the player sees sends keys to its own counter, and traits further
in answer to them. Keys with names serve the wiring, true keys the players. [docs of VASSAL: Trigger Action]
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from vassalgen.vassal.compounds import (
    AddTo,
    Change,
    CommandKind,
    CommandTarget,
    Comparison,
    Constraints,
    PropertyCommand,
    SetTo,
    TargetPlace,
)
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.counter_global_key_command import CounterGlobalKeyCommand
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.restrict_commands import DISABLE, RestrictCommands
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty
from vassalgen.vassal.traits.trigger_action import TriggerAction

Part = Trait | tuple[Trait, State]
"""A trait, with its state where that is not the usual one."""

FIRST = "UiPieceIndex<=1"
"""Holds on the first of several counters that a key is pressed for, so that something happens once."""
LAST = "UiPieceIndex==UiPieceCount"
"""Holds on the last of them, when the others have done theirs."""
_NUMBER = Constraints(numeric=True, minimum=-9999, maximum=9999)


def key(name: str) -> Key:
    """A key of the wiring."""
    return Key.named(name)


def keys(*names: str | Key) -> tuple[Key, ...]:
    """Several keys, of the wiring where they are given by name."""
    return tuple(name if isinstance(name, Key) else key(name) for name in names)


def command(
    menu: str, pressed: Key | str | None, *sent: str | Key, when: str = "", also: Iterable[Key | str] = ()
) -> TriggerAction:
    """What a player can press, or a link of a chain if ``menu`` is empty.

    ``sent`` are the keys it sends to its own counter, in order; ``when`` the condition without braces.
    """
    return TriggerAction(
        name=menu,
        text=menu,
        key=key(pressed) if isinstance(pressed, str) else pressed,
        match=f"{{{when}}}" if when else "",
        watch_keys=keys(*also),
        action_keys=keys(*sent),
        count="1",
    )


def report(said: str | Key, text: str) -> ReportState:
    """A line said in the chat when a key comes."""
    return ReportState(keys=keys(said), report_format=text)


def on(pressed: str | Key, value: str) -> PropertyCommand:
    """The command that sets a property: to a text, or to the value of an expression in braces."""
    return _property_command(pressed, SetTo(value))


def add(pressed: str | Key, number: int) -> PropertyCommand:
    """The command that adds to a property."""
    return _property_command(pressed, AddTo(str(number)))


def _property_command(pressed: str | Key, change: Change) -> PropertyCommand:
    return PropertyCommand(key=key(pressed) if isinstance(pressed, str) else pressed, change=change)


def number(
    name: str, *commands: PropertyCommand, start: int = 0, low: int = -9999, high: int = 9999
) -> tuple[Trait, State]:
    """A property of a counter that holds a number."""
    limits = Constraints(numeric=True, minimum=low, maximum=high)
    return (
        DynamicProperty(name=name, constraints=limits, commands=commands),
        DynamicPropertyState(value=str(start)),
    )


def text(name: str, *commands: PropertyCommand, start: str = "") -> tuple[Trait, State]:
    """A property of a counter that holds a text."""
    return DynamicProperty(name=name, commands=commands), DynamicPropertyState(value=start)


def global_(name: str, *commands: PropertyCommand, numeric: bool = True) -> SetGlobalProperty:
    """A counter's commands on a property of the module."""
    return SetGlobalProperty(name=name, constraints=_NUMBER if numeric else Constraints(), commands=commands)


def marks(values: dict[str, str]) -> tuple[Trait, State]:
    """Properties that never change."""
    return Marker(names=tuple(values)), MarkerState(items=tuple(values.values()))


def call(
    pressed: str,
    sent: str | Key,
    *,
    when: str = "",
    where: tuple[str, str] | None = None,
    here: bool = False,
    above: bool = False,
) -> CounterGlobalKeyCommand:
    """Send a key to other counters: those for which ``when`` holds.

    ``where`` is a property and an expression for its value, by which VASSAL finds them fast (with ``above``:
    for a lower value); ``here``: only those in the same place.
    """
    target = CommandTarget(
        kind=CommandKind.COUNTER,
        by_place=here,
        place=TargetPlace.CURRENT_LOCATION if here else TargetPlace.MAP,
        by_property=where is not None,
        property=where[0] if where else "",
        value=where[1] if where else "",
        comparison=Comparison.GREATER if above else Comparison.EQUALS,
    )
    return CounterGlobalKeyCommand(
        text="",
        key=key(pressed),
        sent_key=key(sent) if isinstance(sent, str) else sent,
        match=f"{{{when}}}" if when else "",
        suppress_reports=False,
        target=target,
    )


def signed(expression: str) -> str:
    """The expression for a number with its sign."""
    return f'(({expression})<0?"":"+")+({expression})'


def hidden(name: str, when: str, *pressed: str | Key) -> RestrictCommands:
    """Take commands out of the menu, and from their keys, while a condition holds."""
    return RestrictCommands(name=name, match=f"{{{when}}}", keys=keys(*pressed))


def grey(name: str, when: str, *pressed: str | Key) -> RestrictCommands:
    """Make commands grey in the menu, and deaf to their keys, while a condition holds."""
    return attrs.evolve(hidden(name, when, *pressed), action=DISABLE)
