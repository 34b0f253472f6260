"""Facts that cancel each other are left out before anything is read."""

from __future__ import annotations

import pytest
from attrs import evolve

from referee.engine.clock import Clock
from referee.scribe.engagements import Battle
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import (
    Changed,
    Corrected,
    Declared,
    Fact,
    JoinedBattle,
    LeftBattle,
    Resolved,
    Rolled,
    Shifted,
    Standing,
    Stepped,
    Turned,
)
from referee.scribe.reader import standings
from referee.scribe.story import Scene, Story
from referee.scribe.tidying import (
    advances_after_retreats,
    from_where_they_were,
    on_their_way_first,
    without_advances_taken_back,
    without_attackers_on_their_target,
    without_corrections,
    without_outings,
    without_trials,
)
from vassalgen.game.finding import open_game

GAME = open_game("tunisia1943")
LOST = Stepped(step=1, counter="a", old=2, new=1)
REGAINED = Stepped(step=3, counter="a", old=1, new=2)
AGAIN = Stepped(step=4, counter="a", old=2, new=1)


def test_a_state_set_and_removed_in_a_phase_to_which_the_track_was_set_back_is_a_correction() -> None:
    on = Changed(step=2, counter="a", state="zoc-lost", old=0, new=1)
    ahead, back = Turned(step=3, clock=Clock(1, 3)), Turned(step=4, clock=Clock(1, 2))
    off = Changed(step=6, counter="a", state="zoc-lost", old=1, new=0)
    found = without_corrections(GAME, [Turned(step=1, clock=Clock(1, 2)), on, ahead, back, off])
    assert [type(one) for one in found] == [Turned, Corrected, Turned, Turned, Corrected]
    move = Shifted(step=5, counter="a", origin="8016", target="8116")
    assert Corrected not in {type(one) for one in without_corrections(GAME, [on, ahead, move, back, off])}
    assert Corrected not in {type(one) for one in without_corrections(GAME, [on, ahead, off])}


def test_a_step_lost_given_back_and_lost_again_is_lost_once() -> None:
    assert without_corrections(GAME, [LOST, REGAINED, AGAIN]) == (AGAIN,)


@pytest.mark.parametrize(
    "between",
    [
        Turned(step=2, clock=Clock(1, 3)),
        Rolled(step=2, dice="attack", faces=(4,)),
        Shifted(step=2, counter="a", origin="8016", target="8116"),
    ],
)
def test_a_step_regained_later_is_an_action(between: Fact) -> None:
    assert without_corrections(GAME, [LOST, between, REGAINED, AGAIN]) == (LOST, between, REGAINED, AGAIN)


def test_a_step_that_another_counter_regains_is_an_action() -> None:
    other = Stepped(step=2, counter="b", old=1, new=2)
    assert without_corrections(GAME, [LOST, other]) == (LOST, other)


def test_a_step_that_is_kept_in_the_end_was_regained() -> None:
    assert without_corrections(GAME, [LOST, REGAINED]) == (LOST, REGAINED)
    assert without_corrections(GAME, [REGAINED, LOST, REGAINED]) == (REGAINED, LOST, REGAINED)


MARKED = Changed(step=1, counter="uk-26a", state="zoc-lost", old=0, new=1)
CLEARED = Changed(step=2, counter="uk-26a", state="zoc-lost", old=1, new=0)
ADVANCED = Turned(step=3, clock=Clock(1, 4))


def test_a_marker_that_is_taken_off_again_was_a_slip_of_the_hand() -> None:
    move = Shifted(step=3, counter="b", origin="0507", target="0508")
    corrected = [Corrected(step=one.step, fact=one) for one in (MARKED, CLEARED)]
    assert without_corrections(GAME, [MARKED, CLEARED, move, ADVANCED]) == (*corrected, move, ADVANCED)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_marker_that_is_taken_off_again_may_have_been_there_even_if_the_log_ends_then(place: int) -> None:
    corrected = tuple(Corrected(step=one.step, fact=one) for one in (MARKED, CLEARED))
    story = Story((ADVANCED, *corrected), {}, {}, {}, ends=(0, 3, 3), reached=(0, 0, 0), late={})
    first, as_made = story.uncorrected(place)
    assert (first, as_made.facts) == (1, (ADVANCED, MARKED, CLEARED))


