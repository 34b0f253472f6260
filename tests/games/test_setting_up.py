"""What a record may set up for a case in each game: movement spent, another terrain, a destroyed bridge."""

from __future__ import annotations

import pytest

from referee.judge import judge_record
from referee.record import parse
from vassalgen.problems import BadInput

MOVES = {
    "postcard1943": (
        "at turn 3, Axis movement; place superga on B5",
        "move superga B5-B4",
        "superga 4",
        "move.1",
    ),
    "tunisia1943": (
        "at turn 5, Axis movement; place de-754 on 1617",
        "move de-754 1617-1717",
        "de-754 4.5",
        "4.1a",
    ),
    "patton1943": (
        "at turn 5, Axis movement; place de-164lt on 8720",
        "move de-164lt 8720-8721",
        "de-164lt 4",
        "8c",
    ),
    "vitoria1813": (
        "at turn 3, French movement; place fr-rey on 2617",
        "move fr-rey 2617-2517",
        "fr-rey 5",
        "4.1a",
    ),
}
"""By game a set-up, a move of one hex that is legal in it, what is spent if it is too far, and the clause."""
GROUND = {
    "postcard1943": ("B4 sea", "move.1"),
    "tunisia1943": ("1717 chott", "4.1g"),
    "patton1943": ("8721 sea", "8l"),
    "vitoria1813": ("2517 wood", ""),
}
"""By game a terrain for the hex of that move, and the clause that it breaks then, if any."""


def verdicts(game: str, *lines: str) -> list[tuple[str, str]]:
    record = parse("\n".join((f"game {game}", *lines)))
    judged = [each for _, case in judge_record(record) for each in case if each.ruling]
    assert judged[-1].ruling is not None
    return sorted((grade.name, clause) for grade, clause in judged[-1].ruling.verdict)


@pytest.mark.parametrize("game", MOVES)
def test_points_that_were_spent_are_missing(game: str) -> None:
    set_up, move, spent, clause = MOVES[game]
    assert verdicts(game, set_up, move) == []
    assert verdicts(game, set_up, f"spent {spent}", move) == [("illegal", clause)]
    assert verdicts(game, set_up, f"spent {spent.split()[0]} 0", move) == []


@pytest.mark.parametrize("game", MOVES)
def test_a_hex_may_be_of_another_terrain(game: str) -> None:
    set_up, move, _, _ = MOVES[game]
    terrain, clause = GROUND[game]
    assert verdicts(game, f"terrain {terrain}", set_up, move) == ([("illegal", clause)] if clause else [])


def test_terrain_that_costs_more_leaves_fewer_points() -> None:
    set_up, move, _, clause = MOVES["vitoria1813"]
    spent = "spent fr-rey 4"
    assert verdicts("vitoria1813", set_up, spent, move) == []
    assert verdicts("vitoria1813", "terrain 2517 wood", set_up, spent, move) == [("illegal", clause)]


@pytest.mark.parametrize(("state", "found"), [("standing", []), ("destroyed", [("illegal", "4.1a")])])
def test_a_bridge_may_be_destroyed(state: str, found: list[tuple[str, str]]) -> None:
    set_up = "at turn 3, French movement; place fr-rey on 0307"
    assert verdicts("vitoria1813", set_up, f"bridge 0307 0408 {state}", "move fr-rey 0307-0408") == found


def test_of_a_bridge_that_is_known_to_stand_there_is_no_doubt() -> None:
    """In a record that begins late any bridge may be destroyed, unless it says that one is not."""
    set_up = "at turn 3, French movement; place fr-rey on 2917; place uk-byng on 3117"
    move = "move fr-rey 2917-3017-3016"
    assert verdicts("vitoria1813", set_up, move) == [("unproven", "3.2a")]
    assert verdicts("vitoria1813", set_up, "bridge 3017 3117 standing", move) == [("illegal", "3.2a")]


