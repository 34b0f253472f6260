"""The clerk, a piece that keeps track of battles and shows the status.

It is in one of the boxes. It does all adding up, looking up and announcing, so that the counters'
definitions, which are in every saved game, stay short.
"""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.announcements import (
    BATTLE,
    HALF,
    ROLE,
    BattleAdjusted,
    BattleCancelled,
    BattleDeclared,
    BattleResolved,
    dice_property,
)
from vassalgen.drawing.boards import Board
from vassalgen.game.conditions import Condition
from vassalgen.game.game import Game
from vassalgen.game.modifiers import Modified
from vassalgen.parts import checks, pictures
from vassalgen.parts.battle import (
    ANNOUNCE,
    APPEND_OPEN,
    ATTACK_SUM,
    CHANGED,
    CLEAR,
    COLUMN,
    CROWDED,
    DEFENCE_SUM,
    GIVE,
    KEPT,
    NEW_BATTLE,
    OPEN,
    RETREATS_DUE,
    UNRESOLVED,
    gifts,
    halves,
    is_decided,
    signed,
)
from vassalgen.parts.boxes import BoxesBoard
from vassalgen.parts.declarations import passing
from vassalgen.parts.delegation import Delegation, one_voice, quickly_parsed
from vassalgen.parts.dice import roll_key
from vassalgen.parts.ids import CLERK, LINE, PLATE
from vassalgen.parts.lookups import among
from vassalgen.parts.modifiers import EXPLAIN, FOLD, Modifiers
from vassalgen.parts.names import (
    CURRENT_BATTLE,
    MAIN,
    OUR_BATTLE,
    PRESSER,
    RESULT,
    STOP,
    TURN,
    UNMARK,
)
from vassalgen.parts.odds import Odds, Several, fights, odds_of
from vassalgen.parts.preferences import ANNOUNCE_CHANGES, KEEP_MOVED, LIST_OPEN, LOOK_UP_RESULT, chosen
from vassalgen.parts.states import recovering
from vassalgen.parts.trait_shorthand import (
    Part,
    call,
    command,
    global_,
    key,
    marks,
    on,
    report,
)
from vassalgen.parts.turn_track import NEW_PHASE
from vassalgen.templates import NO_UNITS, NOT_YET, quoted
from vassalgen.vassal.compounds import PropertyCommand
from vassalgen.vassal.expressions.brackets import without_brackets
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.global_hot_key import GlobalHotKey
from vassalgen.vassal.traits.immobilized import BandSelection, Immobilized, Movement
from vassalgen.vassal.traits.labeler import Labeler, LabelerState


