"""What a step did to the table, as values: who, what, from where and to where.

A step's events are in the order in which VASSAL executed its commands. Pieces are identified by id and by the
name that a viewer sees.
"""

from __future__ import annotations

from attrs import field, frozen

OFFBOARD = "offboard"
"""VASSAL's name for any place outside the boards. [build.module.Map.locationName]"""


@frozen
class Spot:
    """A place: the map, pixels at 100%, and the location's name if the module is given."""

    map: str | None
    x: int
    y: int
    location: str | None = None

    def __str__(self) -> str:
        return "off the maps" if self.map is None else f"{self.place} ({self.map})"

    @property
    def place(self) -> str:
        """The location's name, or the coordinates if no module names it."""
        return f"{self.x},{self.y}" if self.location in (None, OFFBOARD) else str(self.location)


def path(origin: Spot, target: Spot) -> str:
    """From one spot to another, with the map only once if it is the same."""
    if origin.map != target.map or origin.map is None:
        return f"from {origin} to {target}"
    return f"from {origin.place} to {target}"


@frozen
class Subject:
    """A piece, stack or deck in an event."""

    id: str
    name: str

    def __str__(self) -> str:
        return self.name or "?"


@frozen(kw_only=True)
class Event:
    """Something that happened."""


@frozen(kw_only=True)
class Moved(Event):
    """A piece moved. ``dragged`` is the piece or stack in the command."""

    piece: Subject
    origin: Spot
    target: Spot
    dragged: str

    def __str__(self) -> str:
        return f"{self.piece} moved {path(self.origin, self.target)}"


@frozen(kw_only=True)
class Restacked(Event):
    """The order or membership of a stack changed without a move; names from bottom to top."""

    stack: Subject
    at: Spot
    members: tuple[str, ...]

    def __str__(self) -> str:
        return f"stack at {self.at} is now, from the bottom: {', '.join(self.members)}"


@frozen(kw_only=True)
class Added(Event):
    """A piece appeared: from a palette, by a trait, or by undoing a removal."""

    piece: Subject
    at: Spot

    def __str__(self) -> str:
        return f"{self.piece} appeared at {self.at}"


@frozen(kw_only=True)
class Removed(Event):
    """A piece was deleted."""

    piece: Subject
    at: Spot

    def __str__(self) -> str:
        return f"{self.piece} was removed from {self.at}"


@frozen(kw_only=True)
class LayerChanged(Event):
    """A layer shows another level (from 1), or was turned on or off: a flip, a step, a state."""

    piece: Subject
    layer: str
    old: int
    new: int
    active: bool
    level_name: str = ""

    def __str__(self) -> str:
        name = self.level_name.strip(" ()")
        level = f"level {self.new}" + (f" ({name})" if name else "")
        return f"{self.piece}: layer {self.layer or '?'} is now {level if self.active else 'off'}"


@frozen(kw_only=True)
class PropertyChanged(Event):
    """A dynamic property of a piece has a new value. ``shows``: a layer of the piece depends on it."""

    piece: Subject
    name: str
    old: str
    new: str
    shows: bool = False

    def __str__(self) -> str:
        return f"{self.piece}: {self.name} changed from {self.old!r} to {self.new!r}"


@frozen(kw_only=True)
class Rotated(Event):
    """A piece was rotated. ``state`` is VASSAL's: the index of the facing, or an angle."""

    piece: Subject
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.piece} was rotated from {self.old} to {self.new}"


@frozen(kw_only=True)
class Labelled(Event):
    """A piece has a new text label."""

    piece: Subject
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.piece}: label changed from {self.old!r} to {self.new!r}"


@frozen(kw_only=True)
class MarkedMoved(Event):
    """A piece's "moved" mark was set or cleared."""

    piece: Subject
    moved: bool

    def __str__(self) -> str:
        return f"{self.piece} was marked {'moved' if self.moved else 'not moved'}"


@frozen(kw_only=True)
class Hidden(Event):
    """A piece was masked or made invisible, or shown again (``by`` is None)."""

    piece: Subject
    how: str
    by: str | None

    def __str__(self) -> str:
        return f"{self.piece} was {f'{self.how} by {self.by}' if self.by is not None else f'un{self.how}'}"


@frozen(kw_only=True)
class StateChanged(Event):
    """The state of any other trait changed; ``code`` is the trait's."""

    piece: Subject
    code: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.piece}: {self.code} changed"


