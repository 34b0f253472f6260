"""The buttons on the toolbars of the module and of its maps, and the key commands behind them."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Key


@frozen(kw_only=True, repr=False)
class ToolbarItem(Component):
    """The fields of all toolbar buttons.

    Without text and icon there is no button, but the hotkey works. [build.AbstractToolbarItem]
    """

    tooltip: str = attribute.text()
    icon: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()
    can_disable: bool = attribute.boolean()
    property_gate: str = attribute.text()
    hide_when_disabled: bool = attribute.boolean()
    disabled_icon: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class DoActionButton(ToolbarItem):
    """An action button: report, sound, hotkeys, optionally repeated."""

    JAVA = "VASSAL.build.module.DoActionButton"

    name: str = attribute.text("Action Button")
    text: str = attribute.text("Action Button")
    tooltip: str = attribute.text("Action Button")
    do_report: bool = attribute.boolean()
    report_format: str = attribute.text()
    do_sound: bool = attribute.boolean()
    sound_clip: str = attribute.text()
    do_hotkey: bool = attribute.boolean()
    hotkeys: tuple[Key, ...] = attribute.keys()
    do_loop: bool = attribute.boolean()
    loop_type: str = attribute.word("counted", "until", "while")
    loop_count: str = attribute.text("1")
    while_expression: str = attribute.text()
    until_expression: str = attribute.text()
    pre_loop_key: Key | None = attribute.key()
    post_loop_key: Key | None = attribute.key()
    index: bool = attribute.boolean()
    index_property: str = attribute.text()
    index_start: int = attribute.integer(1)
    index_step: int = attribute.integer(1)


@frozen(kw_only=True, repr=False)
class ToolbarMenu(ToolbarItem):
    """A menu that contains other buttons, by their texts."""

    JAVA = "VASSAL.build.module.ToolbarMenu"
    NAMED_BY = "description"

    description: str = attribute.text("Menu")
    text: str = attribute.text("Menu")
    tooltip: str = attribute.text("Display menu options")
    menu_items: tuple[str, ...] = attribute.texts()


@frozen(kw_only=True, repr=False)
class MultiActionButton(ToolbarMenu):
    """A button that presses other buttons, by their texts."""

    JAVA = "VASSAL.build.module.MultiActionButton"

    text: str = attribute.text("Multi-Action Button")
    tooltip: str = attribute.text("Multi-Action Button")


@frozen(kw_only=True, repr=False)
class MassKeyCommand(ToolbarItem):
    """A global key command of a map.

    ``hotkey`` is the key it sends, ``button_hotkey`` the key of its own button.
    """

    JAVA = "VASSAL.build.module.map.MassKeyCommand"

    name: str = attribute.text("Do The Thing")
    button_text: str = attribute.text("Do The Thing")
    tooltip: str = attribute.text("Do The Thing")
    button_hotkey: Key | None = attribute.key()
    single_map: bool = attribute.boolean(True)
    target: str = attribute.text("MAP|false|MAP|||||0|0||false|||EQUALS||")
    filter: str = attribute.text()
    deck_count: int = attribute.integer(-1)
    report_single: bool = attribute.boolean()
    suppress_sounds: bool = attribute.boolean()
    report_format: str = attribute.text()
    parameters: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class GlobalKeyCommand(MassKeyCommand):
    """A global key command of the module."""

    JAVA = "VASSAL.build.module.GlobalKeyCommand"

    target: str = attribute.text("MODULE|false|MAP|||||0|0||false|||EQUALS||")


@frozen(kw_only=True, repr=False)
class StartupGlobalKeyCommand(GlobalKeyCommand):
    """A global key command that runs by itself when a game starts."""

    JAVA = "VASSAL.build.module.StartupGlobalKeyCommand"

    when_to_apply: str = attribute.word(
        "everyLaunchOfSession", "firstLaunchOfSession", "startOfGameOnly", "sideChange"
    )
    hotkey_or_key_command: str = attribute.word("sendKeyCommand", "sendHotkey")
    global_hotkey: Key | None = attribute.key()
    button_text: str = attribute.text()
    tooltip: str = attribute.text()
    icon: str = attribute.text()


@frozen(kw_only=True, repr=False)
class Inventory(ToolbarItem):
    """A window listing the pieces in play."""

    JAVA = "VASSAL.build.module.Inventory"

    name: str = attribute.text("Inventory")
    text: str = attribute.text("Inventory")
    tooltip: str = attribute.text("Show inventory of all pieces")
    icon: str = attribute.text("/images/inventory.gif")
    include: str = attribute.text()
    group_by: tuple[str, ...] = attribute.texts()
    non_leaf_format: str = attribute.text("$PropertyValue$")
    folders_only: bool = attribute.boolean()
    leaf_format: str = attribute.text("$PieceName$")
    sort_pieces: bool = attribute.boolean(True)
    sort_format: str = attribute.text("$PieceName$")
    sorting: str = attribute.word("alpha", "length", "numeric")
    center_on_piece: bool = attribute.boolean(True)
    forward_keystroke: bool = attribute.boolean(True)
    show_menu: bool = attribute.boolean(True)
    draw_pieces: bool = attribute.boolean(True)
    zoom_on: bool = attribute.boolean()
    piece_zoom: float = attribute.double(0.25)
    piece_zoom2: float = attribute.double(0.33)
    piece_zoom3: float = attribute.double(0.4)
    sides: tuple[str, ...] = attribute.texts()
    launch_function: str = attribute.word("functionHide", "functionRefresh")
    refresh_hotkey: Key | None = attribute.key()


@frozen(kw_only=True, repr=False)
class NotesWindow(ToolbarItem):
    """Scenario, public, private and delayed notes."""

    JAVA = "VASSAL.build.module.NotesWindow"

    button_text: str = attribute.text("Notes")
    tooltip: str = attribute.text("Notes")
    icon: str = attribute.text("/images/notes.gif")
    description: str = attribute.optional_text()