def clerk(game: Game, gpid: str, *more: Part, delegation: Delegation | None = None) -> Piece:
    """The piece that keeps track of battles; ``more`` are further abilities, ``delegation`` is what it does
    for counters.
    """
    odds = odds_of(game)
    sums = {
        "attackers": f'(BAtk==""?{quoted(NOT_YET)}:" by "+BAtk)',
        "defenders": f'(BDef==""?{quoted(NO_UNITS)}:BDef)',
        "attack": halves(ATTACK_SUM),
        "defence": halves(DEFENCE_SUM),
    }
    modifiers = Modifiers(game)
    collect = modifiers.chain("gClr", "gCollD", "gCollA", *checks.collecting(game))
    column = ("gCol", "gOdds") if odds else ()
    explained = (EXPLAIN,) if modifiers.all else ()
    current, adjusts = f"{CURRENT_BATTLE}>0", bool(odds or gifts(game))
    said = {"battle": CURRENT_BATTLE, "side": PRESSER}
    shift, die = "BShift" + modifiers.worth("columns"), "BDie" + modifiers.worth("die")
    adjusted = {"shift": signed(shift), "attack": signed("BPlusA"), "defence": signed("BPlusD")}
    if odds and odds.modified:
        adjusted["modifier"] = signed(odds.modifier("BCol", die))
    own: tuple[Part, ...] = (
        report("sayDeclared", BattleDeclared.expression(**said, **sums)),
        *((report("sayAdjusted", BattleAdjusted.expression(**said, **adjusted)),) if adjusts else ()),
        report("sayCancelled", BattleCancelled.expression(**said)),
        command("", "ckNew", NEW_BATTLE, "gClr"),
        command("", CHANGED, ANNOUNCE, when=chosen(ANNOUNCE_CHANGES)),
        command("", CHANGED, *collect, *column, when=f"{current}&&!({chosen(ANNOUNCE_CHANGES)})"),
        command("", ANNOUNCE, *collect, *column, "sayDeclared", *explained, when=current),
        *((command("", checks.SUM, *collect, *column, when=current),) if checks.checked_dice(game) else ()),
        *(
            (command("", "ckAdj", *collect, *column, "sayAdjusted", *explained, when=current),)
            if adjusts
            else ()
        ),
        *(command("", GIVE[way], f"{GIVE[way]}0", "ckAdj", when=current) for way in gifts(game)),
        *(
            call(f"{GIVE[way]}0", f"{GIVE[way]}1", when=f'{ROLE}=="D"', where=OUR_BATTLE)
            for way in gifts(game)
        ),
        command("", "ckCan", "sayCancelled", "gCan", "gZero", when=current),
        command("", NEW_PHASE, *_phase_over(game), "gZero"),
        *_left_open(game),  # further in, and therefore before that
        command("", "gMoved", "gUnmark", when=f"!({chosen(KEEP_MOVED)})"),
        call("gUnmark", UNMARK, where=("Moved", "true")),
        *(
            call(f"gOver{place}", cleared, where=(name, "0"), above=True, when=among(kinds, "Kind"))
            for place, ((name, cleared), kinds) in enumerate(_left_over(game).items(), 1)
        ),
        *(_resolving(odds, (*collect, *column), explained, (shift, die)) if odds else ()),
        call("gCollA", "appA", when=f'{ROLE}=="A"', where=OUR_BATTLE),
        call("gCollD", "appD", when=f'{ROLE}=="D"', where=OUR_BATTLE),
        call("gCan", CLEAR, where=OUR_BATTLE),
        *((call("gOdds", "setOdds", when=f'{ROLE}=="D"', where=OUR_BATTLE),) if odds else ()),
        global_(CURRENT_BATTLE, on(NEW_BATTLE, "{BattleCount+1}"), on("gZero", "0")),
        global_("BattleCount", on(NEW_BATTLE, f"{{{CURRENT_BATTLE}}}")),
        global_("BAtk", on("gClr", ""), on("gZero", ""), numeric=False),
        global_("BDef", on("gClr", ""), on("gZero", ""), numeric=False),
        *(
            global_(name, on("gClr", "0"), on("gZero", "0"), *_folded(modifiers, name))
            for name in ("BAF", "BDF", *KEPT)
        ),
        *modifiers.clerk(),
        *checks.keeping_sums(game),
        *recovering(game),
        *more,
    )
    if delegation is not None:
        own = delegation.reaching(own)
        own = (*own, *delegation.reaching(delegation.clerk()))
    return Piece.of(
        *quickly_parsed(one_voice(own)),
        marks({"CID": CLERK, "IsClerk": "1", "Side": "-", "Fights": "0", BATTLE: "0"}),
        Immobilized(band_selection=BandSelection.NEVER, movement=Movement.NEVER),
        (BasicPiece(image="", name="Clerk"), BasicPieceState(gpid=gpid)),
    )


def plate(game: Game, gpid: str) -> Piece:
    """The piece that shows the status.

    It is not the clerk, because VASSAL determines the look of a piece at every key that the piece receives.
    """
    odds, modifiers = odds_of(game), Modifiers(game)
    shift, die = "BShift" + modifiers.worth("columns"), "BDie" + modifiers.worth("die")
    return Piece.of(
        *_status(odds, shift, die),
        *_dice(game, odds),
        marks({"CID": PLATE, "Side": "-", "Fights": "0"}),
        Immobilized(band_selection=BandSelection.NEVER, movement=Movement.NEVER),
        (BasicPiece(image=pictures.CLERK, name="Status"), BasicPieceState(gpid=gpid)),
    )


def status_line(game: Game, gpid: str) -> Piece:
    """The piece that shows the phase and the current battle in one line above the board."""
    modifiers = Modifiers(game)
    phase, battle = _lines(
        odds_of(game), "BShift" + modifiers.worth("columns"), "BDie" + modifiers.worth("die")
    )
    size = Board(game).status[2]
    line = f'{{{phase}+"        "+{battle}}}'
    return Piece.of(
        (_label("Line", size, 1, 0), LabelerState(label=line)),
        marks({"CID": LINE, "Side": "-", "Fights": "0"}),
        Immobilized(band_selection=BandSelection.NEVER, movement=Movement.NEVER),
        (BasicPiece(image="", name="Status line"), BasicPieceState(gpid=gpid)),
    )