def test_a_marker_that_comes_off_as_its_phase_ends_was_there() -> None:
    assert without_corrections(GAME, [MARKED, CLEARED, ADVANCED]) == (MARKED, CLEARED, ADVANCED)


def test_a_marker_that_comes_off_before_another_phase_ends_was_a_slip_of_the_hand() -> None:
    advanced = Turned(step=3, clock=Clock(1, 5))
    assert not {MARKED, CLEARED} & set(without_corrections(GAME, [MARKED, CLEARED, advanced]))


def test_who_comes_back_to_where_the_facts_left_it_has_not_moved() -> None:
    back = Shifted(step=4, counter="a", origin="", target="8016")
    on = Shifted(step=5, counter="a", origin="8016", target="8117")
    assert list(from_where_they_were({"a": "8016"}, [back, on])) == [on]


def test_who_comes_elsewhere_than_the_facts_left_it_has_moved_from_there() -> None:
    away = Shifted(step=4, counter="a", origin="", target="8117")
    expected = Shifted(step=4, counter="a", origin="8016", target="8117")
    assert list(from_where_they_were({"a": "8016"}, [away])) == [expected]


def test_who_is_off_the_map_through_a_step_taken_back_stands_where_the_facts_left_it() -> None:
    gone = Shifted(step=2, counter="b", origin="8016", target="")
    steps = (StepFacts(1, after={"a": Standing("")}), StepFacts(2, facts=(gone,), after={"b": Standing("")}))
    log = LoggedFacts("x.vlog", {"a": Standing("8016"), "b": Standing("8016")}, None, steps, 2)
    assert standings(log) == {"a": [(1, Standing("8016"))], "b": [(2, Standing(""))]}


@pytest.mark.parametrize("place", ["?", ""])
def test_who_comes_from_off_the_map_or_from_a_place_unknown_has_moved(place: str) -> None:
    comes = Shifted(step=4, counter="a", origin=place, target="8016")
    assert list(from_where_they_were({"a": place}, [comes])) == [comes]


def test_of_two_dragged_together_who_has_moved_before_goes_first() -> None:
    came = Shifted(step=1, counter="b", origin="8016", target="8017")
    marked = Changed(step=2, counter="b", state="disordered", old=0, new=1)
    together = [Shifted(step=3, counter=name, origin="8017", target="8018") for name in "ab"]
    assert on_their_way_first([came, marked, *together]) == (came, marked, *reversed(together))


def test_of_two_dragged_on_together_who_set_out_first_goes_first() -> None:
    came = Shifted(step=1, counter="b", origin="8015", target="8016")
    together = [Shifted(step=2, counter=name, origin="8016", target="8117") for name in ("b", "a")]
    on = [Shifted(step=3, counter=name, origin="8117", target="8118") for name in ("a", "b")]
    assert on_their_way_first([came, *together, *on]) == (came, *together, *reversed(on))


def test_who_moved_in_the_phase_before_does_not_go_first() -> None:
    came = Shifted(step=1, counter="b", origin="8016", target="8017")
    turned = Turned(step=2, clock=Clock(1, 3))
    together = [Shifted(step=3, counter=name, origin="8017", target="8018") for name in "ab"]
    assert on_their_way_first([came, turned, *together]) == (came, turned, *together)


def test_a_move_is_late_from_when_it_was_made_until_it_is_reported() -> None:
    before = Shifted(step=1, counter="a", origin="8015", target="8016")
    room = Shifted(step=5, counter="b", origin="8117", target="8118")
    early = Shifted(step=4, counter="a", origin="8016", target="8117")
    facts = (before, room, early)
    story = Story(facts, {}, {}, {}, ends=(3, 3, 3), reached=(1, 5, 5), late={"a": (2,)})
    assert [Scene(story, place).is_late("a") for place in range(3)] == [False, True, False]


