"""Battles: declaring, joining, adjusting and resolving them, and the clerk who keeps the books.

The clerk is a piece among the boxes. Counters hold the number of their battle and their role; all adding up,
looking up and talking is the clerk's, so that the counters' own definitions, which stand in every save, stay
short. Target first: an enemy counter opens the battle, then attackers join it.
"""

from __future__ import annotations

from vassalgen.announcements import (
    BATTLE,
    HALF,
    ROLE,
    BattleAdjusted,
    BattleCancelled,
    BattleDeclared,
    BattleLeft,
    BattleResolved,
    StrengthSet,
    dice_property,
    quoted,
)
from vassalgen.game.game import Game
from vassalgen.parts import checks, keys, pictures
from vassalgen.parts.boxes import BoxesBoard
from vassalgen.parts.dice import throw_key
from vassalgen.parts.face_down import here
from vassalgen.parts.names import (
    ACTIVE,
    BATTLE_AT_HAND,
    OF_CLERK,
    OUR_BATTLE,
    PRESSER,
    RESULT,
    STOP,
    TURN,
)
from vassalgen.parts.odds import Odds, odds_of
from vassalgen.parts.preferences import ANNOUNCE_CHANGES, LOOK_UP_RESULT, chosen
from vassalgen.parts.reckoning import FOLD, TAKE_TEST, TELL, Reckoning
from vassalgen.parts.turn_track import NEW_PHASE
from vassalgen.parts.wiring import (
    FIRST,
    LAST,
    Part,
    add,
    call,
    command,
    global_,
    hidden,
    key,
    marks,
    number,
    on,
    report,
    text,
)
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.compounds import PropertyCommand
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.emb2 import Embellishment
from vassalgen.vassal.traits.globalhotkey import GlobalHotKey
from vassalgen.vassal.traits.immob import BandSelection, Immobilized, Movement
from vassalgen.vassal.traits.label import Labeler, LabelerState
from vassalgen.vassal.traits.piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.prototype import UsePrototype
from vassalgen.vassal.traits.submenu import SubMenu

ODDS = "BattleOdds"
"""The column of the table on each defender, as it stands."""
UNRESOLVED = f'{BATTLE}>0&&{ROLE}=="D"&&({RESULT}=="-"||{RESULT}=="")'
"""Holds on defenders whose battle has no result yet."""
_OVER = f'{BATTLE}>0&&{RESULT}!="-"&&{RESULT}!=""&&Side!={ACTIVE}'
"""Holds on defenders whose battle has a result: they may be attacked anew."""
CALL_OFF = "bCancel"
"""The key at which a counter's battle is called off."""
CLEAR = "clrB"
"""The key that takes a counter out of its battle without a word."""
ANNOUNCE = "ckSay"
"""The key at which the clerk announces the battle at hand."""
_CHANGED = "ckHear"
_TAG = "Tag"
NEW_BATTLE = "gNew"
"""The key at which the clerk opens a battle."""

GIVEN = "BGiven"
"""What is given to the battle at hand: columns or pips of the die, by points of artillery or aviation."""
GIVE = {"columns": "gvShift", "die": "gvDie"}
"""The keys at which what is given is added to the battle at hand, and told."""
_SHIFT, _PLUS_A, _PLUS_D, _DIE = "MyShift", "MyAttack", "MyDefence", "MyDie"
_TEXTS = {"BAtk": "", "BDef": "", "BRes": ""}
_NUMBERS = ("BattleCount", "BAF", "BDF", "BShift", "BPlusA", "BPlusD", "BDie", "BCol", GIVEN)
_ADJUSTMENTS = (
    ("Shift right", keys.SHIFT_RIGHT, "shR", _SHIFT, 1),
    ("Shift left", keys.SHIFT_LEFT, "shL", _SHIFT, -1),
    ("Attack factors +1", None, "atU", _PLUS_A, 1),
    ("Attack factors -1", None, "atD", _PLUS_A, -1),
    ("Defence factors +1", None, "deU", _PLUS_D, 1),
    ("Defence factors -1", None, "deD", _PLUS_D, -1),
)
_DIE_ADJUSTMENTS = (
    ("Die +1", keys.DIE_UP, "diU", _DIE, 1),
    ("Die -1", keys.DIE_DOWN, "diD", _DIE, -1),
)
_KEPT = {_SHIFT: "BShift", _PLUS_A: "BPlusA", _PLUS_D: "BPlusD", _DIE: "BDie"}
_TAKES = {"columns": _SHIFT, "die": _DIE}
_ATTACK, _DEFENCE = "(BAF+2*BPlusA)", "(BDF+2*BPlusD)"


