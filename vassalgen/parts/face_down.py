"""Face-down counters: the mask, the command that turns them, and their names in announcements.

A side's counters may be seen and turned by its own players and by a solitaire player. The mask is only around
the face, the steps and the factors: battles, states and moves are outside it, because all players' commands
must reach them.
"""

from __future__ import annotations

from vassalgen.announcements import CID, Turned
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.parts import keys, pictures
from vassalgen.parts.names import COUNTER, PRESSER, SOLITAIRE
from vassalgen.parts.trait_shorthand import Part, command, hidden, key, report
from vassalgen.templates import FACE_DOWN, located, named, quoted
from vassalgen.vassal.compounds import Access, Owner
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.traits.obscurable import IMAGE, MaskStyle, Obscurable, ObscurableState, Unmasking
from vassalgen.vassal.traits.use_prototype import UsePrototype

MASKED = "ObscuredToOthers==true"
"""True of face-down counters, for all players."""
UNSEEN = "Obscured==true"
"""True of counters that the player at this screen may not see."""
_TURN = "turnOver"
_NAME = f"({MASKED}?{quoted(FACE_DOWN.name)}:BasicName)"
_LISTED = f"({UNSEEN}?{quoted(FACE_DOWN.name)}:BasicName)"
_ID = f"({MASKED}?{quoted(FACE_DOWN.id)}:{CID})"


def hides(game: Game) -> bool:
    """Whether counters of a game may be face down."""
    return any(kind.hidden for kind in game.kinds.values())


def counter_of(game: Game) -> str:
    """The expression for a counter as all players may know it."""
    return named(_NAME, _ID) if hides(game) else COUNTER


def counted(game: Game, name: str, kind: str = "") -> str:
    """The expression for the value of a property that counts, for one kind of counter or any: 0 while face
    down.
    """
    may_hide = game.kinds[kind].hidden if kind else hides(game)
    return f"({MASKED}?0:{name})" if may_hide else name


def here(game: Game) -> str:
    """The expression for a counter, as all players may know it, and its place."""
    return located(counter_of(game), "LocationName")


def name_listed(game: Game) -> str:
    """The format for a counter's name as the player at this screen may see it."""
    return f"{{{_LISTED}}}" if hides(game) else "$BasicName$"


def listed(game: Game, *more: tuple[str, str]) -> str:
    """The format for a counter in a list, as the player at this screen may see it.

    ``more`` are texts, each with the property that follows it.
    """
    if not hides(game):
        return "$BasicName$ [$CID$]" + "".join(f"{text}${name}$" for text, name in more)
    return "{" + _LISTED + "".join(f"+{quoted(text)}+{name}" for text, name in more) + "}"


def prototype_of(game: Game, side: str) -> str:
    """The prototype of a side's counters that may be face down."""
    return f"Face down {game.sides[side].title}"


def prototypes(game: Game) -> dict[str, tuple[Part, ...]]:
    """The mask of the counters of each side."""
    return {prototype_of(game, side): (_mask(game, side),) for side in game.sides} if hides(game) else {}


def mask_of(game: Game) -> Part:
    """A mask like those of all sides."""
    return _mask(game, next(iter(game.sides)))


def _mask(game: Game, side: str) -> Part:
    return Obscurable(
        key=key(_TURN),
        image=pictures.back_picture(side),
        text="",
        style=MaskStyle(IMAGE, image=pictures.MASKED_PICTURE),
        mask_name=FACE_DOWN.name,
        access=Access(Owner.SIDES, (game.sides[side].title, SOLITAIRE)),
        auto_peek=False,
    )


def turning(game: Game, kind: str) -> tuple[Part, ...]:
    """The traits that turn a counter, for its own players."""
    if not game.kinds[kind].hidden:
        return ()
    way = f'{MASKED}?"down":"up"'
    said = Turned.expression(counter=located(COUNTER, "LocationName"), up=way, side=PRESSER)
    return (
        hidden("not theirs", f'{PRESSER}!=Side&&{PRESSER}!="{SOLITAIRE}"', keys.TURN_OVER),
        report("sayTurned", said),
        command("Turn face up or down", keys.TURN_OVER, _TURN, "sayTurned"),
    )


def covering(game: Game, counter: Counter) -> tuple[Part, ...]:
    """The traits that a counter needs to be turned face down."""
    covered = game.kinds[counter.kind].hidden and counter.side in game.sides
    return (UsePrototype(name=prototype_of(game, counter.side)),) if covered else ()


def turned_down(game: Game, counter: Counter, piece: Piece) -> Piece:
    """The whole piece face down, if that is possible."""
    if not covering(game, counter):
        return piece
    owner = game.sides[counter.side].title
    return piece.replace_state(Obscurable, ObscurableState(owner=owner, unmasking=Unmasking(override=False)))
