"""Counters drawn by VASSAL's editor. In play the finished pictures count, not these."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Colour


@frozen(kw_only=True, repr=False)
class GamePieceImageDefinitions(Component):
    """Layouts, colours and fonts, which are its children."""

    JAVA = "VASSAL.build.module.gamepieceimage.GamePieceImageDefinitions"


@frozen(kw_only=True, repr=False)
class GamePieceLayoutsContainer(Component):
    """The layouts, which are its children."""

    JAVA = "VASSAL.build.module.gamepieceimage.GamePieceLayoutsContainer"


@frozen(kw_only=True, repr=False)
class ColorManager(Component):
    """The colours, which are its children."""

    JAVA = "VASSAL.build.module.gamepieceimage.ColorManager"


@frozen(kw_only=True, repr=False)
class FontManager(Component):
    """The fonts, which are its children."""

    JAVA = "VASSAL.build.module.gamepieceimage.FontManager"


@frozen(kw_only=True, repr=False)
class GamePieceLayout(Component):
    """A layout; the images made with it are its children."""

    JAVA = "VASSAL.build.module.gamepieceimage.GamePieceLayout"

    name: str = attribute.text()
    width: int = attribute.integer(54)
    height: int = attribute.integer(54)
    border: str = attribute.word("3D", "Plain", "Fancy", "None")
    layout: str = attribute.text()


@frozen(kw_only=True, repr=False)
class GamePieceImage(Component):
    """An image: its name is that of the picture."""

    JAVA = "VASSAL.build.module.gamepieceimage.GamePieceImage"

    name: str = attribute.text()
    bg_color: str = attribute.text("WHITE")
    border_color: str = attribute.text("BLACK")
    props: str = attribute.text()
    version: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class ColorSwatch(Component):
    """A colour by name."""

    JAVA = "VASSAL.build.module.gamepieceimage.ColorSwatch"

    name: str = attribute.text()
    color: Colour | None = attribute.colour()


@frozen(kw_only=True, repr=False)
class FontStyle(Component):
    """A font by name: family, style, size and outline."""

    JAVA = "VASSAL.build.module.gamepieceimage.FontStyle"

    name: str = attribute.text("Default")
    style: str = attribute.text("Dialog,0,12,false")
