"""Dice buttons."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.components.toolbar import DoActionButton, ToolbarItem
from vassalgen.vassal.scalars import Colour


@frozen(kw_only=True, repr=False)
class DiceButton(ToolbarItem):
    """A button that rolls dice and reports them."""

    JAVA = "VASSAL.build.module.DiceButton"

    name: str = attribute.text("2d6")
    text: str = attribute.text("2d6")
    tooltip: str = attribute.text("2d6")
    icon: str = attribute.text("/images/die.gif")
    report_format: str = attribute.text("** $name$ = $result$ *** &lt;$PlayerName$&gt;")
    prompt: bool = attribute.boolean()
    n_dice: int = attribute.integer(2)
    lock_dice: bool = attribute.boolean()
    n_sides: int = attribute.integer(6)
    lock_sides: bool = attribute.boolean()
    plus: int = attribute.integer()
    lock_plus: bool = attribute.boolean()
    add_to_total: int = attribute.integer()
    lock_add: bool = attribute.boolean()
    report_total: bool = attribute.boolean()
    sort_dice: bool = attribute.boolean()
    keep_dice: bool = attribute.boolean()
    keep_option: str = attribute.word(">", "<", "=", "s", "l")
    keep_count: int = attribute.integer(1)


@frozen(kw_only=True, repr=False)
class RandomTextButton(DiceButton):
    """A button that picks faces at random from a list of texts; therefore it has no ``n_sides``."""

    JAVA = "VASSAL.build.module.RandomTextButton"

    text: str = attribute.text()
    icon: str = attribute.optional_text()
    n_sides: int = attribute.integer(6, optional=True)
    faces: tuple[str, ...] = attribute.texts()
    numeric: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class InternetDiceButton(DiceButton):
    """A dice button whose rolls came from a server."""

    JAVA = "VASSAL.build.module.InternetDiceButton"


@frozen(kw_only=True, repr=False)
class SpecialDiceButton(DoActionButton):
    """A button that rolls dice with symbols; the dice are its children."""

    JAVA = "VASSAL.build.module.SpecialDiceButton"

    name: str = attribute.text("Symbols")
    text: str = attribute.text("Symbols")
    tooltip: str = attribute.text("Symbols")
    icon: str = attribute.text("/images/die.gif")
    description: str = attribute.optional_text()
    result_chatter: bool = attribute.boolean(True)
    format: str = attribute.text("** $name$ = [$result1$] *** &lt;$PlayerName$&gt;")
    result_window: bool = attribute.boolean()
    window_title_result_format: str = attribute.text("$name$")
    result_button: bool = attribute.boolean()
    window_x: int = attribute.integer()
    window_y: int = attribute.integer()
    background_color: Colour | None = attribute.colour()


@frozen(kw_only=True, repr=False)
class SpecialDie(Component):
    """A die of a special dice button; its faces are its children."""

    JAVA = "VASSAL.build.module.SpecialDie"

    name: str = attribute.optional_text()
    format: str = attribute.text("$result$")


@frozen(kw_only=True, repr=False)
class SpecialDieFace(Component):
    """A face of a special die. VASSAL requires the icon to be written, even if it is empty."""

    JAVA = "VASSAL.build.module.SpecialDieFace"
    NAMED_BY = "text"

    text: str = attribute.optional_text()
    value: int = attribute.integer()
    icon: str = attribute.text()