def properties(game: Game) -> tuple[GlobalProperty, ...]:
    """The properties of the module that the clerk writes in."""
    numbers = tuple(
        GlobalProperty(name=name, initial_value="0", is_numeric=True, min="-9999", max="9999")
        for name in (BATTLE_AT_HAND, *_NUMBERS)
    )
    texts = tuple(GlobalProperty(name=name, initial_value=value) for name, value in _TEXTS.items())
    return (*numbers, *texts, *Reckoning(game).properties(), *checks.properties(game))


def halves(expression: str) -> str:
    """The expression for a number that is counted in halves, as it is spoken of."""
    whole = f"({expression}-(({expression})%2))/2"
    return f'(""+({whole})+(({expression})%2==0?"":".5"))'


def adjustments(odds: Odds | None) -> tuple[tuple[str, Key | None, str, str, int], ...]:
    """What players may adjust of a battle: menu, key, name of the wiring, property, by how much."""
    if odds is None:
        return ()
    return (*_ADJUSTMENTS, *_DIE_ADJUSTMENTS) if odds.modified else _ADJUSTMENTS


def _signed(expression: str) -> str:
    return f'(({expression})<0?"":"+")+({expression})'


def common(game: Game) -> tuple[Part, ...]:
    """What every counter has, so that the last of several that join has the battle announced."""
    declared = (keys.declaring_key(game, one.id) for one in game.declarations.values() if one.joins)
    joining = (keys.ADD_HEX, keys.HALF, *declared)
    return (
        command("", keys.JOIN, "askSay", when=f"{LAST}&&{BATTLE_AT_HAND}>0", also=joining),
        call("askSay", _CHANGED, where=OF_CLERK),
    )


