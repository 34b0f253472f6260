"""Declarations that bring counters together: one is fetched out of a box, or goes to its battle.

The fetching counter writes down its id and calls the candidates; the first that qualifies takes the call and
goes to the fetching counter's place. It arrives with a step less if the fetching counter had lost one and it
has that many.
"""

from __future__ import annotations

from vassalgen.announcements import BATTLE, ROLE, STEPS, declaration_property
from vassalgen.game.game import Game
from vassalgen.game.sequence import Declaration
from vassalgen.parts.boxes import place_of
from vassalgen.parts.trait_shorthand import Part, call, command, global_, key, on
from vassalgen.templates import quoted
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.traits.send_to_location import COUNTER, SendToLocation

_WHO, _SIDE, _REDUCED, _CAME = "FetchedBy", "FetchedSide", "FetchedReduced", "FetchedCame"


def properties(game: Game) -> tuple[GlobalProperty, ...]:
    """The properties of the module used for fetching."""
    if not any(one.fetches for one in game.declarations.values()):
        return ()
    return (
        GlobalProperty(name=_WHO, initial_value=""),
        GlobalProperty(name=_SIDE, initial_value=""),
        GlobalProperty(name=_REDUCED, initial_value="0", is_numeric=True, min="0", max="1"),
        GlobalProperty(name=_CAME, initial_value="0", is_numeric=True, min="0", max="1"),
    )


def keys_sent(one: Declaration) -> tuple[str, ...]:
    """The keys with which a declaration fetches."""
    return (f"fetch_for_{one.id}", f"fetch_call_{one.id}") if one.fetches else ()


def fetching(game: Game, one: Declaration) -> tuple[Part, ...]:
    """What a counter needs to fetch another."""
    if not one.fetches:
        return ()
    ask = f"fetch_for_{one.id}"
    return (
        call(f"fetch_call_{one.id}", f"fetch_come_{one.id}", where=_wanted(game, one)),
        global_(_WHO, on(ask, "{CID}"), numeric=False),
        global_(_SIDE, on(ask, "{Side}"), numeric=False),
        global_(_REDUCED, on(ask, f"{{{STEPS}<MaxSteps?1:0}}")),
        global_(_CAME, on(ask, "0")),
    )


def _wanted(game: Game, one: Declaration) -> tuple[str, str]:
    """The property, and its value, by which the candidates are found."""
    if one.fetches in game.columns:
        return one.fetches, "{CID}"
    return "Kind", one.fetches


def coming(game: Game, kind: str) -> tuple[Part, ...]:
    """What counters of a kind need to be fetched."""
    found = [one for one in game.declarations.values() if one.fetches and _may_come(game, one, kind)]
    if not found:
        return ()
    return (
        *(_comes(game, one) for one in found),
        command("", "fetch_less", "less", "saySteps", when=f"{_REDUCED}==1&&{STEPS}>1"),
        SendToLocation(key=key("fetch_go"), destination=COUNTER, match=f'{{CID=="${_WHO}$"}}'),
        global_(_CAME, on("fetch_take", "1")),
    )


def _comes(game: Game, one: Declaration) -> Part:
    boxes = quoted("|" + "|".join(place_of(game, box) for box in one.out_of) + "|")
    there = f'&&{boxes}.contains("|"+GetString("LocationName")+"|")' if one.out_of else ""
    free = f"{_CAME}==0&&Side=={_SIDE}{there}"
    return command("", f"fetch_come_{one.id}", "fetch_take", "fetch_less", "fetch_go", when=free)


def _may_come(game: Game, one: Declaration, kind: str) -> bool:
    if one.fetches not in game.columns:
        return one.fetches == kind
    return any(counter.kind == kind and counter.extra.get(one.fetches) for counter in game.counters.values())


def to_battle(one: Declaration) -> tuple[Part, ...]:
    """What a counter needs to go to the hex of its side in the battle."""
    if not one.to_battle:
        return ()
    said = declaration_property(one.id)
    mates = f'{{{BATTLE}==${said}$&&{ROLE}!="-"&&Side=="$Side$"&&CID!="$CID$"}}'
    return (SendToLocation(key=key(f"told_fly_{one.id}"), destination=COUNTER, match=mates),)
