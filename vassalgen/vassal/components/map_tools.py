"""The parts of a map besides its boards and pieces. A map does not work without many of these."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.components.toolbar import ToolbarItem
from vassalgen.vassal.scalars import Colour, Key


@frozen(kw_only=True, repr=False)
class StackMetrics(Component):
    """How pieces stack: whether at all, and how far apart they are drawn, in pixels."""

    JAVA = "VASSAL.build.module.map.StackMetrics"
    disabled: bool = attribute.boolean()
    ex_sep_x: int = attribute.integer(6)
    ex_sep_y: int = attribute.integer(18)
    unex_sep_x: int = attribute.integer(2)
    unex_sep_y: int = attribute.integer(4)
    color: Colour | None = attribute.colour()
    top: Key | None = attribute.key(Key(38))
    bottom: Key | None = attribute.key(Key(40))
    up: Key | None = attribute.key(Key(39))
    down: Key | None = attribute.key(Key(37))


@frozen(kw_only=True, repr=False)
class HandMetrics(StackMetrics):
    """How pieces are arranged in a hand."""

    JAVA = "VASSAL.build.module.map.HandMetrics"

    ex_sep_x: int = attribute.integer(12)
    ex_sep_y: int = attribute.integer()
    unex_sep_x: int = attribute.integer(12)
    unex_sep_y: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class ForwardToKeyBuffer(Component):
    """Passes keys on to the selected pieces."""

    JAVA = "VASSAL.build.module.map.ForwardToKeyBuffer"


@frozen(kw_only=True, repr=False)
class Scroller(Component):
    """Scrolls the map with the keyboard."""

    JAVA = "VASSAL.build.module.map.Scroller"

    prompt: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class ForwardToChatter(Component):
    """Passes typing on to the chat window."""

    JAVA = "VASSAL.build.module.map.ForwardToChatter"


@frozen(kw_only=True, repr=False)
class MenuDisplayer(Component):
    """Opens the menu of a piece."""

    JAVA = "VASSAL.build.module.map.MenuDisplayer"


@frozen(kw_only=True, repr=False)
class MapCenterer(Component):
    """Centres the map where the user clicks."""

    JAVA = "VASSAL.build.module.map.MapCenterer"


@frozen(kw_only=True, repr=False)
class StackExpander(Component):
    """Expands a stack at a double click."""

    JAVA = "VASSAL.build.module.map.StackExpander"


@frozen(kw_only=True, repr=False)
class PieceMover(Component):
    """Moves pieces with the mouse."""

    JAVA = "VASSAL.build.module.map.PieceMover"

    icon: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class KeyBufferer(Component):
    """Selects pieces with the mouse."""

    JAVA = "VASSAL.build.module.map.KeyBufferer"


@frozen(kw_only=True, repr=False)
class ImageSaver(ToolbarItem):
    """The button that saves the map as a picture."""

    JAVA = "VASSAL.build.module.map.ImageSaver"
    button_text: str = attribute.text()
    tooltip: str = attribute.text("Save map as PNG image")
    icon: str = attribute.text("/images/camera.gif")


@frozen(kw_only=True, repr=False)
class TextSaver(ToolbarItem):
    """The button that saves the map as text."""

    JAVA = "VASSAL.build.module.map.TextSaver"
    button_text: str = attribute.text("Save text")
    tooltip: str = attribute.text("Save map contents as plain text file")


@frozen(kw_only=True, repr=False)
class CounterDetailViewer(Component):
    """The mouse-over viewer of stacks."""

    JAVA = "VASSAL.build.module.map.CounterDetailViewer"
    NAMED_BY = "description"

    version: str = attribute.text("4")
    description: str = attribute.text()
    delay: int = attribute.integer(700)
    hotkey: Key | None = attribute.key(Key(32, 130))
    bg_color: Colour | None = attribute.colour()
    fg_color: Colour | None = attribute.colour((0, 0, 0))
    border_color: Colour | None = attribute.colour((0, 0, 0))
    min_display_pieces: int = attribute.integer(2)
    zoom_level: float = attribute.double(1.0, "zoomlevel")
    center_all: bool = attribute.boolean()
    border_thickness: int = attribute.integer(2)
    border_inner_thickness: int = attribute.integer(2)
    show_graph: bool = attribute.boolean(True, "showgraph")
    center_pieces_vertically: bool = attribute.boolean()
    graphics_zoom: float = attribute.double(1.0)
    show_graph_single: bool = attribute.boolean(False, "showgraphsingle")
    border_width: int = attribute.integer()
    vertical_offset: int = attribute.integer()
    show_text: bool = attribute.boolean(False, "showtext")
    enable_html: bool = attribute.boolean(False, "enableHTML")
    center_text: bool = attribute.boolean()
    stretch_width_summary: bool = attribute.boolean()
    stretch_width_pieces: bool = attribute.boolean()
    combine_counter_summary: bool = attribute.boolean()
    only_show_first_summary: bool = attribute.boolean()
    extra_text_padding: int = attribute.integer()
    vertical_top_text: int = attribute.integer(5)
    vertical_bottom_text: int = attribute.integer(10)
    show_text_single: bool = attribute.boolean(False, "showtextsingle")
    font_size: int = attribute.integer(9)
    summary_report_format: str = attribute.text("$LocationName$")
    counter_report_format: str = attribute.text()
    empty_hex_report_format: str = attribute.text("$LocationName$", "emptyHexReportForma")
    display: str = attribute.word(
        "from top-most layer only",
        "from all layers",
        "from listed layers only",
        "from layers other than those listed",
        "by using a property filter",
    )
    layer_list: tuple[str, ...] = attribute.texts()
    property_filter: str = attribute.text()
    show_terrain_beneath: str = attribute.word("never", "ifOne", "always")
    show_terrain_snappy: bool = attribute.boolean(True)
    show_terrain_width: int = attribute.integer(150)
    show_terrain_height: int = attribute.integer(150)
    show_terrain_zoom: float = attribute.double(1.0)
    show_terrain_text: str = attribute.text("$LocationName$")
    show_only_top_of_stack: bool = attribute.boolean()
    show_no_stack: bool = attribute.boolean()
    show_move_selected: bool = attribute.boolean(False, "showMoveSelectde")
    show_non_movable: bool = attribute.boolean()
    unrotate_pieces: bool = attribute.boolean()
    show_deck: bool = attribute.boolean()
    show_deck_masked: bool = attribute.boolean()
    show_deck_depth: int = attribute.integer(1)
    show_overlap: bool = attribute.boolean()
    stop_after_showing: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class Zoomer(Component):
    """The zoom buttons. ``zoom_start`` counts from the largest level."""

    JAVA = "VASSAL.build.module.map.Zoomer"
    zoom_start: int = attribute.integer(3)
    zoom_levels: tuple[str, ...] = attribute.texts(
        "0.2", "0.25", "0.333", "0.4", "0.5", "0.555", "0.625", "0.75", "1.0", "1.25", "1.6"
    )
    in_tooltip: str = attribute.text("Zoom in")
    in_button_text: str = attribute.text()
    in_icon_name: str = attribute.text("/images/zoomIn.gif")
    zoom_in_key: Key | None = attribute.key()
    pick_tooltip: str = attribute.text("Select Zoom")
    pick_button_text: str = attribute.text()
    pick_icon_name: str = attribute.text("/images/zoom.png")
    zoom_pick_key: Key | None = attribute.key()
    out_tooltip: str = attribute.text("Zoom out")
    out_button_text: str = attribute.text()
    out_icon_name: str = attribute.text("/images/zoomOut.gif")
    zoom_out_key: Key | None = attribute.key()


@frozen(kw_only=True, repr=False)
class Flare(Component):
    """The flare a player can fire at a place."""

    JAVA = "VASSAL.build.module.map.Flare"

    name: str = attribute.text("Map Flare", "flareName")
    description: str = attribute.optional_text()
    flare_key: str = attribute.word(
        "keyAlt", "keyCtrl", "keyAltShift", "keyCtrlShift", "keyCtrlAlt", "keyCtrlAltShift"
    )
    circle_size: int = attribute.integer(100)
    circle_color: Colour | None = attribute.colour((255, 0, 0))
    circle_scale: bool = attribute.boolean(True)
    flare_pulses: int = attribute.integer(6)
    flare_pulses_per_sec: int = attribute.integer(3)
    report_format: str = attribute.text()


@frozen(kw_only=True, repr=False)
class HighlightLastMoved(Component):
    """The frame around the piece that moved last."""

    JAVA = "VASSAL.build.module.map.HighlightLastMoved"
    enabled: bool = attribute.boolean(True)
    color: Colour | None = attribute.colour((255, 0, 0))
    thickness: int = attribute.integer(2)


@frozen(kw_only=True, repr=False)
class SelectionHighlighters(Component):
    """The highlighters of selected pieces, which are its children."""

    JAVA = "VASSAL.build.module.map.SelectionHighlighters"


@frozen(kw_only=True, repr=False)
class SelectionHighlighter(Component):
    """A way of highlighting selected pieces."""

    JAVA = "VASSAL.build.module.map.SelectionHighlighter"

    name: str = attribute.optional_text()
    match: str = attribute.text()
    use_image: bool = attribute.boolean()
    color: Colour | None = attribute.colour((255, 0, 0))
    thickness: int = attribute.integer(3)
    image: str = attribute.text()
    x_offset: int = attribute.integer(0, "xoffset")
    y_offset: int = attribute.integer(0, "yoffset")


@frozen(kw_only=True, repr=False)
class LayeredPieceCollection(Component):
    """The game piece layers; the first one is at the bottom."""

    JAVA = "VASSAL.build.module.map.LayeredPieceCollection"
    description: str = attribute.optional_text()
    property: str = attribute.text("Layer")
    layer_order: tuple[str, ...] = attribute.texts()


@frozen(kw_only=True, repr=False)
class LayerControl(ToolbarItem):
    """A button that switches layers."""

    JAVA = "VASSAL.build.module.map.LayerControl"
    text: str = attribute.text("Reset layers")
    tooltip: str = attribute.text("Reset layers")
    description: str = attribute.optional_text()
    command: str = attribute.word(
        "Reset All Layers",
        "Make Layer Active",
        "Make Layer Inactive",
        "Switch Layer between Active and Inactive",
        "Rotate Layer Order Up",
        "Rotate Layer Order Down",
    )
    skip: bool = attribute.boolean(True)
    layers: tuple[str, ...] = attribute.texts()


@frozen(kw_only=True, repr=False)
class GlobalMap(Component):
    """The overview of the map."""

    JAVA = "VASSAL.build.module.map.GlobalMap"
    button_text: str = attribute.text()
    tooltip: str = attribute.text("Show/Hide overview window")
    icon: str = attribute.text("/images/overview.gif")
    hotkey: Key | None = attribute.key(Key(79, 195))
    scale: float = attribute.double(0.19444444)
    color: Colour | None = attribute.colour((255, 0, 0))


@frozen(kw_only=True, repr=False)
class HidePiecesButton(Component):
    """The button that hides all pieces."""

    JAVA = "VASSAL.build.module.map.HidePiecesButton"
    button_text: str = attribute.text()
    tooltip: str = attribute.text("Hide all pieces on this map")
    hotkey: Key | None = attribute.key()
    hidden_icon: str = attribute.text("/images/globe_selected.gif")
    showing_icon: str = attribute.text("/images/globe_unselected.gif")


@frozen(kw_only=True, repr=False)
class LosThread(ToolbarItem):
    """A thread to check lines of sight."""

    JAVA = "VASSAL.build.module.map.LOS_Thread"

    name: str = attribute.text("Thread", "threadName")
    label: str = attribute.text("Thread")
    tooltip: str = attribute.text("Show LOS thread")
    icon: str = attribute.text("/images/thread.gif", "iconName")
    report: str = attribute.text("$playerId$ Checked LOS from $FromLocation$ to $AllLocationsChecked$")
    persistence: str = attribute.word("Ctrl-Click & Drag", "Never", "Always")
    persistent_icon_name: str = attribute.optional_text()
    global_: str = attribute.word("Always", "Never", "When Persisting", xml="global")
    snap_start: bool = attribute.boolean()
    snap_end: bool = attribute.boolean()
    draw_range: bool = attribute.boolean()
    scale: int = attribute.integer()
    round: str = attribute.word("Nearest whole number", "Up", "Down")
    hide_counters: bool = attribute.boolean()
    hide_opacity: int = attribute.integer()
    los_thickness: int = attribute.integer(1)
    thread_color: Colour | None = attribute.colour()
    range_fg: Colour | None = attribute.colour((255, 255, 255))
    range_bg: Colour | None = attribute.colour((0, 0, 0))


@frozen(kw_only=True, repr=False)
class MapShader(Component):
    """A shading over the map."""

    JAVA = "VASSAL.build.module.map.MapShader"

    name: str = attribute.text("Shading")
    always_on: bool = attribute.boolean()
    starts_on: bool = attribute.boolean()
    button_text: str = attribute.text("Shade")
    tooltip: str = attribute.text("Shade")
    icon: str = attribute.optional_text()
    add_to_map_toolbar: bool = attribute.boolean()
    hotkey: Key | None = attribute.key()
    boards: str = attribute.word("Yes", "No, exclude Boards in list", "No, only shade Boards in List")
    board_list: tuple[str, ...] = attribute.texts()
    type: str = attribute.word("Foreground", "Background")
    draw_over: bool = attribute.boolean()
    pattern: str = attribute.word("25%", "50%", "75%", "100% (Solid)", "Custom Image")
    color: Colour | None = attribute.colour((0, 0, 0))
    image: str = attribute.optional_text()
    scale_image: bool = attribute.boolean()
    opacity: int = attribute.integer(100)
    border: bool = attribute.boolean()
    border_color: Colour | None = attribute.colour((0, 0, 0))
    border_width: int = attribute.integer(1)
    border_opacity: int = attribute.integer(100)


@frozen(kw_only=True, repr=False)
class PieceRecenterer(ToolbarItem):
    """The button that moves all pieces to the middle of the map."""

    JAVA = "VASSAL.build.module.map.PieceRecenterer"
    text: str = attribute.text("Recenter")
    tooltip: str = attribute.text("Recenter")
    icon: str = attribute.text("/images/recenter.gif")


@frozen(kw_only=True, repr=False)
class MoveCameraButton(ToolbarItem):
    """A button that moves the view."""

    JAVA = "VASSAL.build.module.map.MoveCameraButton"
    text: str = attribute.text("Center On Position")
    tooltip: str = attribute.text("Centers the view on specified position")
    icon: str = attribute.text("/images/recenter.gif")
    move_camera_mode: str = attribute.text("L")
    board_name: str = attribute.text()
    zone_name: str = attribute.text()
    region_name: str = attribute.text()
    grid_location: str = attribute.text()
    x_pos: str = attribute.text()
    y_pos: str = attribute.text()
    x_offset: str = attribute.text("0")
    y_offset: str = attribute.text("0")
    property_filter: str = attribute.text()
    zoom: str = attribute.text()