def fighter(game: Game, kind: str) -> tuple[Part, ...]:
    """What counters of a kind that fights can do, outermost first."""
    odds, reckoning = odds_of(game), Reckoning(game)
    attack, adjust = _menus(odds, not game.kinds[kind].counts_in)
    in_battle, joins = f"{BATTLE}>0", not game.kinds[kind].counts_in
    decided = odds is not None or checks.has_results(game)
    anew = f"({BATTLE}==0||({_OVER}))" if decided else f"{BATTLE}==0"
    noted = ("cTest",) if reckoning.test else ()
    return (
        SubMenu(text="Battle", commands=attack),
        *((SubMenu(text="Adjust battle", commands=adjust),) if odds else ()),
        hidden("of battles", f"{BATTLE}==0", "bLeave", CALL_OFF, keys.RESOLVE, *_adjusting(odds)),
        hidden("own side", f"Side=={ACTIVE}&&{BATTLE}==0", keys.ATTACK, keys.ADD_HEX),
        hidden("other side", f'{ACTIVE}!=""&&Side!={ACTIVE}', keys.JOIN),
        report("bLeave", BattleLeft.expression(battle="oldBattle", counter=here(game), side=PRESSER)),
        *(_half_strength(game) if odds else ()),
        command("Attack this hex", keys.ATTACK, *noted, "cNew", "markHex", "cSay", when=f"{FIRST}&&{anew}"),
        command("", keys.ATTACK, *noted, "bTake", "cSay", when=f"{FIRST}&&!({anew})"),
        command(
            "Add this hex to the battle",
            keys.ADD_HEX,
            "markHex",
            when=f"{FIRST}&&{BATTLE_AT_HAND}>0&&{BATTLE}==0",
        ),
        *(_joining(game, kind) if joins else ()),
        command("Leave the battle", "bLeave", CLEAR),
        *(
            (
                command(
                    "Resolve the battle", keys.RESOLVE, *noted, "bTake", "cRes", when=f"{FIRST}&&{in_battle}"
                ),
            )
            if odds
            else ()
        ),
        command("Call off the battle", CALL_OFF, *noted, "bTake", "cCan", when=FIRST),
        *(
            command(
                menu,
                pressed or f"{name}Now",
                *noted,
                "bTake",
                f"{name}All",
                "cAdj",
                when=f"{FIRST}&&{in_battle}",
            )
            for menu, pressed, name, _, _ in adjustments(odds)
        ),
        *(call(f"{name}All", name, where=OUR_BATTLE) for _, _, name, _, _ in adjustments(odds)),
        *(
            call(asked, heard, where=OF_CLERK)
            for asked, heard in (
                ("cNew", "ckNew"),
                ("cSay", _CHANGED),
                ("cCan", "ckCan"),
                *((("cAdj", "ckAdj"), ("cRes", "ckRes")) if odds else ()),
                *((("cTest", TAKE_TEST),) if reckoning.test else ()),
            )
        ),
        call("markHex", "setD", when=f"Fights==1&&Side!={ACTIVE}", here=True),
        command("", NEW_PHASE, CLEAR, when=f"{in_battle}||{HALF}>0"),
        global_(BATTLE_AT_HAND, on("bTake", f"{{{BATTLE}}}")),
        global_("BAtk", on("appA", _appended(game, "BAtk")), numeric=False),
        global_("BDef", on("appD", _appended(game, "BDef")), numeric=False),
        global_("BAF", on("appA", f"{{BAF+{reckoning.factor('AttackFactor', 'attack', kind)}}}")),
        global_("BDF", on("appD", f"{{BDF+{reckoning.factor('DefenceFactor', 'defence', kind)}}}")),
        *reckoning.fighter(kind),
        *(global_(total, on("appD", f"{{{own}}}")) for own, total in _KEPT.items()),
        *_labels(),
        number(
            BATTLE, *(on(pressed, f"{{{BATTLE_AT_HAND}}}") for pressed in ("setA", "setD")), on(CLEAR, "0")
        ),
        text(ROLE, on("setA", "A"), on("setD", "D"), on(CLEAR, "-"), start="-"),
        *checks.supporting(game, kind),
        *((_odds_shown(odds),) if odds else ()),
        *((_result(),) if decided else ()),
        *_tags(odds, decided),
        number(HALF, *([on("flipHalf", f"{{1-{HALF}}}")] if odds else []), on(CLEAR, "0")),
        *(_adjustment(game, own, total, odds) for own, total in _KEPT.items()),
        marks({"Fights": "1"}),
    )


def _half_strength(game: Game) -> tuple[Part, ...]:
    said = StrengthSet.expression(counter=here(game), half=f'{HALF}==1?"half":"full"', side=PRESSER)
    return (
        report("sayHalf", said),
        command("Half strength on or off", keys.HALF, "flipHalf", "sayHalf"),
    )


def _joining(game: Game, kind: str) -> tuple[Part, ...]:
    """Counters join, and with them those in their hex that go along."""
    when = f"{BATTLE_AT_HAND}>0&&{BATTLE}!={BATTLE_AT_HAND}"
    along = "||".join(f"Kind=={quoted(other.id)}" for other in game.kinds.values() if other.along)
    if not along or game.kinds[kind].along:
        return (command("Join the attack", keys.JOIN, "setA", when=when),)
    return (
        command("Join the attack", keys.JOIN, "setA", "comeAlong", when=when),
        call("comeAlong", "setA", when=f"({along})&&Side=={ACTIVE}&&{when}", here=True),
    )


