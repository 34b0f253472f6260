"""What there is to know of a file.

``--json`` prints these values as they stand, :func:`as_json` makes them so: the names of the fields are the
keys. Names of fields are never changed or taken away, only added.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs
from attrs import frozen

Size = tuple[int, int]
"""Width and height in pixels."""


class FileKind(StrEnum):
    """What a file is."""

    MODULE = "module"
    EXTENSION = "extension"
    SAVE = "save"
    LOG = "log"


class FindingKind(StrEnum):
    """What may be wrong with a file, in the words in which it is reported."""

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
    """Something to know: the thing it is about, where it is, and what would be right.

    ``serious`` is what shows in play, or spoils old saves; the rest is for the module's author to know.
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
    (which run across and down the board), ``cell`` the pixels between columns and between rows, and the names
    of the ``first`` and ``last`` place, top left and bottom right; no names without a numbering. Regions and
    zones: the places themselves. ``background`` is the grid outside zones.
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
    """A zone. ``shares_grid`` is whether it has the grid around it instead of one of its own."""

    name: str
    grid: Gridding | None = None
    shares_grid: bool = False


@frozen
class BoardFacts:
    """A board. ``size`` is None if it could not be found out; ``in_play`` is whether a new game has it."""

    name: str
    image: str | None
    size: Size | None
    in_play: bool
    reversible: bool = False
    grid: Gridding | None = None


@frozen
class StackFacts:
    """An at-start stack or a deck: its map, its place there in pixels and by name, its pieces.

    ``board`` is the board it belongs to, if to one; ``position`` is None while that is not in play.
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
    """A piece to take from the palette: the name it is listed under, its id, the prototypes it names."""

    name: str
    id: str
    prototypes: tuple[str, ...] = ()


@frozen
class PaletteFacts:
    """A window of pieces or a part of it; ``count`` is how many pieces are in it and all parts."""

    name: str
    kind: str
    count: int
    pieces: tuple[PieceFacts, ...] = ()
    parts: tuple[PaletteFacts, ...] = ()


@frozen
class PrototypeFacts:
    """A prototype: which others it uses, and how many pieces, prototypes and set-ups use it."""

    name: str
    uses: tuple[str, ...] = ()
    used_by_pieces: int = 0
    used_by_prototypes: tuple[str, ...] = ()
    used_by_setups: int = 0


@frozen
class LevelFacts:
    """A level of a turn tracker: its words, or for one that counts where it starts (and ends, in a loop)."""

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
    """A dice button: how many dice, and of how many sides, or the faces of each.

    Dice with texts on their faces are all alike: their faces are reported once.
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
    """A chart or an entry of the help menu, and the file in the archive that it shows, if it is one."""

    name: str
    kind: str
    file: str | None = None


@frozen
class AdditionFacts:
    """What an extension adds: a component, and the name of the part of the module that it goes into."""

    what: str
    target: str


@frozen
class ImageFacts:
    """The images of a module: how many, their bytes, and the names of those that nothing uses.

    ``perhaps_unused`` are only used if a name that VASSAL builds in play should happen to be theirs.
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
    """A module by name and version; None for what is not known."""

    name: str | None
    version: str | None


@frozen
class PlayerFacts:
    """A player and the side taken; ``step`` is when: 0 at the start, else the step of the log."""

    name: str
    side: str
    step: int = 0


@frozen
class MapInPlay:
    """What a save has on a map (None: on none). Stacks with nothing in them do not count."""

    name: str | None
    boards: tuple[str, ...]
    pieces: int
    stacks: int
    decks: int
    cards: int


@frozen
class Activity:
    """What the steps of a log hold, of all players or of one.

    ``moves`` are commands that move a piece or stack, ``changes`` those that change one; ``added`` and
    ``removed`` are pieces, not stacks. ``chat`` are lines that players typed, ``reports`` those that VASSAL
    and the module wrote. ``undos`` are steps that take
    others back, and what stands in them counts for nothing else.
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
    """What one player did; ``player`` None is for the steps in which no name stands."""

    player: str | None
    activity: Activity


@frozen
class GameFacts:
    """A save or log. ``pieces`` counts all at the start, with cards in decks; a save has no ``activity``."""

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
    """An entry of the menu of set-ups: the ``menu`` it is in, and what its file holds.

    Without ``file`` a new game is set up from the module itself; ``game`` is None then, and where the file
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
    """The facts as an object of JSON; the kind, file and entry first."""
    values = attrs.asdict(facts)
    return {key: values.pop(key) for key in ("kind", "file", "entry")} | values