@frozen(kw_only=True)
class DeckChanged(Event):
    """A deck was shuffled, turned, dealt from or added to; ``cards`` is the number of cards in it."""

    deck: Subject
    cards: int
    face_down: bool

    def __str__(self) -> str:
        return f"deck {self.deck} holds {self.cards} cards, face {'down' if self.face_down else 'up'}"


@frozen(kw_only=True)
class Rolled(Event):
    """A dice button was pressed. ``faces`` are the results as logged, ``total`` is their sum if it was
    logged.
    """

    dice: str
    faces: tuple[str, ...]
    total: str | None = None

    def __str__(self) -> str:
        total = f", in all {self.total}" if self.total is not None and len(self.faces) > 1 else ""
        return f"{self.dice} rolled {', '.join(self.faces)}{total}"


@frozen(kw_only=True)
class GlobalChanged(Event):
    """A property of the module, a map or a zone has a new value; ``container`` is its owner."""

    name: str
    old: str
    new: str
    container: str

    def __str__(self) -> str:
        place = "" if self.container in ("", "Module") else f" of {self.container}"
        return f"{self.name}{place} changed from {self.old!r} to {self.new!r}"


@frozen(kw_only=True)
class TurnChanged(Event):
    """A turn track shows another turn; texts as players see them, if the module is given."""

    tracker: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"turn track: {self.old} → {self.new}"


@frozen(kw_only=True)
class Chatted(Event):
    """A player's chat message."""

    text: str

    def __str__(self) -> str:
        return f"said: {self.text}"


@frozen(kw_only=True)
class Reported(Event):
    """A line the module or VASSAL itself put into the chat."""

    text: str

    def __str__(self) -> str:
        return f"report: {self.text}"


@frozen(kw_only=True)
class Seated(Event):
    """A player took a side, or left it (``side`` is None)."""

    player: str
    side: str | None

    def __str__(self) -> str:
        return f"{self.player} {f'took side {self.side}' if self.side is not None else 'left the seat'}"


@frozen(kw_only=True)
class NotesChanged(Event):
    """Notes were edited. Private and delayed notes are named, not quoted."""

    kind: str

    def __str__(self) -> str:
        return f"{self.kind} were edited"


@frozen(kw_only=True)
class Pointed(Event):
    """A flare or a line of sight was displayed."""

    how: str
    at: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.how} at {self.at[0]},{self.at[1]}"


@frozen(kw_only=True)
class Odd(Event):
    """A command that could not be carried out, and why.

    ``failed``: the error is in this program, not in the log.
    """

    why: str
    failed: bool = False

    def __str__(self) -> str:
        return f"odd: {self.why}"


@frozen(kw_only=True)
class Contradicted(Event):
    """A command states an earlier state of a piece that differs from what the log has led to.

    Something was done outside the log, or the log lost it. ``part`` is ``place``, ``members`` (of a stack or
    deck, the ids), or the code of a trait, of which ``stated`` and ``found`` are states.
    """

    piece: Subject
    part: str
    stated: Spot | str
    found: Spot | str

    def __str__(self) -> str:
        if self.part == "place":
            return f"odd: the log says {self.piece} was at {self.stated}; it was at {self.found}"
        if self.part == "members":
            return f"odd: {self.piece}: {_order(str(self.stated), str(self.found))}"
        what = STATES.get(self.part, self.part)
        return f"odd: the log says {self.piece} had {what} {self.stated!r}; it had {self.found!r}"


STATES = {
    "emb2": "layer",
    "PROP": "property",
    "label": "label",
    "rotate": "facing",
    "hide": "invisibility",
    "obs": "mask",
    "markmoved": "moved mark",
}
"""Descriptions of the traits that are contradicted most often, by code."""


def _order(stated: str, found: str) -> str:
    """The stated and the actual contents of a stack."""
    was, now = ([part for part in text.split(", ") if part] for text in (stated, found))
    if sorted(was) == sorted(now):
        return "in another order than the log says"
    return f"the log says that {len(was)} pieces were together; these {len(now)} were"


@frozen(kw_only=True)
class Undone(Event):
    """A player undid an earlier step; ``step`` is its number if that is clear."""

    step: int | None
    events: tuple[Event, ...] = field(factory=tuple)

    def __str__(self) -> str:
        return f"took back step {self.step}" if self.step else "took an earlier step back"


@frozen(kw_only=True)
class Step:
    """One press of the step button: what was done, by which player, with which effects.

    ``number`` counts from 1; 0 is the position at the beginning of the log. ``player`` and ``side`` are None
    if the log does not say.
    """

    number: int
    player: str | None = None
    side: str | None = None
    events: tuple[Event, ...] = ()
    chat: tuple[str, ...] = ()
