"""The module: every component of its build file."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from tests.data.skirmish.counters import CARDS, FLAGS, TURN_MARKER, UNITS, Slots, prototypes
from tests.data.skirmish.places import (
    CAMPS,
    CAMPS_EDGE,
    DECK,
    FIELD,
    FIELD_EDGE,
    SIDES,
    TRACK,
    camps_boards,
    field_boards,
)
from vassalgen.vassal.components import (
    AboutScreen,
    BasicCommandEncoder,
    ChangePropertyButton,
    Chatter,
    Component,
    CounterDetailViewer,
    CounterTurnLevel,
    DiceButton,
    Documentation,
    DrawPile,
    Entry,
    Flare,
    ForwardToChatter,
    ForwardToKeyBuffer,
    GameModule,
    GlobalKeyCommand,
    GlobalMap,
    GlobalOptions,
    GlobalProperties,
    GlobalProperty,
    HelpFile,
    HidePiecesButton,
    HighlightLastMoved,
    ImageSaver,
    Inventory,
    KeyBufferer,
    KeyNamer,
    Language,
    ListTurnLevel,
    ListWidget,
    Map,
    MapCenterer,
    MenuDisplayer,
    NotesWindow,
    PanelWidget,
    PieceMover,
    PieceSlot,
    PieceWindow,
    PlayerRoster,
    PredefinedSetup,
    Scroller,
    SetupStack,
    SpecialDiceButton,
    SpecialDie,
    SpecialDieFace,
    StackExpander,
    StackMetrics,
    TabWidget,
    TurnTracker,
    Zoomer,
)
from vassalgen.vassal.scalars import ALT, Key

NAME, VERSION, VASSAL = "Skirmish at the Ford", "1.0", "3.7.26"
DESCRIPTION = "A small module to test with"
HELP = "help/skirmish.html"
SETUP = "dawn.vsav"
SETUP_NAME = "Dawn"

STARTS = {
    "0202": ("Heron Spears", "Heron Captain"),
    "0103": ("Heron Bows",),
    "0305": ("Heron Riders", "Heron Spears"),
    "0702": ("Thorn Axes", "Thorn Chief"),
    "0704": ("Thorn Slings", "Thorn Axes"),
    "0804": ("Thorn Wolves",),
}
"""The pieces in each hex at the start, from the bottom of each stack to the top."""


@frozen
class Start:
    """An at-start stack: its map and board, the name of its place, and its slots from the bottom upwards."""

    map: str
    location: str
    slots: tuple[PieceSlot, ...]


@frozen
class Skirmish:
    """The module, and the position at its start."""

    module: GameModule
    starts: tuple[Start, ...]
    cards: tuple[PieceSlot, ...]


def skirmish() -> Skirmish:
    """Put the module together."""
    slots = Slots()
    palette = _palette(slots)
    starts = (
        *(Start(FIELD, hex_, tuple(map(slots.unit, names))) for hex_, names in STARTS.items()),
        Start(FIELD, "T1", (slots.marker(TURN_MARKER),)),
        Start(CAMPS, "Thorns Reserve", (slots.unit("Thorn Slings"),)),
    )
    cards = tuple(slots.cards())
    module = GameModule(
        name=NAME,
        version=VERSION,
        description=DESCRIPTION,
        vassal_version=VASSAL,
        next_piece_slot_id=slots.next_id,
        children=(
            BasicCommandEncoder(),
            Documentation(
                children=(
                    AboutScreen(title="About Skirmish at the Ford", file_name="/images/Splash.png"),
                    HelpFile(title="How to play", file_name=HELP),
                )
            ),
            PlayerRoster(children=tuple(Entry(content=side) for side in SIDES)),
            GlobalOptions(),
            _properties(),
            prototypes(),
            palette,
            _field([start for start in starts if start.map == FIELD]),
            _camps([start for start in starts if start.map == CAMPS], cards),
            _turns(),
            *_toolbar(),
            PredefinedSetup(name=SETUP_NAME, file=SETUP),
            Chatter(),
            KeyNamer(),
            Language(),
        ),
    )
    return Skirmish(module, starts, cards)


def _properties() -> GlobalProperties:
    """The victory points of both sides, each with its buttons."""
    return GlobalProperties(
        children=tuple(
            GlobalProperty(
                name=f"{side}VP",
                initial_value="0",
                is_numeric=True,
                min="0",
                max="20",
                children=tuple(
                    ChangePropertyButton(
                        text=f"{side} {sign}",
                        tooltip=f"{side}: victory points {sign}",
                        report_format=f"{side} victory points $oldValue$ to $newValue$ *",
                        prop_changer=f"I,{change}",
                    )
                    for sign, change in (("+", "1"), ("-", "-1"))
                ),
            )
            for side in SIDES
        )
    )


def _palette(slots: Slots) -> PieceWindow:
    tabs: list[Component] = [
        PanelWidget(
            name=side,
            fixed=True,
            n_columns=3,
            children=tuple(slots.unit(one.name) for one in UNITS if one.side == side),
        )
        for side in SIDES
    ]
    tabs.append(ListWidget(name="Markers", children=tuple(map(slots.marker, (*FLAGS, TURN_MARKER)))))
    return PieceWindow(name="Counters", text="Counters", children=(TabWidget(children=tuple(tabs)),))


def _working_parts() -> tuple[Component, ...]:
    """Without these a map is dead to the mouse and the keyboard."""
    return (
        StackMetrics(),
        ForwardToKeyBuffer(),
        Scroller(),
        ForwardToChatter(),
        MenuDisplayer(),
        MapCenterer(),
        StackExpander(),
        PieceMover(),
        KeyBufferer(),
        HighlightLastMoved(),
        CounterDetailViewer(
            delay=400,
            show_text=True,
            show_graph_single=True,
            show_text_single=True,
            graphics_zoom=1.5,
            counter_report_format="$PieceName$",
        ),
        Zoomer(zoom_levels=("0.5", "0.75", "1.0", "1.5", "2.0"), zoom_start=3),
    )


def _setup_stack(start: Start) -> SetupStack:
    return SetupStack(
        name=f"{start.location}: {', '.join(slot.name for slot in start.slots)}",
        owning_board=start.map,
        use_grid_location=True,
        location=start.location,
        children=start.slots,
    )


def _field(starts: Iterable[Start]) -> Map:
    return Map(
        name=FIELD,
        edge_width=FIELD_EDGE,
        edge_height=FIELD_EDGE,
        background_color=(232, 226, 206),
        mark_unmoved_text="Unmove",
        color=(40, 40, 40),
        children=(
            field_boards(),
            *_working_parts(),
            Flare(report_format="$PlayerName$ points at $FlareLocation$ *"),
            GlobalMap(),
            HidePiecesButton(),
            ImageSaver(),
            *map(_setup_stack, starts),
        ),
    )


def _camps(starts: Iterable[Start], cards: tuple[PieceSlot, ...]) -> Map:
    move_format = "$PlayerName$: $pieceName$ $previousLocation$ to $location$ *"
    deck = DrawPile(
        name="Events",
        owning_board=CAMPS,
        x=DECK[0],
        y=DECK[1],
        width=76,
        height=104,
        shuffle="Via right-click Menu",
        shuffle_format="$PlayerName$ shuffles $deckName$ *",
        reverse_format="$PlayerName$ reverses $deckName$ *",
        draw=True,
        max_stack=len(CARDS),
        children=cards,
    )
    return Map(
        name=CAMPS,
        mark_moved="Never",
        edge_width=CAMPS_EDGE,
        edge_height=CAMPS_EDGE,
        background_color=(232, 226, 206),
        launch=True,
        button_name="Camps",
        hotkey=Key(ord("C"), ALT),
        move_within_format=move_format,
        move_to_format=move_format,
        children=(camps_boards(), *_working_parts(), *map(_setup_stack, starts), deck),
    )


def _turns() -> TurnTracker:
    """Turn, side and phase, each a level below the one before."""
    phases = ListTurnLevel(name="Phase", property="Phase", list=("Move", "Fight"))
    sides = ListTurnLevel(name="Side", property="ActiveSide", list=SIDES, children=(phases,))
    turn = CounterTurnLevel(
        name="Turn",
        property="Turn",
        turn_format="Turn $value$:",
        loop=True,
        loop_limit=len(TRACK),
        children=(sides,),
    )
    return TurnTracker(next_hotkey=Key.ctrl("N"), turn_format="$level1$ $level2$ $level3$", children=(turn,))


def _toolbar() -> tuple[Component, ...]:
    fate = SpecialDie(
        name="Fate",
        children=tuple(
            SpecialDieFace(text=text, value=value)
            for text, value in (("Calm", 0), ("Luck", 1), ("Storm", -1))
        ),
    )
    return (
        DiceButton(name="2d6", text="2d6", tooltip="Roll two dice for a fight", report_total=False),
        DiceButton(name="1d6", text="1d6", tooltip="Roll a die for courage", n_dice=1),
        SpecialDiceButton(name="Fate", text="Fate", tooltip="Roll the die of fate", children=(fate,)),
        GlobalKeyCommand(
            name="Rally",
            button_text="Rally",
            tooltip="Take one loss off all units of the field",
            hotkey=Key.ctrl("R"),
            filter=f'{{Losses>0&&CurrentMap=="{FIELD}"}}',
            report_format="All units rally *",
        ),
        Inventory(
            name="Forces",
            text="Forces",
            tooltip="Show all units",
            include='{Kind!=""}',
            group_by=("Side", "CurrentMap"),
            leaf_format="$PieceName$ $LocationName$",
        ),
        NotesWindow(),
    )
