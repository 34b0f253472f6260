"""The two maps: the hexes, and the boxes beside them."""

from __future__ import annotations

from vassalgen.drawing.boards import FAN, ZOOMS
from vassalgen.drawing.boards import Board as DrawnBoard
from vassalgen.game.game import Game
from vassalgen.parts import battle, keys
from vassalgen.parts.boxes import BoxesBoard, fan
from vassalgen.parts.face_down import name_listed
from vassalgen.parts.grid import hex_grid
from vassalgen.parts.names import ACTIVE, BOXES, MAIN
from vassalgen.parts.pieces import MOVED, TRAIL_OFF, TRAIL_ON
from vassalgen.parts.trait_shorthand import key
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    Component,
    CounterDetailViewer,
    Flare,
    ForwardToChatter,
    ForwardToKeyBuffer,
    GlobalMap,
    HidePiecesButton,
    HighlightLastMoved,
    ImageSaver,
    KeyBufferer,
    LayeredPieceCollection,
    LosThread,
    Map,
    MapCenterer,
    MapShader,
    MassKeyCommand,
    MenuDisplayer,
    MoveCameraButton,
    PieceMover,
    Scroller,
    SelectionHighlighters,
    Setup,
    SetupStack,
    StackExpander,
    StackMetrics,
    TextSaver,
    ToolbarMenu,
    Zoomer,
)
from vassalgen.vassal.scalars import Colour

_LETTER = 5.6
"""The width of a letter below a counter, in pixels."""
BOXES_ZOOM = 0.75
"""The zoom level at which the map of boxes opens."""


def colour(text: str) -> Colour:
    """A colour from the game's art."""
    return tuple(int(text[place : place + 2], 16) for place in (1, 3, 5))


def main_map(game: Game, image: str, stacks: tuple[SetupStack, ...] = ()) -> Map:
    """The map of hexes, with its at-start stacks."""
    board = Board(name=MAIN, image=image, children=(hex_grid(DrawnBoard(game).layout),))
    unmoved = f'{{Fights==1&&Moved==false&&Side=={ACTIVE}&&CurrentMap=="{MAIN}"}}'
    return Map(
        name=MAIN,
        background_color=colour(game.art.board.background),
        color=(230, 180, 40),
        thickness=4,
        mark_unmoved_icon="",
        move_within_format="",
        move_to_format="",
        create_format="",
        move_key=key(MOVED),
        children=(
            _boards(MAIN, board),
            LayeredPieceCollection(
                property="Side", layer_order=tuple(side.title for side in game.sides.values())
            ),
            StackMetrics(unex_sep_x=FAN[0], unex_sep_y=FAN[1], ex_sep_x=20, ex_sep_y=44),
            *_working_parts(),
            _viewer(game),
            _zoomer(DrawnBoard(game).opening),
            GlobalMap(scale=_overview(game), hotkey=keys.OVERVIEW, children=(_viewer(game),)),
            MoveCameraButton(
                text="Next unmoved",
                tooltip="Show the next unit of the active side that has not moved",
                icon="",
                move_camera_mode="C",
                property_filter=unmoved,
                hotkey=keys.NEXT_UNMOVED,
            ),
            MoveCameraButton(
                text="Next battle",
                tooltip="Show the next battle that is not resolved",
                icon="",
                move_camera_mode="C",
                property_filter=f'{{{battle.UNRESOLVED}&&CurrentMap=="{MAIN}"}}',
                hotkey=keys.NEXT_BATTLE,
            ),
            LosThread(
                name="Distance",
                label="Distance",
                tooltip="Drag from hex to hex to count the hexes between them",
                icon="",
                hotkey=keys.DISTANCE,
                report="",
                draw_range=True,
                snap_start=True,
                snap_end=True,
                los_thickness=4,
                thread_color=(150, 40, 30),
            ),
            HidePiecesButton(tooltip="Hide all counters, to see the map", hotkey=keys.HIDE),
            Flare(report_format="$PlayerSide$ points at $FlareLocation$"),
            *_view(),
            *(stack for stack in stacks if stack.owning_board == MAIN),
        ),
    )


