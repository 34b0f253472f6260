"""What is on a map from the start: stacks and decks."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Colour, Key


@frozen(kw_only=True, repr=False)
class SetupStack(Component):
    """An at-start stack; its slots are its children.

    ``x`` and ``y`` are pixels of the owning board, or without one of the map inside its edges; with
    ``use_grid_location`` the place is where the board's grid has ``location``. Nothing is snapped.
    """

    JAVA = "VASSAL.build.module.map.SetupStack"

    name: str = attribute.optional_text()
    owning_board: str = attribute.optional_text()
    use_grid_location: bool = attribute.boolean()
    location: str = attribute.optional_text()
    x: int = attribute.integer(100)
    y: int = attribute.integer(100)


@frozen(kw_only=True, repr=False)
class DrawPile(Component):
    """A deck; its cards are its children, the first one at the bottom."""

    JAVA = "VASSAL.build.module.map.DrawPile"

    name: str = attribute.optional_text()
    description: str = attribute.optional_text()
    owning_board: str = attribute.optional_text()
    x: int = attribute.integer(100)
    y: int = attribute.integer(100)
    width: int = attribute.integer(40)
    height: int = attribute.integer(40)
    allow_multiple: bool = attribute.boolean(True)
    draw_multiple_message: str = attribute.text("Draw multiple cards")
    allow_select: bool = attribute.boolean(True)
    draw_specific_message: str = attribute.text("Draw specific cards")
    select_display_property: str = attribute.text("$BasicName$")
    select_sort_property: str = attribute.text()
    face_down: str = attribute.word("Always", "Never", "Via right-click Menu", "MenuDefaultUp")
    face_flip_hotkey: Key | None = attribute.key()
    face_up_message: str = attribute.text("Face up")
    face_up_hotkey: Key | None = attribute.key()
    face_up_report_format: str = attribute.text()
    face_down_message: str = attribute.text("Face down")
    face_down_hotkey: Key | None = attribute.key()
    face_down_format: str = attribute.text()
    draw_face_up: bool = attribute.boolean()
    shuffle: str = attribute.word("Always", "Never", "Via right-click Menu")
    shuffle_command: str = attribute.text("Shuffle")
    shuffle_format: str = attribute.text()
    shuffle_hotkey: Key | None = attribute.key()
    reversible: bool = attribute.boolean(True)
    reverse_command: str = attribute.text("Reverse")
    reverse_format: str = attribute.text()
    reverse_hotkey: Key | None = attribute.key()
    draw: bool = attribute.boolean()
    color: Colour | None = attribute.colour((0, 0, 0))
    hotkey_on_empty: bool = attribute.boolean()
    empty_hotkey: Key | None = attribute.key()
    reshufflable: bool = attribute.boolean()
    reshuffle_command: str = attribute.text()
    reshuffle_message: str = attribute.text()
    reshuffle_hotkey: Key | None = attribute.key()
    reshuffle_target: str = attribute.text()
    can_save: bool = attribute.boolean()
    save_message: str = attribute.text("Save Deck")
    save_hotkey: Key | None = attribute.key()
    save_report_format: str = attribute.text("Deck Saved")
    load_message: str = attribute.text("Load Deck")
    load_hotkey: Key | None = attribute.key()
    load_report_format: str = attribute.text("Deck Loaded")
    max_stack: int = attribute.integer(10)
    expression_counting: bool = attribute.boolean()
    count_expressions: tuple[str, ...] = attribute.texts()
    restrict_option: bool = attribute.boolean()
    restrict_expression: str = attribute.text()
    deck_restrict_access: bool = attribute.boolean()
    deck_owners: tuple[str, ...] = attribute.texts()


@frozen(kw_only=True, repr=False)
class DeckGlobalKeyCommand(Component):
    """A global key command of a deck. ``hotkey`` is the key it sends."""

    JAVA = "VASSAL.build.module.map.DeckGlobalKeyCommand"

    name: str = attribute.text()
    hotkey: Key | None = attribute.key()
    target: str = attribute.text("DECK|false|MAP|||||0|0||false|||EQUALS||")
    filter: str = attribute.text()
    deck_count: int = attribute.integer(-1)
    report_format: str = attribute.text()
    report_single: bool = attribute.boolean(True)
    suppress_sounds: bool = attribute.boolean()
    parameters: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class DeckSortKeyCommand(Component):
    """A command that sorts a deck."""

    JAVA = "VASSAL.build.module.map.deck.DeckSortKeyCommand"
    NAMED_BY = "menu_text"

    description: str = attribute.text()
    menu_text: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()
    report_format: str = attribute.text()
    sort_parameters: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class DeckSendKeyCommand(Component):
    """A command that sends cards to another deck."""

    JAVA = "VASSAL.build.module.map.deck.DeckSendKeyCommand"
    NAMED_BY = "menu_text"

    description: str = attribute.text()
    menu_text: str = attribute.optional_text()
    hotkey: Key | None = attribute.key()
    report_format: str = attribute.text()
    variable_deck: bool = attribute.boolean()
    target_deck: str = attribute.text()
    deck_expression: str = attribute.text("{}")
    send_matching: bool = attribute.boolean()
    match_expression: str = attribute.text("{}")
    limit_total: bool = attribute.boolean()
    limit_expression: str = attribute.text("{}")
    stop: bool = attribute.boolean()
    stop_expression: str = attribute.text("{}")
    stop_also: bool = attribute.boolean()
    apply_on_move: bool = attribute.boolean()
