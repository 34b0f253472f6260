"""The keys that players press, one for each command, and their list for the help.

States have Ctrl and a letter of their title, declarations Ctrl, Shift and a letter, unless the game proposes
a key; a command for which no letter is left is only in the menu.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from vassalgen.game.game import Game
from vassalgen.vassal.scalars import ALT, CTRL, CTRL_SHIFT, Key

ATTACK = Key(ord("B"), CTRL)
ADD_HEX = Key(ord("B"), CTRL_SHIFT)
JOIN = Key(ord("A"), CTRL)
RESOLVE = Key(ord("R"), CTRL)
SHIFT_RIGHT, SHIFT_LEFT = Key(ord("]"), CTRL), Key(ord("["), CTRL)
DIE_UP, DIE_DOWN = Key(ord("]"), CTRL_SHIFT), Key(ord("["), CTRL_SHIFT)
HALF = Key(ord("H"), CTRL)
ELIMINATE, RESTORE = Key(ord("E"), CTRL), Key(ord("E"), CTRL_SHIFT)
LOSE, GAIN = Key(ord("L"), CTRL), Key(ord("L"), CTRL_SHIFT)
TRAIL = Key(ord("T"), CTRL)
NEXT_PHASE = Key(ord("N"), ALT)
NEXT_UNMOVED, OVERVIEW = Key(ord("U"), ALT), Key(ord("O"), ALT)
NEXT_BATTLE, DISTANCE, HIDE = (Key(ord(letter), ALT) for letter in "YDK")
BOXES, PALETTE, CHARTS, FORCES = (Key(ord(letter), ALT) for letter in "BPCL")
ANNOUNCE = Key(ord("A"), ALT)
# not Alt+F, Alt+T and Alt+H, which open VASSAL's menus on some machines

FIXED: tuple[tuple[Key, str], ...] = (
    (ATTACK, "Attack this hex; on a hex already attacked: go on with that battle, unless it has its result"),
    (ADD_HEX, "Add this hex to the battle"),
    (JOIN, "Join the attack"),
    (LOSE, "Lose a step"),
    (GAIN, "Regain a step"),
    (ELIMINATE, "Eliminate: to the box of losses"),
    (RESTORE, "Restore: back from the losses"),
    (TRAIL, "Show or hide the movement trail"),
)
ODDS: tuple[tuple[Key, str], ...] = (
    (RESOLVE, "Resolve the battle: roll the die and look up the result"),
    (SHIFT_RIGHT, "Shift the odds one column to the right"),
    (SHIFT_LEFT, "Shift the odds one column to the left"),
    (HALF, "Count with half strength, or with full strength again"),
)
"""For games whose battles have odds."""
MODIFYING: tuple[tuple[Key, str], ...] = (
    (DIE_UP, "Modify the die of the battle by one more"),
    (DIE_DOWN, "Modify the die of the battle by one less"),
)
"""For games whose battles have die roll modifiers."""
TURN_OVER = Key(ord("F"), CTRL)
HIDING: tuple[tuple[Key, str], ...] = ((TURN_OVER, "Turn face up or down"),)
"""For games whose counters may be face down."""
OF_THE_WINDOW: tuple[tuple[Key, str], ...] = (
    (NEXT_PHASE, "Next phase"),
    (NEXT_UNMOVED, "Show the next unit that has not moved"),
    (NEXT_BATTLE, "Show the next battle that is not resolved"),
    (DISTANCE, "Distance: drag from hex to hex to count the hexes"),
    (HIDE, "Hide the counters, or show them again"),
    (OVERVIEW, "Overview of the map"),
    (ANNOUNCE, "Announce the current battle again"),
    (BOXES, "Boxes: reinforcements, losses, turn track"),
    (PALETTE, "Counters"),
    (CHARTS, "Charts"),
    (FORCES, "List of forces"),
)

VASSALS_OWN = "OSZQWN"
"""Letters that, with Ctrl, belong to VASSAL's menus or may do so."""

_MODIFIERS = {0: "", CTRL: "Ctrl+", CTRL_SHIFT: "Ctrl+Shift+", ALT: "Alt+"}
_WRITTEN = re.compile(r"(?:(ctrl)\+)?(?:(shift)\+)?(?:(alt)\+)?([A-Z0-9])", re.IGNORECASE)


@frozen
class Keys:
    """The keys of a game's states and declarations, by id."""

    states: dict[str, Key]
    declarations: dict[str, Key]


def keys_of(game: Game) -> Keys:
    """Assign a key to every state and declaration; the same game always gets the same keys."""
    taken = {(key.code, key.modifiers) for key, _ in (*FIXED, *ODDS, *MODIFYING, *_hiding(game))}
    taken |= {(ord(letter), CTRL) for letter in VASSALS_OWN}
    declarations: dict[str, Key] = {}
    made = [one for one in game.declarations.values() if one.kinds]
    for declaration in made:
        proposed = read_key(declaration.key)
        if proposed and (proposed.code, proposed.modifiers) not in taken:
            declarations[declaration.id] = proposed
            taken.add((proposed.code, proposed.modifiers))
    states = {}
    for state in game.states.values():
        if key := _free(state.title, CTRL, taken):
            states[state.id] = key
    for declaration in made:
        key = None if declaration.id in declarations else _free(declaration.title, CTRL_SHIFT, taken)
        if key:
            declarations[declaration.id] = key
    return Keys(states, declarations)


def declaring_key(game: Game, declaration: str) -> Key:
    """The key of a declaration, without letters if none was left for it."""
    return keys_of(game).declarations.get(declaration) or Key.named(f"told_tell_{declaration}")


def _free(title: str, modifiers: int, taken: set[tuple[int, int]]) -> Key | None:
    for letter in re.sub(r"[^A-Z]", "", title.upper()):
        if (ord(letter), modifiers) not in taken:
            taken.add((ord(letter), modifiers))
            return Key(ord(letter), modifiers)
    return None


def read_key(text: str) -> Key | None:
    """Parse a key as people write it: ``Ctrl+Shift+B``, or a letter for Ctrl and that letter."""
    match = _WRITTEN.fullmatch(text.replace(" ", ""))
    if match is None:
        return None
    ctrl, shift, alt, letter = match.groups()
    if alt:
        return None if ctrl or shift else Key(ord(letter.upper()), ALT)
    return Key(ord(letter.upper()), CTRL_SHIFT if shift else CTRL)


def show_key(key: Key) -> str:
    """A key as people write it."""
    return _MODIFIERS.get(key.modifiers, "") + chr(key.code)


def _fixed(game: Game) -> tuple[tuple[Key, str], ...]:
    odds = [table for table in game.tables.values() if table.ratios]
    modified = any(table.modifiers or table.beyond for table in odds)
    return (*FIXED, *(ODDS if odds else ()), *(MODIFYING if modified else ()), *_hiding(game))


def _hiding(game: Game) -> tuple[tuple[Key, str], ...]:
    return HIDING if any(kind.hidden for kind in game.kinds.values()) else ()


def listed(game: Game) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """All keys under their headings, as people write them, with their effects."""
    keys = keys_of(game)
    yield "Counters", tuple((show_key(key), text) for key, text in _fixed(game))
    states = [(show_key(key), game.states[state].title) for state, key in keys.states.items()]
    said = [
        (show_key(keys.declarations[one.id]), one.title)
        for one in game.declarations.values()
        if one.id in keys.declarations
    ]
    yield "States, on and off", tuple(states)
    yield "Declarations", tuple(said)
    yield "Window", tuple((show_key(key), text) for key, text in OF_THE_WINDOW)
