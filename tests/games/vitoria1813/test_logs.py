"""Logs with rolls for generals, claims for either side, and duties fulfilled late."""

from __future__ import annotations

from referee.audit import Report
from referee.engine.actions import Action
from referee.engine.rulings import Grade
from referee.judge import judge_record
from referee.record import Place, parse
from tools.proof.judging import SIMPLE, audit_game
from tools.proof.logs.opening import opening_of
from tools.proof.playing import Step

GAME, SCENARIO, BOTH = "vitoria1813", "historical", 1
APPROACHED = """
at turn 3, French movement; place fr-tilly on 2417; place uk-dalhousie on 2617
move fr-tilly 2417-2517
"""
SURROUNDED = """
at turn 3, French movement; place uk-dalhousie on 2617; place fr-rey on 2517; place fr-morgan on 2616
place fr-lefol on 2716
place fr-stpol on 2717; place fr-remond on 2718; place fr-tilly on 2418
move fr-tilly 2418-2518-2618
roll approach 3 for uk-dalhousie
"""


def audited(record: str) -> Report:
    """The audit of a log of a case that one plays for both sides."""
    ((_, judged),) = judge_record(parse(f"game {GAME} scenario {SCENARIO}\ncase one\n{record}"))
    steps = [
        Step(one.statement.content, one.before, one.after, one.ruling)
        for one in judged
        if one.ruling is not None and isinstance(one.statement.content, Action)
    ]
    report, _ = audit_game(opening_of(GAME, SCENARIO), steps, BOTH, SIMPLE)
    return report


def found(record: str) -> set[str]:
    """The clauses that the audit of a case finds broken."""
    return {one.clause for one in audited(record).findings}


LEFT = """
at turn 3, French movement; place fr-rey on 2617 face up; place uk-byng on 2717 face up
move fr-rey 2617-2517
next
next
hide fr-rey
"""


def test_a_general_whom_the_die_spares_is_not_killed() -> None:
    assert found(f"{APPROACHED}\nroll approach 4 for uk-dalhousie\neliminate uk-dalhousie") == {"9.2b"}


def test_a_general_whom_the_die_kills_is_not_neutralised() -> None:
    assert found(f"{APPROACHED}\nroll approach 6 for uk-dalhousie\nneutralise uk-dalhousie") == {"9.2b"}


def test_a_general_goes_by_his_die() -> None:
    rolled = f"{APPROACHED}\nroll approach"
    assert not found(f"{rolled} 6 for uk-dalhousie\neliminate uk-dalhousie\nnext")
    assert not found(f"{rolled} 5 for uk-dalhousie\nneutralise uk-dalhousie\nnext")
    assert not found(f"{rolled} 2 for uk-dalhousie\nwithdraw uk-dalhousie 2617..2817\nnext")


def test_a_general_who_comes_round_in_the_next_turn_was_neutralised_before() -> None:
    rolled = f"{APPROACHED}\nroll approach 5 for uk-dalhousie\nneutralise uk-dalhousie"
    assert not found(f"{rolled}\nnext\nnext\nnext\nmove uk-dalhousie 2617..2817")


def test_who_falls_without_a_die_may_have_fallen_in_a_battle_that_nobody_declared() -> None:
    begun = APPROACHED.replace("place uk-dalhousie", "place fr-menne on 1012; place uk-dalhousie", 1)
    report = audited(f"{begun}\nnext\nnext\nreveal fr-menne\neliminate uk-dalhousie")
    assert [one.grade for one in report.findings if one.clause == "9.2b"] == [Grade.unproven]


def test_there_are_no_battles_to_declare_in_the_movement_phase() -> None:
    assert found(f"{APPROACHED}\neliminate uk-dalhousie") == {"9.2b"}
    assert found("at turn 3, French movement; place uk-dalhousie uk-byng on 2617\nlose uk-byng 1") == {"7.4a"}


def test_a_surrounded_general_does_not_move_off() -> None:
    assert "9.2j" in found(f"{SURROUNDED}withdraw uk-dalhousie 2617..2817")


def test_a_surrounded_general_is_lost() -> None:
    assert not found(f"{SURROUNDED}eliminate uk-dalhousie\nnext")


def test_a_unit_that_moves_before_another_recovers_in_the_next_phase_moved_among_the_leaders() -> None:
    begun = "at turn 3, French leaders; place fr-rey on 2617; place fr-morgan on 2217 disordered"
    moved = f"{begun}\nmove fr-rey 2617..2717\nnext"
    assert found(f"{moved}\nrecover fr-morgan\nnext\nnext") == {"2c"}
    assert found(f"{moved}\nnext\nnext") == set()


def test_a_claim_for_either_side_is_right_if_one_of_them_has_won_so() -> None:
    assert not found("at turn 1, Allied movement\nclaim french-major")


