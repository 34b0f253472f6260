"""Battles: what counters do to declare, join, adjust and resolve them.

Counters store the number of their battle and their role; the clerk does all adding up, looking up and
announcing. The target comes first: an enemy counter opens the battle, then attackers join it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vassalgen.announcements import BATTLE, HALF, ROLE, BattleLeft, StrengthSet
from vassalgen.game.game import Game
from vassalgen.parts import checks, keys
from vassalgen.parts.face_down import counted, here
from vassalgen.parts.fighting_phases import attacks_now, is_attacked_now
from vassalgen.parts.modifiers import TAKE_TEST, Modifiers
from vassalgen.parts.names import (
    ACTIVE,
    CURRENT_BATTLE,
    HAS_BATTLE,
    OF_CLERK,
    OFF_BOARD,
    OUR_BATTLE,
    PRESSER,
    RESULT,
)
from vassalgen.parts.odds import (
    ATTACK,
    DEFENCE,
    Odds,
    Several,
    counted_property,
    defence_of,
    factor_of,
    has_factor,
    odds_of,
)
from vassalgen.parts.trait_shorthand import (
    FIRST,
    LAST,
    Part,
    add,
    call,
    command,
    global_,
    grey,
    hidden,
    number,
    on,
    report,
    text,
)
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.labeler import Labeler, LabelerState
from vassalgen.vassal.traits.sub_menu import SubMenu

UNRESOLVED = f'{BATTLE}>0&&{ROLE}=="D"&&({RESULT}=="-"||{RESULT}=="")'
"""True of defenders whose battle has no result yet."""
SOME_BATTLE = f"({BATTLE}>0?{BATTLE}:{CURRENT_BATTLE})"
"""The expression for a counter's battle, or for the current battle if it is in none."""
_OVER = f'{BATTLE}>0&&{RESULT}!="-"&&{RESULT}!=""'
"""True of counters whose battle has a result: the defenders may be attacked again."""
CALL_OFF = "off"
"""The key that cancels a counter's battle."""
CLEAR = "clrB"
"""The key that removes a counter from its battle without an announcement."""
ANNOUNCE = "ckSay"
"""The key with which the clerk announces the current battle."""
CHANGED = "ckHear"
"""The key that informs the clerk that a counter has joined or left."""
NEW_BATTLE = "gNew"
"""The key with which the clerk opens a battle."""

GIVEN = "BGiven"
"""What is added to the current battle by artillery or aviation points: columns or die roll modifiers."""
GIVE = {"columns": "gvShift", "die": "gvDie"}
"""The keys that add these to the current battle and report them."""
LABELLED = "BattleOdds"
"""The property of counters with the label of a defender: its battle, the odds, the result."""
ADJUSTED = "Adjusted"
"""The property of counters with the adjustments of their battle, as one number."""
COLUMN = "BColumn"
"""The label of the current battle's column."""
OPEN = "BOpen"
"""The property that lists the attacked units whose battle has no result."""
CROWDED = "BCrowded"
"""The property that lists the overstacked units."""
RETREATS_DUE = "BOwed"
"""The property that lists the units that have not moved since a result that requires them to retreat."""
APPEND_OPEN = "appOpen"
"""The key with which units add themselves to these lists."""
_TEXTS = {"BAtk": "", "BDef": "", "BRes": "", OPEN: "", CROWDED: "", RETREATS_DUE: "", COLUMN: ""}
_NUMBERS = ("BattleCount", "BAF", "BDF", "BShift", "BPlusA", "BPlusD", "BDie", "BCol", GIVEN)
_ADJUSTMENTS = (
    ("Shift right", keys.SHIFT_RIGHT, "shR", "BShift", 1),
    ("Shift left", keys.SHIFT_LEFT, "shL", "BShift", -1),
    ("Attack +1", None, "atU", "BPlusA", 1),
    ("Attack -1", None, "atD", "BPlusA", -1),
    ("Defence +1", None, "deU", "BPlusD", 1),
    ("Defence -1", None, "deD", "BPlusD", -1),
)
_DIE_ADJUSTMENTS = (
    ("Die +1", keys.DIE_UP, "diU", "BDie", 1),
    ("Die -1", keys.DIE_DOWN, "diD", "BDie", -1),
)
KEPT = ("BShift", "BPlusA", "BPlusD", "BDie")
"""The adjustments of the current battle, as properties of the module."""
_TAKES = {"columns": "BShift", "die": "BDie"}
_DIGIT = 200
"""Each of them is a digit, from -100 to 99, of the number that counters store."""
_HIGHEST = 2_000_000_000
ATTACK_SUM, DEFENCE_SUM = "(BAF+2*BPlusA)", "(BDF+2*BPlusD)"
"""The expressions for the sums of both sides, in halves."""