def _menus(odds: Odds | None, joins: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    join = ("Join the attack",) if joins else ()
    attack = ("Attack this hex", "Add this hex to the battle", *join, "Leave the battle")
    resolve = ("Resolve the battle",) if odds else ()
    adjust = (*(menu for menu, *_ in adjustments(odds)), "Half strength on or off")
    return (*attack, *resolve, "Call off the battle"), adjust


def _adjusting(odds: Odds | None) -> tuple[Key | str, ...]:
    return tuple(pressed or f"{name}Now" for _, pressed, name, _, _ in adjustments(odds))


def _appended(game: Game, name: str) -> str:
    return f'{{{name}+({name}==""?"":" + ")+{here(game)}}}'


def _gifts(game: Game) -> tuple[str, ...]:
    """What declarations of a game give to battles: columns, pips of the die."""
    said = game.declarations.values()
    columns, die = any(one.columns for one in said), any(one.die for one in said)
    return (*(("columns",) if columns else ()), *(("die",) if die else ()))


def _adjustment(game: Game, own: str, total: str, odds: Odds | None) -> Part:
    steps = [add(name, by) for _, _, name, kept, by in adjustments(odds) if kept == own]
    steps += [on(f"{GIVE[way]}1", f"{{{own}+{GIVEN}}}") for way in _gifts(game) if _TAKES[way] == own]
    return number(own, *steps, on("setD", f"{{{total}}}"), on(CLEAR, "0"))


def _odds_shown(odds: Odds) -> Part:
    """The column, on the attacked."""
    return text(ODDS, on("setOdds", f"{{{odds.title('BCol')}}}"), on(CLEAR, ""))


def _result() -> Part:
    """What the table gave."""
    return text(RESULT, on("setRes", "{BRes}"), *(on(one, "-") for one in ("setA", "setD", CLEAR)), start="-")


def _tags(odds: Odds | None, decided: bool) -> tuple[Part, ...]:
    """What stands on the labels: the role and the battle, on defenders the odds and the result too.

    They stand inside the properties that they are made of, and so hear of a key after these.
    """
    numbered = f'{{"A"+{BATTLE}}}'
    stands, heard = f'"D"+{BATTLE}', ["setA", "setD"]
    if odds:
        heard.append("setOdds")
        stands += f'+({ODDS}==""?"":"  "+{ODDS})'
    if decided:
        heard.append("setRes")
        stands += f'+({RESULT}=="-"?"":"  "+{RESULT})'
    told = f'{{{ROLE}=="D"?{stands}:""}}'
    return (
        text(f"{_TAG}A", on("setA", numbered), on("setD", ""), on(CLEAR, "")),
        text(f"{_TAG}D", *(on(one, told) for one in heard), on(CLEAR, "")),
    )


def _labels() -> tuple[Part, ...]:
    """The tags in a corner, in the colour of the role.

    They hold no expression: VASSAL asks labels for the counter's name at every key that a report might answer
    to. [counters.ReportState.myKeyEvent, counters.Labeler.getLocalizedName]
    """
    return tuple(
        (
            Labeler(
                text="",
                font_size=15,
                font_style=1,
                colour=(255, 255, 255),
                background=ground,
                vertical_position="t",
                vertical_justification="t",
                vertical_offset=2,
                horizontal_position="l",
                horizontal_justification="l",
                horizontal_offset=2,
                name_format="$pieceName$",
                property_name=f"{role}Label",
                always_format=True,
            ),
            LabelerState(label=f"${_TAG}{role}$"),
        )
        for role, ground in (("A", (180, 40, 30)), ("D", (35, 80, 150)))
    )


def clerk(game: Game, gpid: str, *more: Part) -> Piece:
    """The piece that keeps the books and shows how things stand; ``more`` is what else it can do."""
    odds = odds_of(game)
    sums = {
        "attackers": '(BAtk==""?"nobody":BAtk)',
        "defenders": '(BDef==""?"nobody":BDef)',
        "attack": halves(_ATTACK),
        "defence": halves(_DEFENCE),
    }
    reckoning = Reckoning(game)
    collect = reckoning.chain("gClr", "gCollD", "gCollA", *checks.collecting(game))
    column = ("gCol", "gOdds") if odds else ()
    told = (TELL,) if reckoning.modifiers else ()
    at_hand, adjusts = f"{BATTLE_AT_HAND}>0", bool(odds or _gifts(game))
    said = {"battle": BATTLE_AT_HAND, "side": PRESSER}
    shift, die = "BShift" + reckoning.worth("columns"), "BDie" + reckoning.worth("die")
    adjusted = {"shift": _signed(shift), "attack": _signed("BPlusA"), "defence": _signed("BPlusD")}
    if odds and odds.modified:
        adjusted["modifier"] = _signed(odds.modifier("BCol", die))
    return Piece.of(
        UsePrototype(name="Common"),
        report("sayDeclared", BattleDeclared.expression(**said, **sums)),
        *((report("sayAdjusted", BattleAdjusted.expression(**said, **adjusted)),) if adjusts else ()),
        report("sayCancelled", BattleCancelled.expression(**said)),
        command("", "ckNew", NEW_BATTLE, "gClr"),
        command("", _CHANGED, ANNOUNCE, when=chosen(ANNOUNCE_CHANGES)),
        command("", _CHANGED, *collect, *column, when=f"{at_hand}&&!({chosen(ANNOUNCE_CHANGES)})"),
        command("", ANNOUNCE, *collect, *column, "sayDeclared", *told, when=at_hand),
        *((command("", checks.SUM, *collect, when=at_hand),) if checks.checked_dice(game) else ()),
        *((command("", "ckAdj", *collect, *column, "sayAdjusted", *told, when=at_hand),) if adjusts else ()),
        *(command("", GIVE[way], f"{GIVE[way]}0", "ckAdj", when=at_hand) for way in _gifts(game)),
        *(
            call(f"{GIVE[way]}0", f"{GIVE[way]}1", when=f'{ROLE}=="D"', where=OUR_BATTLE)
            for way in _gifts(game)
        ),
        command("", "ckCan", "sayCancelled", "gCan", "gZero", when=at_hand),
        command("", NEW_PHASE, "gZero", when=at_hand),
        *(_resolving(odds, (*collect, *column), told, (shift, die)) if odds else ()),
        call("gCollA", "appA", when=f'{ROLE}=="A"', where=OUR_BATTLE),
        call("gCollD", "appD", when=f'{ROLE}=="D"', where=OUR_BATTLE),
        call("gCan", CLEAR, where=OUR_BATTLE),
        *((call("gOdds", "setOdds", when=f'{ROLE}=="D"', where=OUR_BATTLE),) if odds else ()),
        global_(BATTLE_AT_HAND, on(NEW_BATTLE, "{BattleCount+1}"), on("gZero", "0")),
        global_("BattleCount", on(NEW_BATTLE, f"{{{BATTLE_AT_HAND}}}")),
        global_("BAtk", on("gClr", ""), on("gZero", ""), numeric=False),
        global_("BDef", on("gClr", ""), on("gZero", ""), numeric=False),
        *(
            global_(name, on("gClr", "0"), on("gZero", "0"), *_folded(reckoning, name))
            for name in ("BAF", "BDF", *_KEPT.values())
        ),
        *reckoning.clerk(),
        *checks.keeping_sums(game),
        *more,
        *_status(odds, shift, die),
        *_dice(game, odds),
        marks({"CID": "_clerk", "IsClerk": "1", "Side": "-", "Fights": "0", BATTLE: "0"}),
        Immobilized(band_selection=BandSelection.NEVER, movement=Movement.NEVER),
        (BasicPiece(image=pictures.CLERK, name="Status"), BasicPieceState(gpid=gpid)),
    )


def _folded(reckoning: Reckoning, name: str) -> tuple[PropertyCommand, ...]:
    """What is reckoned from the board is added to the sums of the factors."""
    more = {"BAF": reckoning.worth("attack"), "BDF": reckoning.worth("defence")}.get(name)
    return (on(FOLD, f"{{{name}{more}}}"),) if more else ()


def _resolving(
    odds: Odds, collect: tuple[str, ...], told: tuple[str, ...], changed: tuple[str, str]
) -> tuple[Part, ...]:
    """``changed`` are the expressions for the shift and for what modifies the die."""
    shift, die = changed
    column, modifier = odds.column(_ATTACK, _DEFENCE, shift), odds.modifier("BCol", die)
    more = {"modifier": _signed(modifier)} if odds.modified else {}
    resolved = BattleResolved.expression(
        battle=BATTLE_AT_HAND,
        side=PRESSER,
        attack=halves(_ATTACK),
        defence=halves(_DEFENCE),
        shift=_signed(shift),
        column=odds.title("BCol"),
        faces=odds.faces,
        result="BRes",
        **more,
    )
    return (
        report("sayResolved", resolved),
        command("", "sayLate", "sayDeclared", when=f"!({chosen(ANNOUNCE_CHANGES)})"),
        command("", "lookUp", "gTab", "sayResolved", "gTell", when=chosen(LOOK_UP_RESULT)),
        command("", "ckRes", *collect, "sayLate", *told, "gDie", "lookUp", when=f"{BATTLE_AT_HAND}>0"),
        GlobalHotKey(text="", key=key("gDie"), sent_key=throw_key(odds.dice.id)),
        call("gTell", "setRes", where=OUR_BATTLE),
        global_("BRes", on("gTab", f"{{{odds.result('BCol', modifier)}}}"), numeric=False),
        global_("BCol", on("gCol", f"{{{column}}}")),
    )


def _status(odds: Odds | None, shift: str, die: str) -> tuple[Part, ...]:
    """Two lines: the phase, and the battle at hand."""
    phase = f'{{"Turn "+{TURN}+"    "+{STOP}}}'
    line = f'"Battle "+{BATTLE_AT_HAND}+"    "+{halves(_ATTACK)}+" : "+{halves(_DEFENCE)}'
    if odds:
        column = odds.column(_ATTACK, _DEFENCE, shift)
        line += f'+"    shift "+{_signed(shift)}+"    column "+{odds.title(column)}'
        if odds.modified:
            line += f'+"    die "+{_signed(odds.modifier(column, die))}'
    battle = f'{{{BATTLE_AT_HAND}==0?"No battle at hand":{line}}}'
    return tuple(
        (
            Labeler(
                text="",
                font_size=size,
                font_style=style,
                colour=(40, 34, 24),
                vertical_position="c",
                vertical_justification="c",
                vertical_offset=offset,
                name_format="$pieceName$",
                property_name=f"Line{place}",
                always_format=True,
            ),
            LabelerState(label=label),
        )
        for place, (label, size, style, offset) in enumerate(((phase, 20, 1, -17), (battle, 18, 0, 15)), 1)
    )


def _dice(game: Game, odds: Odds | None) -> tuple[Part, ...]:
    """The dice last thrown on the combat table, as pictures at the right end of the plate."""
    faces = ("", *(pictures.die_picture(face) for face in range(1, 7)))
    found: list[Part] = []
    count = pictures.dice_in_pictures(odds)
    for place in range(count):
        thrown = f'("#"+{dice_property(odds.dice.id)}_result+"######")' if odds else ""
        face = f'"#123456".indexOf({thrown}.substring({1 + 2 * place},{2 + 2 * place}))+1'
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