def test_a_marker_that_comes_off_with_a_battle_before_the_track_is_advanced_does_not_stop_it() -> None:
    advanced, again = Turned(step=4, clock=Clock(1, 4)), Turned(step=5, clock=Clock(1, 5))
    with_battle = evolve(CLEARED, step=3, announced=True)
    by_hand = evolve(with_battle, step=4)
    story = Story((advanced, with_battle, again), {}, {}, {}, (0, 2, 2), (4, 4, 5), {})
    assert story.is_of_the_track(1)
    assert not evolve(
        story, facts=(evolve(advanced, step=3), by_hand, evolve(again, step=6))
    ).is_of_the_track(1)


def test_a_marker_that_came_off_as_the_track_was_advanced_too_far_and_is_set_again_was_never_off() -> None:
    set_back, again = Turned(step=4, clock=Clock(1, 3)), evolve(MARKED, step=5)
    found = [CLEARED, ADVANCED, set_back, again]
    assert without_corrections(GAME, found) == (ADVANCED, set_back)
    before = [CLEARED, ADVANCED, evolve(MARKED, step=4), evolve(set_back, step=5)]
    assert without_corrections(GAME, before) == (ADVANCED, before[-1])
    later = [CLEARED, ADVANCED, Turned(step=4, clock=Clock(1, 5)), again]
    assert without_corrections(GAME, later) == tuple(later)


GRID = GAME.map.grid
DIE = Rolled(step=1, dice="combat", faces=(4,))


def test_a_defender_who_advances_before_the_attackers_have_left_comes_after_them() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="de-pzg69", origin="1818", target="1819")
    retreat = Shifted(step=3, counter="us-16", origin="1819", target="1820")
    found = advances_after_retreats(GAME, [DIE, advance, retreat], {0: battle})
    assert found == (DIE, retreat, advance)


def test_an_advance_comes_after_the_last_of_those_who_made_room() -> None:
    battle = Battle(
        1, attackers={"us-16": "1819"}, defenders=dict.fromkeys(("it-35", "it-36"), "1818"), dice=[0]
    )
    advance = Shifted(step=2, counter="us-16", origin="1819", target="1818")
    first = Shifted(step=3, counter="it-35", origin="1818", target="1817")
    second = Shifted(step=4, counter="it-36", origin="1818", target="1817")
    found = advances_after_retreats(GAME, [DIE, advance, first, second], {0: battle})
    assert found == (DIE, first, second, advance)


def test_a_defender_advances_after_attackers_who_retreat_by_a_hex_and_are_still_beside_where_it_was() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="de-pzg69", origin="1818", target="1819")
    along = next(one for one in GRID.neighbours("1819") if one in GRID.neighbours("1818"))
    retreat = Shifted(step=3, counter="us-16", origin="1819", target=along)
    found = advances_after_retreats(GAME, [DIE, advance, retreat], {0: battle})
    assert found == (DIE, retreat, advance)


def test_a_casualty_that_the_rules_bring_back_from_its_box_was_not_put_aside_for_a_moment() -> None:
    gone = Shifted(step=1, counter="us-16", origin="1819", target="allied-lost")
    back = Shifted(step=2, counter="us-16", origin="allied-lost", target="1820")
    assert len(tuple(without_outings(GAME, [gone, back]))) == 1
    assert tuple(without_outings(GAME, [gone, back], out_of={"allied-lost"})) == (gone, back)
    assert tuple(without_outings(GAME, [gone, evolve(back, target="1819")], out_of={"allied-lost"})) == ()


def test_an_enemy_who_is_only_put_back_does_not_end_the_moment_in_which_a_counter_is_aside() -> None:
    lifted = Shifted(step=1, counter="de-pzg69", origin="1817", target="1818")
    gone = Shifted(step=2, counter="us-16", origin="1818", target="allied-lost")
    put_back = evolve(lifted, step=3, origin="1818", target="1817")
    move = Shifted(step=4, counter="uk-26a", origin="1818", target="1819")
    back = Shifted(step=5, counter="us-16", origin="allied-lost", target="1818")
    assert tuple(without_outings(GAME, [lifted, gone, put_back, move, back])) == (lifted, put_back, move)
    moved = evolve(put_back, target="1816")
    assert len(tuple(without_outings(GAME, [lifted, gone, moved, move, back]))) == 5