def properties(game: Game) -> tuple[GlobalProperty, ...]:
    """The properties of the module that the clerk sets."""
    numbers = tuple(
        GlobalProperty(name=name, initial_value="0", is_numeric=True, min="-9999", max="9999")
        for name in (CURRENT_BATTLE, *_NUMBERS)
    )
    texts = tuple(GlobalProperty(name=name, initial_value=value) for name, value in _TEXTS.items())
    return (*numbers, *texts, *Modifiers(game).properties(), *checks.properties(game))


def is_decided(game: Game) -> bool:
    """Whether the module knows the results of the game's battles."""
    return odds_of(game) is not None or checks.has_results(game)


def halves(expression: str) -> str:
    """The expression for a number counted in halves, as announcements show it."""
    whole = f"({expression}-(({expression})%2))/2"
    return f'(""+({whole})+(({expression})%2==0?"":".5"))'


def adjustments(odds: Odds | Several | None) -> tuple[tuple[str, Key | None, str, str, int], ...]:
    """The adjustments of a battle that players may make: menu, key, internal name, property, amount."""
    if odds is None:
        return ()
    return (*_ADJUSTMENTS, *_DIE_ADJUSTMENTS) if odds.modified else _ADJUSTMENTS


def signed(expression: str) -> str:
    """The expression for a number with its sign."""
    return f'(({expression})<0?"":"+")+({expression})'


def common(game: Game) -> tuple[Part, ...]:
    """What every counter has, so that the last of several that join announces the battle."""
    declared = (keys.declaring_key(game, one.id) for one in game.declarations.values() if one.joins)
    joining = (keys.ADD_HEX, keys.HALF, *declared)
    return (
        command("", keys.JOIN, "askSay", when=f"{LAST}&&{CURRENT_BATTLE}>0", also=joining),
        call("askSay", CHANGED, where=OF_CLERK),
    )


def fighter(game: Game, kind: str) -> tuple[Part, ...]:
    """The abilities of counters of a kind that fights, outermost first."""
    odds, modifiers = odds_of(game), Modifiers(game)
    attack, adjust = _menus(odds, not game.kinds[kind].counts_in)
    attack_factor, defence_factor = (
        counted(game, counted_property(game, names)) for names in (ATTACK, DEFENCE)
    )
    in_battle, joins = f"{BATTLE}>0", not game.kinds[kind].counts_in
    decided = is_decided(game)
    again = f"({BATTLE}==0||({_OVER}&&{is_attacked_now(game)}))" if decided else f"{BATTLE}==0"
    noted = ("cTest",) if modifiers.test else ()
    return (
        SubMenu(text="Battle", commands=attack),
        *((SubMenu(text="Adjust battle", commands=adjust),) if odds else ()),
        hidden("of battles", f"{BATTLE}==0", "bLeave", CALL_OFF, keys.RESOLVE, *_adjusting(odds)),
        hidden(
            "off the board",
            OFF_BOARD,
            *(keys.ATTACK, keys.ADD_HEX),
            *((keys.JOIN,) if joins else ()),
            *((keys.HALF,) if odds else ()),
        ),
        *((grey("without a battle", f"!({HAS_BATTLE})", keys.JOIN),) if joins else ()),
        hidden("own side", f"{is_attacked_now(game, denied=True)}&&{BATTLE}==0", keys.ATTACK, keys.ADD_HEX),
        hidden("other side", f'{ACTIVE}!=""&&{attacks_now(game, denied=True)}', keys.JOIN),
        report("bLeave", BattleLeft.expression(battle="oldBattle", counter=here(game), side=PRESSER)),
        *(_half_strength(game) if odds else ()),
        command("Attack this hex", keys.ATTACK, *noted, "cNew", "markHex", "cSay", when=f"{FIRST}&&{again}"),
        command("", keys.ATTACK, *noted, "bTake", "cSay", when=f"{FIRST}&&!({again})"),
        command("Add this hex to the battle", keys.ADD_HEX, "addHex", when=f"{FIRST}&&{HAS_BATTLE}"),
        command("", "addHex", "markHex", when=f"{CURRENT_BATTLE}>0&&{BATTLE}==0"),
        *(_joining(game, kind) if joins else ()),
        command("Leave the battle", "bLeave", CLEAR),
        *(_resolving(noted) if odds else ()),
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
            call(asked, followed, where=OF_CLERK)
            for asked, followed in (
                ("cNew", "ckNew"),
                ("cSay", CHANGED),
                ("cCan", "ckCan"),
                *((("cAdj", "ckAdj"), ("cRes", "ckRes")) if odds else ()),
                *((("cTest", TAKE_TEST),) if modifiers.test else ()),
            )
        ),
        call("markHex", "setD", when=f"Fights==1&&{is_attacked_now(game)}", here=True),
        global_(CURRENT_BATTLE, on("bTake", f"{{{BATTLE}}}")),
        global_("BAtk", on("appA", _appended(game, "BAtk")), numeric=False),
        global_("BDef", on("appD", _appended(game, "BDef")), numeric=False),
        *((global_(OPEN, on(APPEND_OPEN, _appended(game, OPEN)), numeric=False),) if decided else ()),
        global_("BAF", on("appA", f"{{BAF+{modifiers.factor(attack_factor, 'attack', kind)}}}")),
        *_defends(game, kind, modifiers.factor(defence_factor, "defence", kind)),
        *modifiers.fighter(kind),
        *(global_(total, on("appD", f"{{{_adjusted_by(total)}}}")) for total in KEPT),
        _label(odds, decided),
        number(
            BATTLE, *(on(pressed, f"{{{CURRENT_BATTLE}}}") for pressed in ("setA", "setD")), on(CLEAR, "0")
        ),
        text(ROLE, on("setA", "A"), on("setD", "D"), on(CLEAR, "-"), start="-"),
        *checks.supporting(game, kind),
        *((_result(),) if decided else ()),
        *((_odds(),) if odds else ()),
        number(HALF, *([on("flipHalf", f"{{1-{HALF}}}")] if odds else []), on(CLEAR, "0"), low=0, high=1),
        _adjustment(game, odds),
    )


