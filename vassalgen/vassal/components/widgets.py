"""The windows of pieces and charts, the widgets that divide them, and the slots that hold pieces."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Key


@frozen(kw_only=True, repr=False)
class PieceWindow(Component):
    """The palette."""

    JAVA = "VASSAL.build.module.PieceWindow"

    name: str = attribute.optional_text()
    description: str = attribute.optional_text()
    hidden: bool = attribute.boolean()
    text: str = attribute.text("Pieces")
    tooltip: str = attribute.text("Show/Hide the Pieces window")
    icon: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()
    scale: float = attribute.double(1.0)
    default_width: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class ChartWindow(Component):
    """A window of charts."""

    JAVA = "VASSAL.build.module.ChartWindow"

    name: str = attribute.text("Chart Window Menu")
    description: str = attribute.optional_text()
    text: str = attribute.text("Chart Window Menu")
    tooltip: str = attribute.text("Chart Window Menu")
    icon: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()


@frozen(kw_only=True, repr=False)
class Widget(Component):
    """A division of a window; the widget around it shows its name as a label. [build.Widget]"""

    name: str = attribute.optional_text("entryName")
    description: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class TabWidget(Widget):
    """Its children as tabs."""

    JAVA = "VASSAL.build.widget.TabWidget"


@frozen(kw_only=True, repr=False)
class PanelWidget(Widget):
    """Its children as a grid."""

    JAVA = "VASSAL.build.widget.PanelWidget"

    fixed: bool = attribute.boolean()
    n_columns: int = attribute.integer(3)
    vert: bool = attribute.boolean()
    scale: float = attribute.double(1.0)


@frozen(kw_only=True, repr=False)
class ListWidget(Widget):
    """Its children as a list with a preview."""

    JAVA = "VASSAL.build.widget.ListWidget"

    scale: float = attribute.double(1.0)
    width: int = attribute.integer()
    height: int = attribute.integer()
    divider: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class BoxWidget(Widget):
    """Its children in a drop-down."""

    JAVA = "VASSAL.build.widget.BoxWidget"

    width: int = attribute.integer()
    height: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class MapWidget(Widget):
    """A map inside a chart; the map is its child."""

    JAVA = "VASSAL.build.widget.MapWidget"


@frozen(kw_only=True, repr=False)
class Chart(Component):
    """A picture."""

    JAVA = "VASSAL.build.widget.Chart"

    name: str = attribute.optional_text("chartName")
    description: str = attribute.optional_text()
    file_name: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class HtmlChart(Component):
    """A page of HTML at the root of the archive."""

    JAVA = "VASSAL.build.widget.HtmlChart"

    name: str = attribute.optional_text("chartName")
    description: str = attribute.optional_text()
    file_name: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class PieceSlot(Component):
    """A piece that players can take; its definition is the content, ``+/null/`` type ``/`` state.
    [widget.PieceSlot.build, getBuildElement]
    """

    JAVA = "VASSAL.build.widget.PieceSlot"

    name: str = attribute.optional_text("entryName")
    gpid: str = attribute.text()
    width: int = attribute.integer(100)
    height: int = attribute.integer(100)


@frozen(kw_only=True, repr=False)
class CardSlot(PieceSlot):
    """A card in a deck."""

    JAVA = "VASSAL.build.widget.CardSlot"
