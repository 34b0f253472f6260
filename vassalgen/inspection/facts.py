"""The facts about a file.

``--json`` prints these values as they are, by :func:`as_json`: the names of the fields are the keys. Fields
are never renamed or removed, only added.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs
from attrs import frozen

Size = tuple[int, int]
"""Width and height in pixels."""


class FileKind(StrEnum):
    """The kind of a file."""

    MODULE = "module"
    EXTENSION = "extension"
    SAVE = "save"
    LOG = "log"


class FindingKind(StrEnum):
    """The kinds of problems in a file, in the words in which they are reported."""

    MISSING_IMAGE = "missing image"
    UNREADABLE_IMAGE = "unreadable image"
    MISSING_FILE = "missing file"
    MISSING_PROTOTYPE = "missing prototype"
    CIRCULAR_PROTOTYPE = "prototype that uses itself"
    DUPLICATE_NAME = "name given twice"
    MISSING_PIECE = "missing piece slot"
    BROKEN_PIECE = "broken piece definition"
    DUPLICATE_PIECE_ID = "duplicate piece id"
    BAD_PIECE_ID = "piece id that is not a number"
    NO_PIECE_ID = "no piece id"
    LATE_PIECE_ID = "piece id still to be given"
    BAD_VALUE = "value VASSAL cannot read"
    UNKNOWN_WORD = "word VASSAL does not know"
    UNKNOWN_LOCATION = "unknown grid location"
    UNKNOWN_BOARD = "unknown board"
    OFF_MAP = "at-start stack off the map"
    BROKEN_SETUP = "broken set-up"
    BROKEN_COMMAND = "broken command"
    BROKEN_METADATA = "broken metadata"
    GRID = "grid"
    UNUSED_IMAGE = "unused image"
    PERHAPS_UNUSED_IMAGE = "image that is perhaps unused"
    UNUSED_PROTOTYPE = "unused prototype"
    UNKNOWN_CLASS = "unknown component"
    UNKNOWN_TRAIT = "unknown trait"
    UNKNOWN_COMMAND = "unknown command"
    OUTSIDE = "not in this file"


@frozen
class Finding:
    """A problem or remark: the thing it is about, where it is, and what would be right.

    ``serious`` findings affect play or break old saves; the others are information for the module's author.
    """

    kind: FindingKind
    what: str
    places: tuple[str, ...] = ()
    right: str = ""
    serious: bool = True


@frozen
class Gridding:
    """How a board or a zone is divided.

    ``kind`` is ``hexes``, ``squares``, ``regions`` or ``zones``. Hexes and squares: ``columns`` and ``rows``
    (across and down the board), ``cell`` the pixels between columns and between rows, and the names of the
    ``first`` and ``last`` place, top left and bottom right; there are no names without a numbering. Regions
    and zones: the places themselves. ``background`` is the grid outside the zones.
    """

    kind: str
    columns: int = 0
    rows: int = 0
    cell: tuple[float, float] | None = None
    sideways: bool = False
    first: str | None = None
    last: str | None = None
    regions: tuple[str, ...] = ()
    zones: tuple[ZoneFacts, ...] = ()
    background: Gridding | None = None


@frozen
class ZoneFacts:
    """A zone. ``shares_grid``: it uses the grid around it instead of one of its own."""

    name: str
    grid: Gridding | None = None
    shares_grid: bool = False


@frozen
class BoardFacts:
    """A board. ``size`` is None if it is unknown; ``in_play``: a new game uses it."""

    name: str
    image: str | None
    size: Size | None
    in_play: bool
    reversible: bool = False
    grid: Gridding | None = None


@frozen
class StackFacts:
    """An at-start stack or a deck: its map, its place there in pixels and by name, its pieces.

    ``board`` is the board that it belongs to, if any; ``position`` is None while that board is not in play.
    """

    name: str
    map: str
    board: str | None
    position: tuple[int, int] | None
    location: str | None
    pieces: tuple[str, ...]


@frozen
class MapFacts:
    """A map. ``kind`` is ``map``, ``private map``, ``hand`` or ``chart map``; ``sides`` own a private one."""

    name: str
    kind: str
    size: Size
    edge: Size
    boards: tuple[BoardFacts, ...]
    stacks: tuple[StackFacts, ...] = ()
    decks: tuple[StackFacts, ...] = ()
    sides: tuple[str, ...] = ()


@frozen
class PieceFacts:
    """A piece in the palette: the name under which it is listed, its id, and the prototypes that it names."""

    name: str
    id: str
    prototypes: tuple[str, ...] = ()


@frozen
class PaletteFacts:
    """A window of pieces or a part of it; ``count`` is the number of pieces in it and all its parts."""

    name: str
    kind: str
    count: int
    pieces: tuple[PieceFacts, ...] = ()
    parts: tuple[PaletteFacts, ...] = ()


@frozen
class PrototypeFacts:
    """A prototype: the prototypes that it uses, and how many pieces, prototypes and set-ups use it."""

    name: str
    uses: tuple[str, ...] = ()
    used_by_pieces: int = 0
    used_by_prototypes: tuple[str, ...] = ()
    used_by_setups: int = 0


@frozen
class LevelFacts:
    """A level of a turn tracker: its words or, if it counts, where it starts (and ends, in a loop)."""

    name: str
    words: tuple[str, ...] | None = None
    start: int = 1
    last: int | None = None
    levels: tuple[LevelFacts, ...] = ()


@frozen
class TrackerFacts:
    """A turn tracker."""

    name: str
    levels: tuple[LevelFacts, ...] = ()


@frozen
class DiceFacts:
    """A dice button: how many dice, and the number of sides or the faces of each.

    Dice with texts on their faces are identical: their faces are reported once.
    """

    name: str
    count: int
    sides: int | None = None
    faces: tuple[tuple[str, ...], ...] = ()


@frozen
class PropertyFacts:
    """A global property: of the module (``container`` None), of a map, or of a zone (``map:zone``)."""

    name: str
    value: str
    container: str | None = None


@frozen
class DocumentFacts:
    """A chart or an entry of the help menu, and the file in the archive that it shows, if any."""

    name: str
    kind: str
    file: str | None = None


@frozen
class AdditionFacts:
    """What an extension adds: a component, and the name of the part of the module to which it is added."""

    what: str
    target: str


@frozen
class ImageFacts:
    """The images of a module: their number and bytes, and the names of unused ones.

    ``perhaps_unused`` are used only if a name that VASSAL builds during play happens to be theirs.
    """

    count: int
    bytes: int
    unused: tuple[str, ...] = ()
    perhaps_unused: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@frozen
class Versions:
    """Who made a file and when. ``saved`` is a time in UTC: ``2024-11-20T18:05:00Z``."""

    vassal: str | None = None
    saved: str | None = None
    comments: str | None = None


@frozen
class ModuleName:
    """A module by name and version; None if unknown."""

    name: str | None
    version: str | None


@frozen
class PlayerFacts:
    """A player and the side taken; ``step`` is when: 0 at the start, otherwise the step of the log."""

    name: str
    side: str
    step: int = 0


@frozen
class MapInPlay:
    """What a saved game has on a map (None: on no map). Empty stacks do not count."""

    name: str | None
    boards: tuple[str, ...]
    pieces: int
    stacks: int
    decks: int
    cards: int


@frozen
class Activity:
    """The contents of the steps of a log, for all players or for one.

    ``moves`` are commands that move a piece or stack, ``changes`` those that change one; ``added`` and
    ``removed`` are pieces, not stacks. ``chat`` are lines that players typed, ``reports`` those that VASSAL
    and the module wrote. ``undos`` are steps that undo others; their contents are not counted otherwise.
    """

    steps: int = 0
    moves: int = 0
    changes: int = 0
    added: int = 0
    removed: int = 0
    rolls: int = 0
    turns: int = 0
    chat: int = 0
    reports: int = 0
    undos: int = 0


@frozen
class PlayerActivity:
    """What one player did; ``player`` None is for the steps without a name."""

    player: str | None
    activity: Activity


@frozen
class GameFacts:
    """A saved game or log. ``pieces`` counts all pieces at the start, including cards in decks; a saved game
    has no ``activity``.
    """

    kind: FileKind
    stored: str
    module: ModuleName
    made: Versions
    players: tuple[PlayerFacts, ...]
    maps: tuple[MapInPlay, ...]
    pieces: int
    commands: int
    turns: tuple[str, ...]
    properties: int
    notes: tuple[str, ...]
    extensions: tuple[ModuleName, ...]
    activity: Activity | None
    by_player: tuple[PlayerActivity, ...]
    findings: tuple[Finding, ...]
    file: str = ""
    entry: str = ""


@frozen
class SetupFacts:
    """An entry of the menu of set-ups: the ``menu`` in which it is, and the contents of its file.

    Without ``file`` a new game is set up from the module itself; ``game`` is None then, and also if the file
    cannot be read.
    """

    name: str
    menu: str
    file: str | None
    game: GameFacts | None


@frozen
class ModuleFacts:
    """A module or an extension; ``extends`` is the module of an extension, ``adds`` what it adds to it."""

    kind: FileKind
    name: str
    version: str
    description: str
    made: Versions
    extends: ModuleName | None
    maps: tuple[MapFacts, ...]
    sides: tuple[str, ...]
    palette: tuple[PaletteFacts, ...]
    prototypes: tuple[PrototypeFacts, ...]
    setups: tuple[SetupFacts, ...]
    turn_trackers: tuple[TrackerFacts, ...]
    dice: tuple[DiceFacts, ...]
    properties: tuple[PropertyFacts, ...]
    charts: tuple[DocumentFacts, ...]
    help: tuple[DocumentFacts, ...]
    images: ImageFacts
    sounds: tuple[str, ...]
    own_classes: tuple[str, ...]
    adds: tuple[AdditionFacts, ...]
    findings: tuple[Finding, ...]
    file: str = ""
    entry: str = ""


Facts = ModuleFacts | GameFacts


def as_json(facts: Facts) -> dict[str, Any]:
    """The facts as a JSON object; kind, file and entry first."""
    values = attrs.asdict(facts)
    return {key: values.pop(key) for key in ("kind", "file", "entry")} | values