def _resolving(noted: tuple[str, ...]) -> tuple[Part, ...]:
    """A battle is resolved only once: after a second roll it would be unclear which result counts."""
    once = f"{FIRST}&&{BATTLE}>0&&!({_OVER})"
    return (
        report("sayOver", f"{{{quoted('This battle has its result. Attack again to fight another.')}}}"),
        command("Resolve the battle", keys.RESOLVE, *noted, "bTake", "cRes", when=once),
        command("", keys.RESOLVE, "sayOver", when=f"{FIRST}&&{_OVER}"),
    )


def _half_strength(game: Game) -> tuple[Part, ...]:
    said = StrengthSet.expression(counter=here(game), half=f'{HALF}==1?"half":"full"', side=PRESSER)
    return (
        report("sayHalf", said),
        command("Half strength on or off", keys.HALF, "flipHalf", "sayHalf"),
    )


def _joining(game: Game, kind: str) -> tuple[Part, ...]:
    """Counters join a battle, together with the units in their hex that accompany them."""
    when = f"{CURRENT_BATTLE}>0&&{BATTLE}!={CURRENT_BATTLE}"
    along = "||".join(f"Kind=={quoted(other.id)}" for other in game.kinds.values() if other.along)
    if not along or game.kinds[kind].along:
        return (command("Join the attack", keys.JOIN, "setA", when=when),)
    return (
        command("Join the attack", keys.JOIN, "setA", "comeAlong", when=when),
        call("comeAlong", "setA", when=f"({along})&&{attacks_now(game)}&&{when}", here=True),
    )


