"""What an audit shows besides its findings: the table step by step, battles, dice, losses, supply."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

from referee.audit import audit
from referee.report import text
from referee.report.as_json import report_json
from referee.report.dice import as_far
from referee.report.losses import give_back
from referee.report.visibility import ANYBODY, REFEREE, Viewer
from tests.audit import recorded
from tests.audit.test_genuine_logs import EXPECTED, audited
from tests.scribe.playing import Playing, the_game

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "findings.schema.json"


@cache
def values(name: str) -> dict[str, Any]:
    return report_json(audited(name))


def of(playing: Playing, viewer: Viewer = ANYBODY) -> dict[str, Any]:
    return report_json(playing.audited(), viewer)


def trusted(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(one["kind"], one["at"]) for one in found["unusual"]]


@cache
def validate() -> Any:
    return fastjsonschema.compile(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", EXPECTED)
def test_the_json_is_as_its_schema_says(name: str) -> None:
    validate()(json.loads(json.dumps(values(name))))


def test_the_schema_refuses_what_it_does_not_know() -> None:
    with pytest.raises(fastjsonschema.JsonSchemaException):
        validate()({**values("breaches"), "accused": True})


def test_the_steps_lead_from_the_opening_to_where_everybody_lies_in_the_end() -> None:
    for name in EXPECTED:
        places: dict[str, str] = {}
        for step in values(name)["steps"]:
            places |= {counter: one["place"] for counter, one in step.get("changes", {}).items()}
        grid = the_game().map.grid
        assert {one: place for one, place in places.items() if place in grid} == EXPECTED[name]["lying"]


def test_every_counter_is_listed_at_the_start_even_off_the_map() -> None:
    opening = values("breaches")["steps"][0]["changes"]
    assert opening["us1"]["place"] == ""
    assert set(opening) <= set(values("breaches")["counters"])


def test_in_a_single_log_entries_have_the_numbers_of_their_steps() -> None:
    assert all(step["at"] == step["step"] for step in values("breaches")["steps"])
    assert [finding["at"] for finding in values("breaches")["findings"]][:3] == [3, 10, 11]


def test_in_several_logs_entries_go_on_counting() -> None:
    steps = values("next")["steps"]
    assert [step["at"] for step in steps] == list(range(len(steps)))
    second = values("next")["logs"][1]
    assert (steps[second["first"]]["log"], steps[second["first"]]["step"]) == ("next.vlog", 0)


def test_a_move_is_reported_with_the_counter_and_both_ends() -> None:
    moved = values("breaches")["steps"][3]
    assert moved["moves"] == [{"counter": "broich", "from": "B5", "to": "C5"}]
    assert moved["moment"] == "turn 1, Allied movement"


def test_a_step_taken_back_and_the_one_that_did_so_know_each_other() -> None:
    steps = values("messy")["steps"]
    assert (steps[15]["undone_by"], steps[16]["undoes"]) == (16, 15)
    assert steps[16]["moves"] == [{"counter": "blade", "from": "C3", "to": "B2"}]


def test_chat_is_reported_with_its_speaker() -> None:
    assert values("messy")["steps"][1]["chat"] == [
        {"who": "Ada", "text": "Hello! I have not used this module before."}
    ]


def test_a_finding_on_a_move_shows_where_the_unit_could_have_gone() -> None:
    marched = next(one for one in values("breaches")["findings"] if one["clause"] == "move.2")
    assert marched["path"] == ["C5", "H5"]
    assert "D5" in {one["hex"] for one in marched["legal"]}
    assert "H5" not in {one["hex"] for one in marched["legal"]}


def test_a_finding_on_odds_shows_them_as_they_should_have_been() -> None:
    pressed = next(one for one in values("breaches")["findings"] if one["clause"] == "pressed.1")
    assert pressed["odds"]["column"] == "1:2"
    assert "  +1 hills [terrain.1]" in pressed["odds"]["lines"]


def test_battles_are_reported_with_odds_stated_and_computed_die_and_result() -> None:
    first = values("breaches")["battles"][0]
    assert (first["attackers"], first["target"], first["defenders"]) == (["blade"], "A4", ["superga"])
    assert first["stated"] == {"column": "1:3", "attack": "2", "defence": "3"}
    assert first["computed"]["column"] == "1:3"
    assert (first["dice"], first["result"], first["at"]) == ([6], "D", 14)


def test_odds_stated_wrong_stand_beside_the_right_ones() -> None:
    playing = Playing({"blade": "B4", "pz10": "B5"}, stop="Allied Combat")
    found = of(playing.attack(1, "B5", "blade").resolve(1, 2, 2, "1:1", 1, "AE"))
    assert [one["stated"]["column"] for one in found["battles"]] == ["1:1"]
    assert [one["computed"]["column"] for one in found["battles"]] == ["1:2"]
    assert any(one["odds"] and one["odds"]["column"] == "1:2" for one in found["findings"])


def test_rolls_are_counted_by_player_and_set_beside_chance() -> None:
    (ada,) = values("breaches")["dice"]
    assert (ada["player"], ada["rolled"], ada["counts"]) == ("Ada", 7, [1, 0, 0, 1, 3, 2])
    assert ada["fair_mean"] == 3.5


@pytest.mark.parametrize(("count", "total", "chance"), [(1, 6, 2 / 6), (2, 12, 2 / 36), (2, 7, 1), (0, 0, 1)])
def test_chance_is_calculated_exactly(count: int, total: int, chance: float) -> None:
    assert as_far(6, count, total) == pytest.approx(chance)


def test_losses_are_reported_by_turn_and_side() -> None:
    (lost,) = values("breaches")["losses"]
    assert (lost["counter"], lost["turn"], lost["side"], lost["back"]) == ("blade", 2, "allied", None)


def test_steps_that_a_unit_loses_in_a_turn_are_added_up_until_it_is_gone() -> None:
    lost = [(1, "pz10", 1), (1, "koch", 1), (1, "pz10", 2), (2, "pz10", 1), (2, "koch", 1), (2, "koch", 0)]
    reported_too = {**of(Playing()), "losses": [
        {"at": at, "turn": turn, "side": "axis", "counter": name, "steps": steps, "back": None}
        for at, (turn, name, steps) in enumerate(lost)
    ]}  # fmt: skip
    lines = [line.strip() for line in text.text_report(reported_too)]
    assert "Turn 1, Axis: 10th Panzer Division (3 steps), Parachute Regiment Koch (1" in lines
    assert "Turn 2, Axis: 10th Panzer Division (1 step), Parachute Regiment Koch" in lines


def test_a_step_that_is_given_back_is_reported_as_such() -> None:
    found = report_json(recorded.audited("vitoria1813", "messy"), REFEREE)
    of_morillo = [one for one in found["losses"] if one["counter"] == "es-morillo1"]
    assert [(one["steps"], one["back"] is not None) for one in of_morillo] == [
        (1, False),
        (1, True),
        (1, False),
    ]


def test_of_two_steps_lost_together_one_may_be_given_back() -> None:
    lost: list[dict[str, Any]] = [{"at": 3, "counter": "a", "steps": 2, "back": None}]
    give_back(lost, "a", 1, 7)
    assert [(one["steps"], one["back"]) for one in lost] == [(1, None), (1, 7)]


def test_a_loss_that_is_taken_back_is_none() -> None:
    assert of(Playing(stop="Allied Combat").eliminate("blade").undo())["losses"] == []


def test_what_comes_back_from_the_losses_is_reported_as_such() -> None:
    (lost,) = of(Playing(stop="Allied Combat").eliminate("blade").move("blade", "B1"))["losses"]
    assert (lost["at"], lost["back"]) == (1, 2)


def test_it_is_reported_since_when_a_unit_is_out_of_supply() -> None:
    start = {"blade": "C1", "superga": "B2", "pz10": "C2", "broich": "D1"}
    found = of(Playing(start, stop="Allied Movement").move("blade", "D3"))["supply"]
    assert found[-1]["at"] == 1
    assert found[-1]["short"]["blade"] == "cut off from supply"
    assert all("blade" not in one["short"] for one in found[:-1])


def test_an_honest_log_raises_no_doubts() -> None:
    assert values("clean")["unusual"] == []
    assert values("next")["unusual"] == []


def test_rolls_taken_back_and_repeated_are_reported_as_facts() -> None:
    assert trusted(values("messy")) == [("roll undone", 38), ("roll repeated", 69)]


def test_what_changed_between_two_logs_is_a_gap() -> None:
    first = Playing(stop="Allied Movement").move("blade", "B2").log("one.vlog")
    second = Playing({"blade": "C3", "pz10": "B5"}, stop="Allied Movement").say("on").log("two.vlog")
    found = report_json(audit([first, second], the_game()))
    gaps = [one["text"] for one in found["unusual"] if one["kind"] == "gap between logs"]
    assert "between one.vlog and two.vlog, Blade Force was in B2; it is now in C3" in gaps


def test_counters_added_or_deleted_in_mid_game_are_reported() -> None:
    playing = Playing({"blade": "B1", "pz10": "B5"}, stop="Allied Movement").lay("hart", "C1").delete("pz10")
    assert trusted(of(playing)) == [("counter added", 1), ("counter removed", 2)]


def test_markers_come_and_go_without_a_word() -> None:
    assert of(Playing(stop="Allied Combat").lay("m-disrupted", "B1"))["unusual"] == []


def test_a_player_who_moves_out_of_turn_is_reported() -> None:
    found = of(Playing(stop="Axis Movement").move("blade", "B2").turn().say("done"))
    assert trusted(found) == [("out of turn", 1)]


def test_who_takes_his_losses_off_the_map_in_the_other_turn_is_not() -> None:
    assert of(Playing(stop="Axis Combat").eliminate("blade"))["unusual"] == []


def masked() -> Playing:
    """Blade Force, which is masked, and Hart Force, which is not, march too far."""
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement", masks=["blade"])
    return playing.hide("blade").move("blade", "H6").move("hart", "I6")


def test_hidden_counters_and_findings_about_them_are_withheld() -> None:
    found = of(masked())
    assert found["withheld"] == 1
    assert {unit for one in found["findings"] for unit in one["units"]} == {"hart"}
    assert "moves" not in found["steps"][2]
    assert found["steps"][1]["changes"]["blade"] == {"place": ""}
    assert [found["steps"][at].get("face_down") for at in (1, 2)] == [{"B1": 1}, {"H6": 1}]
    assert not any("blade" in one["says"] for one in found["readings"] if one["at"])
    assert "Blade Force" not in json.dumps([found["unusual"], found["unread"], found["losses"]])
    assert all(one["legal"] == [] for one in found["findings"])


def test_what_is_hidden_altogether_is_not_reported_at_all() -> None:
    playing = Playing({"blade": "B1", "hart": "C1"}, stop="Allied Movement", cloaks=["blade"])
    found = of(playing.hide("blade").move("blade", "B2").hide("blade", on=False))
    assert not any("face_down" in step for step in found["steps"])
    assert "moves" not in found["steps"][2]
    assert found["steps"][3]["changes"]["blade"] == {"place": "B2"}


def test_they_are_shown_on_request() -> None:
    found = of(masked(), REFEREE)
    assert found["withheld"] == 0
    assert found["steps"][2]["moves"] == [{"counter": "blade", "from": "B1", "to": "H6"}]


def test_they_are_shown_when_the_game_is_over() -> None:
    playing = Playing({"blade": "B1", "hart": "C1"}, turn=7, stop="Axis Movement", masks=["blade"]).hide(
        "blade"
    )
    assert of(playing)["steps"][1].get("face_down")
    playing = playing.move("blade", "B2").turn(to="End of turn").say("that was it")
    assert not any("face_down" in step for step in of(playing)["steps"])


def test_the_text_fits_into_a_mail() -> None:
    lines = list(text.lines(audited("breaches")))
    assert lines[:3] == [
        "Postcard Tunisia 1943: The battle for Tunisia 1942-43",
        "Audit of breaches.vlog (89 steps), played by Ada",
        "Findings: 18 illegal, 0 unproven, 0 slips",
    ]
    assert max(map(len, lines)) <= text.WIDTH
    assert "--- Turn 1, Allied movement " + "-" * 50 in lines
    assert any("Division von Broich" in line for line in lines)
    assert not any("broich" in line for line in lines if line.startswith("  illegal"))
    assert "Losses:" in lines
    assert "  Turn 2, Allies: Blade Force" in lines


def test_findings_in_several_logs_begin_with_the_name_of_the_log_as_it_is() -> None:
    audit = values("breaches")
    both = {**audit, "logs": [*audit["logs"], {**audit["logs"][0], "name": "next.vlog"}]}
    lines = list(text.text_report(both))
    assert sum(line.startswith("breaches.vlog, step ") for line in lines) > 1
    assert not any(line.startswith("Breaches.vlog") for line in lines)


def test_the_text_says_how_much_it_keeps_to_itself() -> None:
    kept = "1 finding is about hidden units and withheld until the game is over."
    assert kept in "\n".join(text.lines(masked().audited()))
    assert "withheld" not in "\n".join(text.lines(masked().audited(), REFEREE))


def alike(audit: dict[str, Any], *names: str) -> dict[str, Any]:
    """An audit with findings of one step that differ in the unit only."""
    finding = next(one for one in audit["findings"] if one["clause"] == "disrupt.1")
    same = [
        {**finding, "id": f"{finding['id']}:{name}", "says": f"{name} is Disrupted and cannot move"}
        for name in names
    ]
    return {**audit, "findings": same}


def test_findings_that_differ_in_the_unit_only_are_folded_into_one() -> None:
    lines = list(text.text_report(alike(values("breaches"), "superga", "hart", "blade")))
    assert "  illegal disrupt.1: Superga Division is Disrupted and cannot move." in lines
    assert "  Likewise: Hart Force, Blade Force." in lines
    assert sum("disrupt.1" in line for line in lines) == 2  # with the line of the step


def test_notes_that_repeat_are_folded_into_one_line() -> None:
    notes = [
        {"log": "breaches.vlog", "step": at, "at": at, "text": said}
        for at, said in [
            (3, "blade is face down"),
            (3, "hart is face down"),
            (4, "a die was rolled again"),
            (6, "a die was rolled again"),
        ]
    ]
    lines = list(text.text_report({**values("breaches"), "unread": notes}))
    at = lines.index("Notes:")
    assert lines[at + 1 : at + 3] == [
        "  Step 3: Blade Force is face down. Likewise: Hart Force.",
        "  Steps 4, 6: A die was rolled again.",
    ]


def test_reconstructed_data_are_named_in_one_sentence() -> None:
    lines = " ".join(text.lines(audited("breaches")))
    assert "1 finding rests on reconstructed map, counter or chart values;" in lines


def test_a_battle_without_attackers_says_so() -> None:
    battle = {**values("breaches")["battles"][0], "attackers": [], "stated": None, "computed": None}
    battle |= {"dice": [], "result": ""}
    lines = list(text.text_report({**values("breaches"), "battles": [battle]}))
    assert "  Step 14: Attack on A4 (Superga Division) declared; no attackers yet" in lines