def test_a_claim_for_either_side_is_wrong_if_none_has_won_so() -> None:
    assert found("at turn 1, Allied movement\nclaim french-strategic") == {"12.2b"}


ADVANCED = """
at turn 3, French combat; place fr-rey on 2617 face down; place uk-cadogan on 2717
reveal fr-rey
attack 2717 with fr-rey
roll combat 5
lose fr-rey 1
lose uk-cadogan 1
retreat uk-cadogan 2717..2817
hide fr-rey
advance fr-rey 2617..2717
"""


def test_who_is_face_down_and_announces_the_same_twice_advances_twice() -> None:
    contents = [one.statement.content for one in audited(f"{ADVANCED}advance fr-rey 2717..2718").readings]
    advances = [
        content.path for content in contents if isinstance(content, Action) and content.verb == "advance"
    ]
    assert advances == [("2617", "2717"), ("2717", "2718")]


def test_a_counter_turned_down_later_does_not_put_off_what_was_owed_before() -> None:
    assert "4.3b" in found(LEFT)


def test_a_step_that_was_owed_is_lost_late() -> None:
    late = LEFT.replace("next\nnext\nhide fr-rey", "next\nlose fr-rey 1\nnext\nhide fr-rey")
    assert not found(late)


ROUTED = """
at turn 3, French combat; place fr-rey fr-morgan on 2617; place uk-cadogan on 2317; place uk-byng on 2517
attack 2517 with fr-rey fr-morgan
roll combat 6
result 1|2+D
lose fr-rey 1
lose uk-byng 2
rout uk-byng 2517..2017
"""


def test_who_goes_five_hexes_after_a_rout_routs_though_he_does_not_say_so() -> None:
    contents = [one.statement.content for one in audited(ROUTED).readings]
    assert "rout" in {content.verb for content in contents if isinstance(content, Action)}


def read(record: str) -> list[Action]:
    """The actions that are read off the log of a case."""
    contents = (one.statement.content for one in audited(record).readings)
    return [content for content in contents if isinstance(content, Action)]


def test_who_was_dragged_out_and_back_may_have_come_from_elsewhere() -> None:
    game = """
at turn 3, Allied movement; place uk-cadogan on 2717
move uk-cadogan 2717-2817
move uk-cadogan 2817-2717
next
"""
    assert [one.verb for one in read(game) if one.pieces] == ["come back"]


def test_a_retreat_that_is_announced_for_the_combat_at_hand_is_one_of_its_own() -> None:
    game = """
at turn 3, French combat; place fr-rey on 2617 face up; place uk-cadogan on 2717 face up
place fr-braun on 2310 face up; place uk-byng on 2410 face up
attack 2717 with fr-rey battle 1
roll combat 5 battle 1
lose fr-rey 1 battle 1
lose uk-cadogan 1 battle 1
attack 2410 with fr-braun battle 2
roll combat 4 battle 2
retreat uk-cadogan 2717-2817
"""
    retreats = [one for one in read(game) if one.verb == "retreat"]
    first = next(one for one in read(game) if one.target == "2717")
    assert [one.battle for one in retreats] == [first.battle]


def test_an_advance_that_should_not_have_been_made_drives_no_general_off() -> None:
    game = """
at turn 3, Allied combat; place uk-cadogan on 2617 face up; place fr-rey on 2717 face up
place fr-gazan on 2618
attack 2717 with uk-cadogan
roll combat 6
lose uk-cadogan 1
lose fr-rey 1
retreat fr-rey 2717-2817
advance uk-cadogan 2617-2517-2518
next
"""
    assert "7.5c" in found(game)
    assert "9.2e" not in found(game)


def test_a_routed_unit_that_is_dragged_in_its_movement_phase_makes_its_rout_move() -> None:
    game = "at turn 3, {} movement; place fr-rey on 2617 face up{}; place uk-byng on 0310\n"
    routed, rallied = game.format("French", " routed"), game.format("French", "")
    assert [one.verb for one in read(f"{routed}flee fr-rey 2617..2817") if one.path] == ["flee"]
    assert [one.verb for one in read(f"{rallied}move fr-rey 2617..2817") if one.path] == ["move"]


MARKED_IN_A_RALLY = """
at turn 3, French rally; place fr-rey on 2617 face up; place {convoy} face up; place uk-byng on 0310 face up
disorder fr-rey
next
move fr-rey {path}
next
hide fr-rey
"""


def test_who_is_marked_in_a_rally_phase_is_not_marked_for_what_he_may_do_in_the_next() -> None:
    marked = audited(MARKED_IN_A_RALLY.format(convoy="fr-convoy1 on 3010", path="2617..2717"))
    assert [(one.clause, one.grade) for one in marked.findings] == [("4.5b", Grade.illegal)]
    passed = audited(MARKED_IN_A_RALLY.format(convoy="fr-convoy1 on 2616", path="2617..2817"))
    assert [(one.clause, one.grade) for one in passed.findings] == [("7.8a", Grade.unproven)]
    (finding,) = passed.findings
    assert finding.reading.statement.content == Action("disorder", ("fr-rey",))