def _left_open(game: Game) -> tuple[Part, ...]:
    """When a phase ends the clerk lists what is unfinished: battles without a result, units that have not
    moved since a result that requires a retreat, overstacked units.
    """
    if not is_decided(game):
        return ()
    crowded, retreats = tuple(_crowded(game)), tuple(_retreats_due(game))
    stacks = tuple(f"gStack{place}" for place in range(1, len(crowded) + 1))
    due = tuple(f"gOwe{place}" for place in range(1, len(retreats) + 1))
    lists = (*stacks, "gStacked", "gOpenNone", *due, "gOwed", "gOpenNone", "gOpen")
    said = "+".join(
        f'({name}==""?"":{quoted(text)}+{name}+".")'
        for text, name in (
            (" No result yet: attack on ", OPEN),
            (" Not moved since a result that asks for a retreat: ", RETREATS_DUE),
            (" Over the stacking limit: ", CROWDED),
        )
    )
    return (
        report("sayOpen", f"{{({said}).substring(1)}}"),
        command("", "gOpenSay", "sayOpen", when=f'{OPEN}+{CROWDED}+{RETREATS_DUE}!=""'),
        command("", NEW_PHASE, "gOpenNone", *lists, "gOpenSay", when=chosen(LIST_OPEN)),
        call("gOpen", APPEND_OPEN, when=UNRESOLVED, where=(BATTLE, "0"), above=True),
        *(
            call(name, APPEND_OPEN, when=when, where=("Side", side))
            for name, (side, when) in zip(stacks, crowded, strict=True)
        ),
        *(
            call(name, APPEND_OPEN, when=when, where=(BATTLE, "0"), above=True)
            for name, when in zip(due, retreats, strict=True)
        ),
        global_(RETREATS_DUE, on("gOwed", f"{{{OPEN}}}"), numeric=False),
        global_(CROWDED, on("gStacked", f"{{{OPEN}}}"), numeric=False),
        global_(OPEN, on("gOpenNone", ""), numeric=False),
    )


def _retreats_due(game: Game) -> Iterator[str]:
    """For attackers and defenders: the condition that a unit must retreat by a result and has not moved."""
    odds = odds_of(game)
    for role, who in (("A", "attackers"), ("D", "defenders")):
        found = sorted(
            {cell for table, cell in odds.cells if who in table.who_retreats(cell)} if odds else ()
        )
        if found:
            results = quoted("~" + "~".join(found) + "~")  # a bar may stand in them
            there = f"CurrentMap=={quoted(MAIN)}&&Moved==false"
            yield f'{ROLE}=={quoted(role)}&&{there}&&{results}.contains("~"+{RESULT}+"~")'


def _crowded(game: Game) -> Iterator[tuple[str, str]]:
    """For each side and each limit that applies in all hexes: the side, and the condition that a unit is over
    it.
    """
    there = on_hexes(game)
    for limit in game.stacking:
        if limit.hexes != Condition() or limit.not_with:
            continue
        of = among([kind for kind in limit.kinds if fights(game, kind)], "Kind")
        turns = f"&&{among(map(str, limit.turns), TURN)}" if limit.turns else ""
        for side in game.sides.values():
            if limit.side in ("", side.id):
                counted = quoted(f"{{Side=={quoted(side.title)}&&{of}}}")
                free = f'-(SumLocation("{limit.one_free}",{counted})>0?1:0)' if limit.one_free else ""
                over = f'SumLocation("Stack",{counted}){free}>{limit.limit}'
                yield side.title, f"{of}&&{there}{turns}&&{over}"


def on_hexes(game: Game) -> str:
    """The condition that a counter is in a hex.

    At the edges of the board VASSAL's grid has other places, where players lay the dead.
    """
    layout = Board(game).layout
    near = layout.across / 4
    within = (
        f"Current{axis}>{min(found) - near:.0f}&&Current{axis}<{max(found) + near:.0f}"
        for axis, found in zip("XY", zip(*layout.centres, strict=True), strict=True)
    )
    return "&&".join((f"CurrentMap=={quoted(MAIN)}", *within))


def _left_over(game: Game) -> dict[tuple[str, str], tuple[str, ...]]:
    """What a phase leaves on counters: the property, the key that clears it, and the kinds that have it."""
    fighters = tuple(kind for kind in game.kinds if fights(game, kind))
    return {(BATTLE, CLEAR): fighters, (HALF, CLEAR): fighters, **passing(game)}


def _phase_over(game: Game) -> tuple[str, ...]:
    """The keys with which the clerk clears what the phase has left."""
    return ("gMoved", *(f"gOver{place}" for place in range(1, len(_left_over(game)) + 1)))


def _folded(modifiers: Modifiers, name: str) -> tuple[PropertyCommand, ...]:
    """Adds what is calculated from the board to the sums of the factors."""
    to: Modified | None = {"BAF": "attack", "BDF": "defence"}.get(name)  # type: ignore[assignment]
    more = modifiers.times(to) + modifiers.worth(to) if to else ""
    return (on(FOLD, f"{{{name}{more}}}"),) if more else ()


