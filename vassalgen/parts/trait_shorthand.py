"""Short forms for the traits that make up commands.

A command is a chain of keys: a trigger that the player sees sends keys to its own counter, and traits further
in respond to them. Keys with names are internal, real keys are for players. [docs of VASSAL: Trigger Action]
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
"""A trait, with its state if that is not the usual one."""

FIRST = "UiPieceIndex<=1"
"""True of the first of several counters for which a key is pressed, so that something happens only once."""
LAST = "UiPieceIndex==UiPieceCount"
"""True of the last of them, when the others have finished."""
_NUMBER = Constraints(numeric=True, minimum=-9999, maximum=9999)


def key(name: str) -> Key:
    """An internal key."""
    return Key.named(name)


def keys(*names: str | Key) -> tuple[Key, ...]:
    """Several keys, internal ones if given by name."""
    return tuple(name if isinstance(name, Key) else key(name) for name in names)


def command(
    menu: str, pressed: Key | str | None, *sent: str | Key, when: str = "", also: Iterable[Key | str] = ()
) -> TriggerAction:
    """A command that a player can press, or a link of a chain if ``menu`` is empty.

    ``sent`` are the keys that it sends to its own counter, in order; ``when`` is the condition without
    braces.
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
    """A line in the chat when a key arrives."""
    return ReportState(keys=keys(said), report_format=text)


def on(pressed: str | Key, value: str) -> PropertyCommand:
    """The command that sets a property to a text, or to the value of an expression in braces."""
    return _property_command(pressed, SetTo(value))


def add(pressed: str | Key, number: int) -> PropertyCommand:
    """The command that adds to a property."""
    return _property_command(pressed, AddTo(str(number)))


def _property_command(pressed: str | Key, change: Change) -> PropertyCommand:
    return PropertyCommand(key=key(pressed) if isinstance(pressed, str) else pressed, change=change)


def number(
    name: str, *commands: PropertyCommand, start: int = 0, low: int = -9999, high: int = 9999
) -> tuple[Trait, State]:
    """A property of a counter that is a number."""
    limits = Constraints(numeric=True, minimum=low, maximum=high)
    return (
        DynamicProperty(name=name, constraints=limits, commands=commands),
        DynamicPropertyState(value=str(start)),
    )


def text(name: str, *commands: PropertyCommand, start: str = "") -> tuple[Trait, State]:
    """A property of a counter that is a text."""
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
    """Send a key to other counters for which ``when`` is true.

    ``where`` is a property and an expression for its value, by which VASSAL finds them quickly (with
    ``above``: for a lower value); ``here``: only those in the same place.
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
    """Remove commands from the menu, and disable their keys, while a condition is true."""
    return RestrictCommands(name=name, match=f"{{{when}}}", keys=keys(*pressed))


def grey(name: str, when: str, *pressed: str | Key) -> RestrictCommands:
    """Grey commands out in the menu, and disable their keys, while a condition is true."""
    return attrs.evolve(hidden(name, when, *pressed), action=DISABLE)