def test_who_fights_beside_the_map_while_the_die_is_rolled_was_in_its_hex() -> None:
    joined = JoinedBattle(step=1, counter="us-16", battle=1, role="A", place="1818")
    gone = Shifted(step=2, counter="us-16", origin="1818", target="allied-lost")
    die = Rolled(step=3, dice="combat", faces=(3,), battle=1)
    back = Shifted(step=4, counter="us-16", origin="allied-lost", target="1818")
    assert tuple(without_outings(GAME, [joined, gone, die, back], rolling={"combat"})) == (joined, die)
    lost = [joined, die, evolve(gone, step=4), evolve(die, step=5, battle=2), evolve(back, step=6)]
    assert tuple(without_outings(GAME, lost, rolling={"combat"})) == tuple(lost)


def test_a_defender_advances_after_an_attacker_who_says_that_it_retreats_right_past_it() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="de-pzg69", origin="1818", target="1819")
    said = Declared(step=3, declaration="retreat", counter="us-16", battle=1)
    past = Shifted(step=4, counter="us-16", origin="1819", target="1817")
    found = advances_after_retreats(GAME, [DIE, advance, said, past], {0: battle}, {"retreat"})
    assert found == (DIE, said, past, advance)
    assert advances_after_retreats(GAME, [DIE, advance, past], {0: battle}) == (DIE, advance, past)


def test_who_is_dragged_along_with_an_advance_comes_after_the_retreat_as_well() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advances = [Shifted(step=2, counter=name, origin="1819", target="1818") for name in ("us-18", "us-16")]
    retreat = Shifted(step=3, counter="de-pzg69", origin="1818", target="1817")
    assert advances_after_retreats(GAME, [DIE, *advances, retreat], {0: battle}) == (DIE, retreat, *advances)


def test_a_defender_who_retreats_to_where_the_attackers_are_comes_before_their_advance() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    retreat = Shifted(step=2, counter="de-pzg69", origin="1818", target="1819")
    advance = Shifted(step=3, counter="us-16", origin="1819", target="1818")
    assert advances_after_retreats(GAME, [DIE, retreat, advance], {0: battle}) == (DIE, retreat, advance)


def test_an_advance_made_too_early_comes_after_a_retreat_that_is_put_right() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="us-16", origin="1819", target="1818")
    retreats = [
        Shifted(step=3, counter="de-pzg69", origin="1818", target="1717"),
        Shifted(step=4, counter="de-pzg69", origin="1717", target="1817"),
    ]
    assert advances_after_retreats(GAME, [DIE, advance, *retreats], {0: battle}) == (DIE, *retreats, advance)


def test_who_is_put_back_after_being_dragged_along_with_an_advance_has_not_advanced() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="us-16", origin="1819", target="1818")
    along = [
        Shifted(step=2, counter="us-18", origin="1819", target="1818"),
        Shifted(step=3, counter="us-18", origin="1818", target="1819"),
    ]
    retreat = Shifted(step=4, counter="de-pzg69", origin="1818", target="1817")
    found = advances_after_retreats(GAME, [DIE, advance, *along, retreat], {0: battle})
    assert found == (DIE, *along, retreat, advance)


def test_an_advance_made_too_early_comes_after_the_retreat_of_who_was_dragged_out_and_back_first() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="us-16", origin="1819", target="1818")
    tried = [
        Shifted(step=3, counter="de-pzg69", origin="1818", target="1717"),
        Shifted(step=4, counter="de-pzg69", origin="1717", target="1818"),
    ]
    announced = Declared(step=5, counter="de-pzg69", declaration="retreat")
    retreat = Shifted(step=6, counter="de-pzg69", origin="1818", target="1817")
    found = advances_after_retreats(GAME, [DIE, advance, *tried, announced, retreat], {0: battle})
    assert found == (DIE, *tried, announced, retreat, advance)


def test_an_advance_comes_after_a_retreat_but_not_after_a_casualty_once_the_track_is_advanced() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="us-16", origin="1819", target="1818")
    over = Turned(step=3, clock=Clock(1, 4))
    retreat = Shifted(step=4, counter="de-pzg69", origin="1818", target="1817")
    assert advances_after_retreats(GAME, [DIE, advance, over, retreat], {0: battle}) == (
        DIE, over, retreat, advance,
    )  # fmt: skip
    lost = evolve(retreat, target="axis-lost")
    found = [DIE, advance, over, lost]
    assert advances_after_retreats(GAME, found, {0: battle}) == tuple(found)