def test_engineers_have_no_marker_for_being_out_of_control() -> None:
    game = """
at turn 3, Allied movement; place uk-sappers on 2617 face up; place fr-convoy1 on 2817 face up
place fr-rey on 0310 face up
move uk-sappers 2617-2717
roll pillage 5 for uk-sappers
go wild uk-sappers on 2817
disorder uk-sappers
next
hide uk-sappers
"""
    assert not found(game)


def test_who_is_marked_out_of_control_after_entering_the_convoys_hex_went_out_of_control_once() -> None:
    game = """
at turn 3, Allied movement; place uk-cadogan on 2617 face up; place fr-convoy1 on 2817 face up
place fr-rey on 0310 face up
move uk-cadogan 2617-2717
roll pillage 5 for uk-cadogan
go wild uk-cadogan on 2817
disorder uk-cadogan
next
hide uk-cadogan
"""
    report = audited(game)
    contents = [one.statement.content for one in report.readings]
    (entered,) = [at for at, one in enumerate(contents) if isinstance(one, Action) and one.verb == "go wild"]
    after = contents[entered + 1 :]
    assert not report.findings
    assert [one.verb for one in after if isinstance(one, Action)] == ["disorder", "next", "hide"]
    assert not [one for one in after if isinstance(one, Place)]


MAKING_ROOM = """
at turn 3, French movement; place fr-rey fr-morgan fr-lefol fr-sapeurs on 2517 face up
place uk-cadogan on 2717 face up
move fr-sapeurs 2517..2617
"""


def test_who_is_not_marked_disordered_has_not_made_room_but_moved() -> None:
    moved = audited(f"{MAKING_ROOM}move fr-rey 2517..2418\nnext").findings
    assert [(one.clause, one.grade) for one in moved] == [("10a", Grade.illegal)]


def test_who_is_marked_disordered_has_made_room_though_he_might_have_moved() -> None:
    steps_back = "place fr-rey on 2517 face up; place uk-cadogan on 2617 face up"
    game = f"""
at turn 3, French movement; {steps_back}; place fr-morgan fr-lefol on 2417 face up
move fr-rey 2517-2417
lose fr-rey 1
move fr-lefol 2417..2317
disorder fr-lefol
next
"""
    assert not found(game)


def test_who_is_marked_disordered_has_made_room_though_another_hex_was_better() -> None:
    record = """
        at turn 3, French rally; place fr-rey on 2517 face up; place uk-cadogan on 2617 face up
        place fr-morgan fr-lefol on 2417; place uk-byng on 2319
        next
        move fr-rey 2517-2417
        lose fr-rey 1
        displace fr-lefol 2417-2418
        disorder fr-lefol
        lose fr-lefol 1
        reveal fr-lefol uk-byng
        next
        next
        """
    accused = {one.clause for one in audited(record).findings if one.grade is Grade.illegal}
    assert accused == set()


FIRING_LATE = """
at turn 3, French fire; place fr-rey on 2617 face up; place fr-art-gazan1 on 2616 face up
place uk-cadogan on 2717 face up; place uk-byng on 2615 face up
next
{}fire 2615 with fr-art-gazan1 battle 2
roll combat 4 battle 2
lose uk-byng 1
attack 2717 with fr-rey battle 3
roll combat 4 battle 3
lose fr-rey 1
lose uk-cadogan 1
"""


def test_fire_is_too_late_as_soon_as_anything_is_done_in_the_combat_phase_that_the_track_shows() -> None:
    begun = "attack 2717 with fr-rey battle 1\ncall off battle 1\n"
    assert found(FIRING_LATE.format("")) == set()
    assert found(FIRING_LATE.format(begun)) == {"2h"}


def test_a_retreat_past_a_casualty_that_is_removed_after_the_phase_is_not_one_into_its_zone() -> None:
    game = """
at turn 3, French combat; place fr-rey on 2617 steps 1 face up; place fr-morgan on 2718 face up
place uk-cadogan on 2717 face up
attack 2717 with fr-rey fr-morgan
roll combat 5
lose uk-cadogan 1
retreat uk-cadogan 2717..2716
hide uk-cadogan
advance fr-morgan 2718..2717
next
eliminate fr-rey
"""
    assert {one.grade for one in audited(game).findings} == {Grade.unproven}


def test_a_general_who_moves_off_after_the_track_was_advanced_has_moved_off() -> None:
    game = """
at turn 5, Allied movement; place uk-fane on 2416 face up; place fr-gazan on 2616 face up
move uk-fane 2416-2516
roll approach 3 for fr-gazan
next
withdraw fr-gazan 2616-2716-2816
"""
    assert not audited(game).findings