def _menus(odds: Odds | Several | None, joins: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    join = ("Join the attack",) if joins else ()
    attack = ("Attack this hex", "Add this hex to the battle", *join, "Leave the battle")
    resolve = ("Resolve the battle",) if odds else ()
    adjust = (*(menu for menu, *_ in adjustments(odds)), "Half strength on or off")
    return (*attack, *resolve, "Call off the battle"), adjust


def _adjusting(odds: Odds | Several | None) -> tuple[Key | str, ...]:
    return tuple(pressed or f"{name}Now" for _, pressed, name, _, _ in adjustments(odds))


def _appended(game: Game, name: str) -> str:
    return f'{{{name}+({name}==""?"":" + ")+{here(game)}}}'


def gifts(game: Game) -> tuple[str, ...]:
    """What declarations add to battles: columns and die roll modifiers."""
    said = game.declarations.values()
    columns, die = any(one.columns for one in said), any(one.die for one in said)
    return (*(("columns",) if columns else ()), *(("die",) if die else ()))


def _worth(total: str) -> int:
    """The value of 1 of an adjustment in the number that counters store."""
    return int(_DIGIT ** KEPT.index(total))


EARLIER_LABEL = "TagD"
"""The property in which counters of versions 2 and 3 stored the label of a defender."""
EARLIER_ADJUSTMENTS = ("MyShift", "MyAttack", "MyDefence", "MyDie")
"""The properties in which counters of version 1 stored the adjustments of their battle."""


def adjusted(values: Sequence[str]) -> int:
    """The number that counters store for the adjustments, in order."""
    return sum(int(value or 0) * _worth(total) for total, value in zip(KEPT, values, strict=True))


def _adjusted_by(total: str) -> str:
    """The expression for an adjustment, from the number that a counter stores."""
    above_zero = sum(_DIGIT // 2 * _worth(one) for one in KEPT)
    return f"({ADJUSTED}+{above_zero})/{_worth(total)}%{_DIGIT}-{_DIGIT // 2}"


def _defends(game: Game, kind: str, amount: str) -> Iterator[Part]:
    """What a defender of a kind adds to the battle; only the best or worst counts if the rules say so."""
    counted_ = {"best": f"Math.max(BDF,{amount})", "worst": f"(BDF==0?{amount}:Math.min(BDF,{amount}))"}
    which = defence_of(game)
    if which == "sum" or has_factor(game, kind, factor_of(game, DEFENCE)):
        yield global_("BDF", on("appD", f"{{{counted_.get(which, f'BDF+{amount}')}}}"))


def _adjustment(game: Game, odds: Odds | Several | None) -> Part:
    steps = [add(name, by * _worth(kept)) for _, _, name, kept, by in adjustments(odds)]
    steps += [on(f"{GIVE[way]}1", f"{{{ADJUSTED}+{_worth(_TAKES[way])}*{GIVEN}}}") for way in gifts(game)]
    whole = "+".join(f"{_worth(total)}*{total}" for total in KEPT)
    return number(ADJUSTED, *steps, on("setD", f"{{{whole}}}"), on(CLEAR, "0"), low=-_HIGHEST, high=_HIGHEST)


def _result() -> Part:
    """The result from the table."""
    return text(RESULT, on("setRes", "{BRes}"), *(on(one, "-") for one in ("setA", "setD", CLEAR)), start="-")


def _odds() -> Part:
    """The label: role and battle; on defenders also the last announced odds, and the result."""
    shown = f'{{"D"+{BATTLE}+"  "+{COLUMN}+({RESULT}=="-"?"":"  "+{RESULT})}}'
    result = f'{{{ROLE}=="D"?"D"+{BATTLE}+"  "+{COLUMN}+"  "+BRes:{LABELLED}}}'
    joined = (on(f"set{role}", f'{{"{label_of(role)}"+{CURRENT_BATTLE}}}') for role in "AD")
    return text(LABELLED, on("setOdds", shown), on("setRes", result), *joined, on(CLEAR, ""))


def label_of(role: str, battle: str = "") -> str:
    """The start of a label; the blue of defenders is that of the label, attackers set their red."""
    return f"<html><p bgcolor=#b4281e>A{battle}" if role == "A" else f"D{battle}"


def _label(odds: Odds | Several | None, decided: bool) -> Part:
    """The role and the battle in a corner; on defenders also the odds and the result. Both roles share one
    label: whenever VASSAL asks a label without text for its shape, it asks the traits inside it twice and
    evaluates its own text. [counters.Labeler.getLabelPosition]
    """
    result = f'+({RESULT}=="-"||{RESULT}==""?"":"  "+{RESULT})' if decided else ""
    written = f'{{{ROLE}=="A"?"{label_of("A")}"+{BATTLE}:{ROLE}=="D"?"D"+{BATTLE}{result}:""}}'
    label = Labeler(
        text="",
        font_size=15,
        font_style=1,
        colour=(255, 255, 255),
        background=(35, 80, 150),
        vertical_position="t",
        vertical_justification="t",
        vertical_offset=2,
        horizontal_position="l",
        horizontal_justification="l",
        horizontal_offset=2,
        name_format="$pieceName$",
        property_name="BattleLabel",
        always_format=True,
    )
    return label, LabelerState(label=f"${LABELLED}$" if odds else written)