def test_what_is_rolled_and_marked_in_the_new_hex_comes_after_the_retreat_with_the_advance() -> None:
    battle = Battle(1, attackers={"us-16": "1819"}, defenders={"de-pzg69": "1818"}, dice=[0])
    advance = Shifted(step=2, counter="us-16", origin="1819", target="1818")
    rolled = Declared(step=3, counter="us-16", declaration="swamp", faces=(3,))
    marked = Changed(step=4, counter="us-16", state="out-of-supply", old=0, new=1)
    other = Changed(step=5, counter="uk-26a", state="out-of-supply", old=0, new=1)
    lost = Shifted(step=6, counter="de-pzg69", origin="1818", target="axis-lost")
    found = advances_after_retreats(GAME, [DIE, advance, rolled, marked, other, lost], {0: battle})
    assert found == (DIE, other, lost, advance, rolled, marked)


def test_an_advance_of_the_track_that_is_set_back_at_once_was_none() -> None:
    shown, too_soon, back = Clock(1, 3), Turned(step=3, clock=Clock(2, 0)), Turned(step=5, clock=Clock(1, 3))
    off = Changed(step=4, counter="uk-26a", state="zoc-lost", old=1, new=0)
    forgotten = Shifted(step=6, counter="fr-cfa", origin="0507", target="0508")
    again = Turned(step=7, clock=Clock(2, 0))
    left = LeftBattle(step=3, counter="fr-cfa", battle=5)
    found = without_advances_taken_back(GAME, [too_soon, left, off, back, forgotten, again], shown)
    assert found == (off, forgotten, again)


def test_a_track_that_is_leafed_through_and_set_back_was_advanced_once() -> None:
    there, further, last = (Turned(step=step, clock=Clock(1, step)) for step in (2, 3, 4))
    back, on = Turned(step=5, clock=Clock(1, 2)), Turned(step=6, clock=Clock(1, 3))
    off = Changed(step=3, counter="a", state="moved", old=1, new=0)
    found = without_advances_taken_back(GAME, [there, further, off, last, back, on], Clock(1, 1))
    assert found == (there, off, on)


def test_an_advance_of_the_track_after_which_the_other_side_acts_counts_though_it_is_set_back() -> None:
    there, back = Turned(step=3, clock=Clock(2, 0)), Turned(step=5, clock=Clock(1, 3))
    other = next(
        name for name, one in GAME.counters.items() if one.side not in ("", GAME.sequence.stops()[3].side)
    )
    move = Shifted(step=4, counter=other, origin="0507", target="0508")
    assert without_advances_taken_back(GAME, [there, move, back], Clock(1, 3)) == (there, move, back)
    lost = Stepped(step=4, counter=other, old=2, new=1)
    assert without_advances_taken_back(GAME, [there, lost, back], Clock(1, 3)) == (there, lost, back)


def test_a_track_that_is_set_back_after_its_own_side_has_moved_on_was_not_advanced() -> None:
    there, back = Turned(step=3, clock=Clock(2, 0)), Turned(step=5, clock=Clock(1, 3))
    mine = next(name for name, one in GAME.counters.items() if one.side == GAME.sequence.stops()[3].side)
    move = Shifted(step=4, counter=mine, origin="0507", target="0508")
    assert without_advances_taken_back(GAME, [there, move, back], Clock(1, 3)) == (move,)


FLIGHT = Shifted(step=1, counter="uk-26a", origin="1818", target="1819")
PURSUIT = Shifted(step=2, counter="de-pzg69", origin="1817", target="1818")
RETURN = Shifted(step=4, counter="uk-26a", origin="1819", target="1818")


def test_a_counter_that_is_followed_and_put_back_with_its_follower_has_not_moved() -> None:
    follower = Shifted(step=3, counter="de-pzg69", origin="1818", target="1817")
    assert [*without_trials(GAME, [FLIGHT, PURSUIT, follower, RETURN])] == [PURSUIT, follower]


