"""Random play and broken rules, a few seeds of them; the full run is tools/prove.py."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.audit import Report
from referee.engine.actions import NEXT, Action
from referee.engine.position import World
from referee.engine.rulings import Grade
from referee.games import find_idiom
from referee.judge import judge_record
from referee.record import parse, write
from referee.table import Replay, read_log
from referee.table.things import Piece
from tests.games.postcard1943.positions import the_world
from tools.proof.breakers import find_breaker
from tools.proof.breaking import broken_games
from tools.proof.comparing import differences, steps_read
from tools.proof.judging import MISSED, audit_broken, audit_game
from tools.proof.logs.game_logger import GameLogger
from tools.proof.logs.loggable import play_for_log
from tools.proof.logs.opening import Opening, opening_of
from tools.proof.playing import Played, Step, play

GAME = "postcard1943"
SEEDS = range(2, 4)


@pytest.fixture(scope="module")
def world() -> World:
    return the_world()


@pytest.fixture(scope="module")
def games(world: World) -> list[Played]:
    return [play_for_log(world, seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def opening() -> Opening:
    return opening_of(GAME)


@pytest.fixture(scope="module")
def audits(opening: Opening, games: list[Played]) -> list[tuple[Report, GameLogger]]:
    return [audit_game(opening, game.steps, game.seed) for game in games]


def test_random_games_come_to_their_end(games: list[Played]) -> None:
    assert [game.stuck for game in games] == [""] * len(games)


def test_what_is_reported_with_less_detail_stays_legal(games: list[Played]) -> None:
    assert [game.accusations for game in games] == [()] * len(games)


def test_the_record_of_a_legal_game_is_found_legal(games: list[Played]) -> None:
    for _, statements in judge_record(parse(write(games[0].record))):
        assert [each.statement.line for each in statements if each.ruling and each.ruling.breaches] == []


def test_games_have_all_that_a_game_has(games: list[Played]) -> None:
    played = {step.action.verb for game in games for step in game.steps}
    proposed = {"deploy", "arrive", "move", "attack", "bomb", "intercept", "retreat", "advance", "recover"}
    assert proposed <= played
    assert any(step.action.dragged for game in games for step in game.steps)
    assert any(len(step.action.pieces) > 1 for game in games for step in game.steps)


def test_the_same_seed_gives_the_same_game(world: World) -> None:
    assert write(play(world, 7, turns=2).record) == write(play(world, 7, turns=2).record)


def test_nobody_is_accused_in_the_logs_of_legal_games(audits: list[tuple[Report, GameLogger]]) -> None:
    for report, _ in audits:
        assert [(one.steps, one.says) for one in report.findings if one.grade is Grade.illegal] == []


def test_the_record_that_is_read_is_the_one_that_was_played(
    audits: list[tuple[Report, GameLogger]], games: list[Played]
) -> None:
    for (report, _), game in zip(audits, games, strict=True):
        assert list(differences(game.steps, list(steps_read(report.readings)), find_idiom(GAME))) == []


def test_a_written_log_is_read_back_as_it_was_written(
    tmp_path: Path, opening: Opening, audits: list[tuple[Report, GameLogger]]
) -> None:
    writer = audits[0][1].writer
    path = tmp_path / "played.vlog"
    path.write_bytes(opening.to_bytes(writer, "a random game"))
    log = read_log(path)
    assert log.stream.root == writer.log().stream.root
    replay = Replay(log, opening.module)
    assert len(list(replay.steps())) == writer.number
    table = replay.table
    for one in writer.board.pieces.values():
        piece = table.things[one.id]
        assert isinstance(piece, Piece)
        assert table.location_of(piece) == one.spot.name


def test_broken_rules_are_found_where_they_were_broken(opening: Opening, games: list[Played]) -> None:
    found = list(broken_games(games[0].steps, find_breaker(GAME), Random(1), most=30))
    assert len({broken.clause for broken in found}) > 20
    assert [broken.actions for broken in found if not broken.is_found] == []


@pytest.mark.parametrize("clause", ["seq.2", "disrupt.1", "air.2", "crt.1", "advance.3"])
def test_broken_rules_are_found_in_logs(opening: Opening, games: list[Played], clause: str) -> None:
    broken = [
        one
        for game in games
        for one in broken_games(game.steps, find_breaker(GAME), Random(1), clauses=[clause])
    ]
    assert broken
    for one in broken[:2]:
        verdict = audit_broken(opening, one, 1)
        assert verdict.outcome != MISSED
        assert verdict.wrong == ()


def test_what_is_left_undone_counts_wherever_it_is_reported(opening: Opening, games: list[Played]) -> None:
    """A hex that stays overfull when the turn track is advanced is reported again at the next page."""
    broken = next(broken_games(games[0].steps, find_breaker(GAME), Random(1), ["stack.2"]))
    breach = broken.steps[broken.last]
    assert breach.action.verb == NEXT.name
    verdict = audit_broken(opening, broken, 1)
    later = [one for one in verdict.findings if one.steps[0] > verdict.steps[1]]
    assert [one.clause for one in later] == ["stack.2"]
    assert later[0].says in {one.says for one in breach.ruling.breaches}


def test_who_breaks_a_rule_has_done_before_what_he_owed(games: list[Played]) -> None:
    for broken in broken_games(
        games[0].steps, find_breaker(GAME), Random(2), ["disrupt.2", "terrain.7"], times=4
    ):
        first, after = broken.steps[broken.first].before, broken.steps[broken.last + 1 :]
        owed = {breach.says for breach in first.play(Action(NEXT.name)).ruling.breaches}
        turned = next(step for step in after if step.action.verb == NEXT.name)
        assert not owed & {breach.says for breach in turned.ruling.breaches}


def test_battles_of_a_broken_game_are_those_of_the_legal_one_whatever_their_numbers(
    games: list[Played],
) -> None:
    legal = set(map(_fought, games[0].steps))
    for broken in broken_games(games[0].steps, find_breaker(GAME), Random(1), ["combat.3", "seq.2"], times=4):
        after = set(map(_fought, broken.steps[broken.last + broken.finishing + 1 :]))
        assert after <= legal


def _fought(step: Step) -> tuple[str, str, frozenset[str]] | None:
    """What is done about a battle: the verb, the hex and the attackers."""
    battle = step.before.battle(step.action.battle)
    if battle is None or step.action.verb not in ("roll combat", "call off", "retreat", "advance"):
        return None
    return step.action.verb, battle.target, frozenset(battle.attackers)