def _resolving(
    odds: Odds | Several, collect: tuple[str, ...], explained: tuple[str, ...], changed: tuple[str, str]
) -> tuple[Part, ...]:
    """``changed`` are the expressions for the shift and for the die roll modifiers."""
    shift, die = changed
    column, modifier = odds.column(ATTACK_SUM, DEFENCE_SUM, shift), odds.modifier("BCol", die)
    more = {"modifier": signed(modifier)} if odds.modified else {}
    resolved = BattleResolved.expression(
        battle=CURRENT_BATTLE,
        side=PRESSER,
        attack=halves(ATTACK_SUM),
        defence=halves(DEFENCE_SUM),
        shift=signed(shift),
        column=odds.title("BCol"),
        faces=odds.faces,
        result="BRes",
        **more,
    )
    return (
        report("sayResolved", resolved),
        command("", "sayLate", "sayDeclared", when=f"!({chosen(ANNOUNCE_CHANGES)})"),
        command("", "lookUp", "gTab", "sayResolved", "gTell", when=chosen(LOOK_UP_RESULT)),
        command("", "ckRes", *collect, "sayLate", *explained, "gDie", "lookUp", when=f"{CURRENT_BATTLE}>0"),
        *_rolling(odds),
        call("gTell", "setRes", where=OUR_BATTLE),
        global_("BRes", on("gTab", f"{{{odds.result('BCol', modifier)}}}"), numeric=False),
        global_("BCol", on("gCol", f"{{{column}}}")),
        global_(COLUMN, on("gOdds", f"{{{odds.title('BCol')}}}"), numeric=False),
    )


def _rolling(odds: Odds | Several) -> Iterator[Part]:
    """Rolls the dice of the battle, according to its kind."""
    if len(odds.rolls) == 1:
        yield GlobalHotKey(text="", key=key("gDie"), sent_key=roll_key(odds.dice.id))
        return
    for place, (when, dice) in enumerate(odds.rolls, 1):
        yield command("", "gDie", f"gDie{place}", when=when)
        yield GlobalHotKey(text="", key=key(f"gDie{place}"), sent_key=roll_key(dice.id))


def _lines(odds: Odds | Several | None, shift: str, die: str) -> tuple[str, str]:
    """The expressions for the status: the phase, and the current battle.

    VASSAL parses them whenever a game is loaded, so the column is the one that the clerk has calculated.
    """
    line = f'"Battle "+{CURRENT_BATTLE}+"    "+{halves(ATTACK_SUM)}+" : "+{halves(DEFENCE_SUM)}'
    if odds:
        line += f'+"    shift "+{signed(shift)}+"    column "+{odds.title("BCol")}'
        if odds.modified:
            line += f'+"    die "+{signed(odds.modifier("BCol", die))}'
    battle = without_brackets(f'{CURRENT_BATTLE}==0?"No current battle":{line}')
    return f'"Turn "+{TURN}+"    "+{STOP}', f"({battle})"


def _label(name: str, size: int, style: int, offset: int) -> Labeler:
    return Labeler(
        text="",
        font_size=size,
        font_style=style,
        colour=(40, 34, 24),
        vertical_position="c",
        vertical_justification="c",
        vertical_offset=offset,
        name_format="$pieceName$",
        property_name=name,
        always_format=True,
    )


def _status(odds: Odds | Several | None, shift: str, die: str) -> tuple[Part, ...]:
    """Two lines: the phase, and the current battle."""
    looks = ((20, 1, -17), (18, 0, 15))
    return tuple(
        (_label(f"Line{place}", *look), LabelerState(label=f"{{{line}}}"))
        for place, (line, look) in enumerate(zip(_lines(odds, shift, die), looks, strict=True), 1)
    )


def _dice(game: Game, odds: Odds | Several | None) -> tuple[Part, ...]:
    """The dice last rolled on the combat table, as pictures at the right end of the plate."""
    faces = ("", *(pictures.die_picture(face) for face in range(1, 7)))
    found: list[Part] = []
    count = pictures.dice_in_pictures(odds)
    for place in range(count):
        rolled = f'("#"+{dice_property(odds.dice.id)}_result+"######")' if odds else ""
        face = f'"#123456".indexOf({rolled}.substring({1 + 2 * place},{2 + 2 * place}))+1'
        right = BoxesBoard(game).status_size[0] // 2 - 44 - 72 * (count - 1 - place)
        found.append(
            Embellishment(
                name=f"die_{place + 1}",
                images=faces,
                x_offset=right,
                follow_expression=True,
                expression=f"{{{face}}}",
                legacy_activate_key="",
            )
        )
    return tuple(found)