DEFENDER = JoinedBattle(step=1, counter="de-pzg69", battle=1, role="D", place="1819")
ATTACKER = JoinedBattle(step=1, counter="uk-26a", battle=1, role="A", place="1818")
ON_TOP = Shifted(step=2, counter="uk-26a", origin="1818", target="1819")
COMBAT_DIE = Resolved(step=3, battle=1, attack=4, defence=2, column="2:1", faces=(3,), result="AR")
GONE = Shifted(step=4, counter="de-pzg69", origin="1819", target="1920")


def test_an_attacker_that_is_on_its_target_while_the_die_is_rolled_has_not_moved() -> None:
    found = [DEFENDER, ATTACKER, ON_TOP, COMBAT_DIE, GONE, RETURN, evolve(ON_TOP, step=5)]
    left = [DEFENDER, ATTACKER, COMBAT_DIE, GONE, evolve(ON_TOP, step=5)]
    assert [*without_attackers_on_their_target(found)] == left


@pytest.mark.parametrize(
    "found",
    [
        [DEFENDER, ATTACKER, COMBAT_DIE, GONE, ON_TOP, RETURN],
        [DEFENDER, ATTACKER, ON_TOP, COMBAT_DIE, evolve(RETURN, target="1718")],
        [DEFENDER, ATTACKER, ON_TOP, COMBAT_DIE, Turned(step=4, clock=Clock(1, 3)), RETURN],
        [evolve(DEFENDER, place="1719"), ATTACKER, ON_TOP, COMBAT_DIE, RETURN],
        [DEFENDER, ATTACKER, ON_TOP, COMBAT_DIE, evolve(ATTACKER, battle=2, role="D", place="1819"), RETURN],
    ],
)
def test_an_attacker_that_goes_there_otherwise_has_moved(found: list[Fact]) -> None:
    assert [*without_attackers_on_their_target(found)] == found


def test_a_counter_whose_follower_goes_on_elsewhere_may_have_moved() -> None:
    follower = Shifted(step=3, counter="de-pzg69", origin="1818", target="1717")
    found = [FLIGHT, PURSUIT, follower, RETURN]
    assert [*without_trials(GAME, found)] == found


def test_a_counter_that_is_back_where_it_began_sets_out_again_after_an_enemy_has_moved() -> None:
    tried = [evolve(FLIGHT, step=1), evolve(RETURN, step=2)]
    enemy = Shifted(step=3, counter="us-16", origin="1420", target="1421")
    again = evolve(FLIGHT, step=4)
    assert [*without_trials(GAME, [*tried, enemy, again])] == [*tried, enemy, again]


OUT = Shifted(step=1, counter="uk-26a", origin="1818", target="turn-box")
BACK = Shifted(step=4, counter="uk-26a", origin="turn-box", target="1918")


@pytest.mark.parametrize("together", [True, False])
def test_a_counter_that_comes_back_after_both_sides_have_moved_was_not_put_aside_for_a_moment(
    together: bool,
) -> None:
    advance = Shifted(step=2, counter="de-pzg69", origin="1817", target="1717")
    move = Shifted(step=3, counter="de-pzg115" if together else "uk-128", origin="1617", target="1517")
    found = [OUT, advance, move, BACK]
    moved = evolve(BACK, origin="1818")
    assert [*without_outings(GAME, found)] == ([advance, move, moved] if together else found)


def test_a_defender_who_retreats_after_another_onto_an_attacker_has_not_advanced_there() -> None:
    defenders = {"de-pzg69": "1818", "de-pzg115": "1818"}
    battle = Battle(1, attackers={"us-16": "1819"}, defenders=defenders, dice=[0])
    first = Shifted(step=2, counter="de-pzg69", origin="1818", target="1817")
    onto = Shifted(step=3, counter="de-pzg115", origin="1818", target="1819")
    sideways = Shifted(step=4, counter="us-16", origin="1819", target="1719")
    retreat = [DIE, onto, sideways]
    assert advances_after_retreats(GAME, retreat, {0: battle}) == (DIE, sideways, onto)
    beaten = [DIE, first, onto, sideways]
    assert advances_after_retreats(GAME, beaten, {0: battle}) == tuple(beaten)