@pytest.mark.parametrize("game", [game for game in MOVES if game != "vitoria1813"])
def test_bridges_are_destroyed_where_the_rules_know_it_only(game: str) -> None:
    with pytest.raises(BadInput, match="bridges are never destroyed in this game"):
        verdicts(game, "bridge 1617 1717 destroyed", "next")


def test_where_no_bridge_is_none_is_destroyed() -> None:
    with pytest.raises(BadInput, match="there is no bridge between 2617 and 2517"):
        verdicts("vitoria1813", "bridge 2617 2517 destroyed", "next")


NONSENSE = {
    "postcard1943": (
        ("at turn 0, Axis movement", "there is no turn 0: the first is 1"),
        ("place pz10 on B5 disrupted turn 0 Allied", "there is no turn 0: the first is 1"),
        ("roll combat 9", ""),  # another die was rolled, which a rule finds
        ("place uk78 in axis-north", "uk78 cannot be in axis-north, a box of the other side"),
        ("place uk78 in axis-north as found", ""),
        ("place pz10 on B5; spent pz10 4", ""),
        ("place pz10 on B5; spent pz10 4.5", "pz10 cannot have spent 4.5 MF: it has 4"),
        ("spent pz10 1", "pz10 has spent points of movement but is not on the map"),
        ("place pz10 on B5 stuck", "pz10 cannot be stuck in B5, which is not a swamp: in G2 or G3"),
        ("place pz10 on G2; place pz10 stuck", ""),
        ("place pz10 on B5; next; place pz10 stuck", "pz10 cannot be stuck in B5"),
        ("place broich on B5 disrupted", "broich can never be disrupted"),
        ("attack B5 with uk78 uk78", "uk78 is named twice"),
        ("next ! legal and more", "with 'and more' anything would pass"),
    ),
    "tunisia1943": (
        ("place us-16 in exited-west", "us-16 cannot be in exited-west, a box of the other side"),
        ("place garrison-tunis on 1705", "garrison-tunis cannot be in 1705: in 1805 or axis-lost"),
        ("place garrison-tunis in axis-reinforcements", "garrison-tunis cannot be in axis-reinforcements"),
        ("place garrison-tunis on 1705 as found", ""),
        ("place garrison-tunis in axis-lost; place garrison-bizerte on 1502", ""),
        ("place de-em-334 in exited-west", "de-em-334 cannot be in exited-west: only combat units leave"),
        ("place de-754 in exited-west", ""),
        ("place de-754 out of supply", ""),
        ("place de-754 reduced", ""),
        ("place de-pz5 reduced", "de-pz5 has 4 steps: steps and their number, 4 at most"),
        ("place de-754 on 1617 out-of-supply; spent de-754 5", ""),
        ("place de-754 on 1617; spent de-754 8", "de-754 cannot have spent 8 MP"),
        ("put away nz-5 in allied-reinforcemnts", "did you mean 'allied-reinforcements'"),
    ),
    "patton1943": (
        ("at turn 12, end; place de-rommel on 8412; roll rommel 13", "no rommel roll is 13: 1 to 12"),
        ("place de-164lt on 8720; spent de-164lt 20", "de-164lt cannot have spent 20 MP"),
    ),
    "vitoria1813": (("place fr-rey on 2617; spent fr-rey 30", "fr-rey cannot have spent 30 MP"),),
}
"""By game what cannot be and how it is refused; nothing where it can."""


@pytest.mark.parametrize(
    ("game", "lines", "wrong"), [(game, *one) for game, all_of in NONSENSE.items() for one in all_of]
)
def test_what_can_never_be_is_refused(game: str, lines: str, wrong: str) -> None:
    try:
        record = parse(f"game {game}\n{lines}\nnext")
        judged = [each for _, case in judge_record(record) for each in case]
        problems = [str(one) for each in judged for one in each.refused]
    except BadInput as error:
        problems = [str(one) for one in error.problems]
    assert wrong in "; ".join(problems)
    assert bool(problems) == bool(wrong)