def _view() -> tuple[Component, ...]:
    """What changes the display of the map, or exports it as a picture or text; all in one menu."""
    shade = MapShader(
        name="Shade",
        button_text="Tone the map down",
        icon="",
        tooltip="Tone the map down, so that the counters stand out",
        starts_on=False,
        add_to_map_toolbar=True,
        pattern="100% (Solid)",
        color=(255, 255, 255),
        opacity=45,
        type="Background",
    )
    trails = tuple(
        MassKeyCommand(
            name=title,
            button_text=title,
            tooltip=title,
            icon="",
            button_hotkey=key(f"all{sent}"),
            hotkey=key(sent),
        )
        for title, sent in (("Show all trails", TRAIL_ON), ("Hide all trails", TRAIL_OFF))
    )
    picture = ImageSaver(button_text="Save the map as a picture", icon="")
    words = TextSaver(button_text="Save the map as text", icon="")
    buttons: tuple[MapShader | MassKeyCommand | ImageSaver | TextSaver, ...] = (
        shade,
        *trails,
        picture,
        words,
    )
    menu = ToolbarMenu(
        description="View",
        text="View",
        tooltip="Change the look of the map, or save it",
        menu_items=tuple(one.button_text for one in buttons),
    )
    return (*buttons, menu)


def boxes_map(game: Game, image: str, stacks: tuple[SetupStack, ...] = ()) -> Map:
    """The map of boxes, which opens in a window of its own, with its at-start stacks."""
    board = Board(name=BOXES, image=image, children=(BoxesBoard(game).grid(),))
    return Map(
        name=BOXES,
        mark_moved="Never",
        mark_unmoved_icon="",
        background_color=colour(game.art.board.background),
        color=(230, 180, 40),
        thickness=4,
        launch=True,
        button_name="Boxes",
        tooltip="Reinforcements, losses and the turn track",
        icon="",
        hotkey=keys.BOXES,
        move_within_format="",
        move_to_format="",
        create_format="",
        move_key=key(MOVED),
        children=(
            _boards(BOXES, board),
            StackMetrics(unex_sep_x=0, unex_sep_y=fan(game), ex_sep_x=0, ex_sep_y=game.art.board.counter),
            *_working_parts(),
            _viewer(game),
            _zoomer(BOXES_ZOOM),
            *(stack for stack in stacks if stack.owning_board == BOXES),
        ),
    )


def _zoomer(opening: float) -> Zoomer:
    """The zoom levels, and the one at which the map opens: its index counted from the largest."""
    return Zoomer(zoom_levels=tuple(map(str, ZOOMS)), zoom_start=sum(zoom >= opening for zoom in ZOOMS))


def _boards(name: str, board: Board) -> BoardPicker:
    return BoardPicker(children=(Setup(content=f"{name}BoardPicker\t{board.name}\t0\t0"), board))


def _working_parts() -> tuple[Component, ...]:
    """Components without which a map does not react to mouse and keyboard."""
    return (
        ForwardToKeyBuffer(),
        Scroller(),
        ForwardToChatter(),
        MenuDisplayer(),
        MapCenterer(),
        StackExpander(),
        PieceMover(),
        KeyBufferer(),
        SelectionHighlighters(),
        HighlightLastMoved(color=(230, 180, 40), thickness=3),
    )


def _viewer(game: Game) -> CounterDetailViewer:
    """The view of a stack under the pointer: the counters, large enough for their names to fit below."""
    longest = max((len(counter.name) for counter in game.counters.values()), default=0)
    return CounterDetailViewer(
        delay=250,
        min_display_pieces=1,
        show_graph=True,
        show_graph_single=True,
        show_text=True,
        show_text_single=True,
        graphics_zoom=min(2.0, max(1.5, round(longest * _LETTER / game.art.board.counter, 1))),
        font_size=10,
        bg_color=(248, 243, 228),
        border_width=10,
        summary_report_format="$LocationName$",
        counter_report_format=name_listed(game),
        show_terrain_beneath="never",
    )


def _overview(game: Game) -> float:
    """A scale at which the overview is about 300 pixels wide."""
    wide, high = DrawnBoard(game).layout.size
    return round(min(300 / wide, 420 / high), 3)
