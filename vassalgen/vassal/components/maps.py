"""The maps."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Colour, Key


@frozen(kw_only=True, repr=False)
class Map(Component):
    """A map.

    Its name is its identity in saves and logs. The edges are the padding in pixels around its boards; they
    count in all pixels of the map.
    """

    JAVA = "VASSAL.build.module.Map"

    name: str = attribute.text(xml="mapName")
    description: str = attribute.optional_text()
    mark_moved: str = attribute.word("Always", "Never", "Use Preferences Setting")
    mark_unmoved_text: str = attribute.text()
    mark_unmoved_tooltip: str = attribute.text("Mark all pieces on this map as not moved")
    mark_unmoved_icon: str = attribute.text("/images/unmoved.gif")
    mark_unmoved_hotkey: Key | None = attribute.key()
    mark_unmoved_report: str = attribute.text()
    edge_width: int = attribute.integer()
    edge_height: int = attribute.integer()
    background_color: Colour | None = attribute.colour((255, 255, 255), "backgroundcolor")
    allow_multiple: bool = attribute.boolean()
    color: Colour | None = attribute.colour((0, 0, 0))
    thickness: int = attribute.integer(3)
    launch: bool = attribute.boolean()
    button_name: str = attribute.text()
    tooltip: str = attribute.optional_text()
    icon: str = attribute.text("/images/map.gif")
    hotkey: Key | None = attribute.key()
    show_key: Key | None = attribute.key()
    hide_key: Key | None = attribute.key()
    only_report_changed_location: bool = attribute.boolean()
    move_within_format: str = attribute.text("$pieceName$ moves $previousLocation$ &rarr; $location$ *")
    move_to_format: str = attribute.text("$pieceName$ moves $previousLocation$ &rarr; $location$ *")
    create_format: str = attribute.text("$pieceName$ created in $location$ *")
    change_format: str = attribute.text("$message$")
    move_key: Key | None = attribute.key()


@frozen(kw_only=True, repr=False)
class PrivateMap(Map):
    """A map for certain sides only."""

    JAVA = "VASSAL.build.module.PrivateMap"

    side: tuple[str, ...] = attribute.texts()
    visible: bool = attribute.boolean()
    use_boards: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class PlayerHand(PrivateMap):
    """A map that is the hand of a player."""

    JAVA = "VASSAL.build.module.PlayerHand"


@frozen(kw_only=True, repr=False)
class WidgetMap(Map):
    """A map inside a chart."""

    JAVA = "VASSAL.build.widget.WidgetMap"
