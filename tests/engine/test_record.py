"""Records: written and read back, and every mistake in one reported with its line."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.actions import Action, Part, Verb
from referee.engine.clock import Clock, Date
from referee.engine.position import Face, Mark, World
from referee.engine.rulings import Grade
from referee.games import find_rules
from referee.record import (
    Adopt,
    At,
    Case,
    Expectation,
    Place,
    Record,
    SetTerrain,
    SetUp,
    Spend,
    Statement,
    parse,
    write,
)
from referee.record.words import known_words
from vassalgen.game.finding import open_game
from vassalgen.problems import BadInput

GAME = "postcard1943"


@cache
def world() -> World:
    game = open_game(GAME)
    return find_rules(GAME).world(game)


def counters() -> list[str]:
    return list(world().rulebook.empty(world()).pieces)


pieces = st.deferred(
    lambda: st.lists(st.sampled_from(counters()), min_size=1, max_size=3, unique=True).map(tuple)
)
hexes = st.deferred(lambda: st.sampled_from(world().game.map.grid.names))
clocks = st.deferred(
    lambda: st.builds(Clock, st.integers(1, 8), st.integers(0, len(world().calendar.stops) - 1))
)
faces: st.SearchStrategy[Face] = st.sampled_from(["", "up", "down"])


@st.composite
def walks(draw: st.DrawFn) -> tuple[str, ...]:
    path = [draw(hexes)]
    for _ in range(draw(st.integers(1, 4))):
        path.append(draw(st.sampled_from(world().game.map.grid.neighbours(path[-1]))))
    return tuple(path)


@st.composite
def actions(draw: st.DrawFn) -> Action:
    verb = draw(st.sampled_from(list(world().rulebook.verbs.values())))
    fields: dict[str, object] = {"words": ()}
    _fill(draw, verb, verb.parts, fields)
    return Action(verb.name, **fields)  # type: ignore[arg-type]  # the fields fit by construction


def _fill(draw: st.DrawFn, verb: Verb, parts: tuple[Part, ...], fields: dict[str, object]) -> None:
    labels: tuple[str, ...]
    for part in parts:
        if part.kind == "optional":
            if not draw(st.booleans()):
                continue
            texts = [inner.text for inner in part.parts if inner.kind == "literal"]
            slots = [inner.text for inner in part.parts if inner.kind == "slot"]
            labels = fields["words"]  # type: ignore[assignment]  # it is a tuple of texts
            if texts == ["battle"]:
                fields["battle"] = draw(st.integers(1, 9))
            elif slots == ["NUMBER"]:
                fields["words"] = (*labels, f"{texts[0]} {draw(st.integers(0, 20))}")
            elif not slots:
                fields["words"] = (*labels, " ".join(texts))
            else:
                _fill(draw, verb, part.parts, fields)
        elif part.text in ("PIECES", "PIECE"):
            kinds = verb.kinds or tuple(world().game.kinds)
            able = [name for name in counters() if world().game.counters[name].kind in kinds]
            found = tuple(draw(st.lists(st.sampled_from(able), min_size=1, max_size=3, unique=True)))
            fields["pieces"] = found if part.text == "PIECES" else found[:1]
        elif part.text == "PATH":
            fields["dragged"] = draw(st.booleans())
            drag = st.lists(hexes, min_size=2, max_size=3).map(tuple)
            fields["path"] = draw(drag if fields["dragged"] else walks())
        elif part.text == "HEX":
            fields["target"] = draw(hexes)
        elif part.text == "DIE":
            fields["dice"] = (draw(st.integers(1, 6)),)
        elif part.text == "PHASE":
            fields["clock"] = draw(clocks)
        elif part.text == "WORD":
            labels = fields["words"]  # type: ignore[assignment]  # it is a tuple of texts
            choice = verb.choices[len(labels)] if len(labels) < len(verb.choices) else "SIDE"
            fields["words"] = (*labels, draw(st.sampled_from(known_words(world().game, choice))))


@st.composite
def placements(draw: st.DrawFn) -> Place:
    game = world().game
    dates = st.builds(Date, st.integers(1, 7), st.sampled_from(["", *world().calendar.order]))
    marks = st.builds(Mark, st.just(1), st.none() | dates)
    where = st.none() | st.just("") | hexes | st.sampled_from(list(game.map.boxes))
    names = draw(pieces)
    counters = [game.counters[name] for name in names]
    able = [state.id for state in game.states.values() if all(one.kind in state.kinds for one in counters)]
    states = st.dictionaries(st.sampled_from(able), marks, max_size=2) if able else st.just({})
    steps = st.none() | st.integers(1, min(one.steps for one in counters))
    return Place(names, draw(where), draw(steps), draw(states), draw(faces), draw(st.booleans()))


@st.composite
def adoptions(draw: st.DrawFn) -> Adopt:
    ruling = draw(st.sampled_from(list(world().game.rulings.values())))
    return Adopt(ruling.id, draw(st.sampled_from(world().rulebook.judged_readings(world().game, ruling.id))))


comments = st.from_regex(r"[a-zA-Z][a-zA-Z ;!0-9]{0,10}[a-z]", fullmatch=True)
clauses = st.deferred(lambda: st.sampled_from(list(world().game.clauses)))
grades = st.sampled_from([grade for grade in Grade if grade != Grade.legal])
breaches = st.frozensets(st.tuples(grades, clauses), min_size=1, max_size=3)
one_of = st.frozensets(breaches | st.just(frozenset()), min_size=1, max_size=3)
expectations = st.builds(Expectation, one_of) | st.builds(
    Expectation, st.frozensets(breaches, min_size=1, max_size=2), st.just(value=True)
)
points = st.fractions(min_value=0, max_value=12, max_denominator=6)
terrain = st.deferred(lambda: st.builds(SetTerrain, hexes, st.sampled_from(list(world().game.terrain))))
settings_up = st.one_of(
    placements(),
    adoptions(),
    terrain,
    st.builds(Spend, pieces, points),
    st.builds(At, clocks, st.booleans()),
    st.just(SetUp()),
)
done = st.builds(Statement, settings_up, comment=st.just("") | comments) | st.builds(
    Statement, actions(), st.none() | expectations, st.just("") | comments
)
statements = st.lists(done | st.builds(Statement, st.none(), st.none(), comments), max_size=4).map(tuple)
titles = st.just("") | st.from_regex(r"about [a-z]{1,5}( [a-z]{1,5})?", fullmatch=True)
about = st.lists(clauses, max_size=2, unique=True).map(tuple)
cases = st.builds(Case, about, titles, statements)


@settings(max_examples=100, deadline=None)
@given(statements, st.lists(cases, max_size=2).map(tuple))
def test_what_is_written_is_read_back(main: tuple[Statement, ...], several: tuple[Case, ...]) -> None:
    record = Record(GAME, world().scenario.id, main, several, world())
    text = write(record)
    found = parse(text, known=[world()])
    assert found == record
    assert write(found) == text


def problems(text: str) -> list[str]:
    with pytest.raises(BadInput) as caught:
        parse(text, "game.record")
    return [str(problem) for problem in caught.value.problems]


def test_all_mistakes_are_reported_at_once_with_their_lines() -> None:
    text = f"""game {GAME}
case move.99 a clause that does not exist
at turn 3, Axis brunch
place pz100 on B5; place pz10 on Z9
move pz10 B5-D5
move pz10 B5..B4-A4
moove pz10 B5-B4
move pz10 B5-B4 ! wrong move.1
move pz10 B5-B4 ! legal move.1
move pz10 B5-B4 ! illegal move.77
roll combat
adopt even-chance middle
attack B4
"""
    reported = problems(text)
    assert [problem.split(":")[1].strip() for problem in reported] == [
        f"line {n}" for n in (2, 3, 4, 4, *range(5, 14))
    ]
    assert all(problem.startswith("game.record: line ") for problem in reported)
    assert reported[2] == "game.record: line 4: no counter 'pz100': did you mean 'pz10'?"
    assert reported[4] == "game.record: line 5: B5 and D5 are not adjacent: B5..D5 for a drag"
    assert "'moove pz10 B5-B4' is not understood: did you mean 'move'?" in reported[6]
    assert "'with' is missing: attack HEX with PIECES" in reported[12]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "line 1: the record is empty"),
        ("move pz10 B5-B4\n", "line 1: the record begins with 'move pz10 B5-B4'"),
        ("game nowhere1943\n", "game.record: line 1: nowhere1943: there is no such game"),
        (f"game {GAME} scenario sundown\n", "game.record: line 1: sundown: there is no such scenario"),
    ],
)
def test_a_record_needs_its_header(text: str, wrong: str) -> None:
    assert wrong in problems(text)[0]


def test_comments_may_come_before_the_header() -> None:
    assert parse(f"# the first game of the club\ngame {GAME}\n").main == ()


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x0b", "\x0c"])
def test_a_sign_that_no_editor_ends_a_line_at_ends_none(sign: str) -> None:
    found = parse(f"game {GAME}\r\nnext # as agreed{sign}over the phone\r\n")
    assert found.main[0].comment == f"as agreed{sign}over the phone"
    assert problems(f"game {GAME}\n# as agreed{sign}over\nfly\n")[0].startswith("game.record: line 3")


def test_a_phase_is_read_without_the_comma() -> None:
    with_it, without = (parse(f"game {GAME}\nat turn 3{comma} Axis combat\n") for comma in (",", ""))
    assert [one.content for one in with_it.main] == [one.content for one in without.main]


@pytest.mark.parametrize("said", ["Axis combat phase", "axis Combat Phase", "axis combat"])
def test_a_phase_may_be_called_one(said: str) -> None:
    with_it, without = (parse(f"game {GAME}\nat turn 3, {one}\n") for one in (said, "Axis combat"))
    assert [one.content for one in with_it.main] == [one.content for one in without.main]


@pytest.mark.parametrize(("said", "phase"), [("Axis return to base", "Axis return"), ("End of turn", "end")])
def test_a_phase_may_be_called_by_its_title(said: str, phase: str) -> None:
    by_title, by_id = (parse(f"game patton1943\nat turn 3, {one}\n") for one in (said, phase))
    assert [one.content for one in by_title.main] == [one.content for one in by_id.main]


def test_counters_may_be_joined_by_and() -> None:
    content = parse(f"game {GAME}\nplace pz10, broich and koch on B5\n").main[0].content
    assert content == Place(("pz10", "broich", "koch"), "B5")


def test_towns_may_be_named_in_place_of_hexes() -> None:
    record = parse(f"game {GAME}\nplace pz10 on Tunis\n")
    assert record.main[0].content == Place(("pz10",), "B5")


def test_names_in_quotes_are_those_of_counters_and_places() -> None:
    record = parse(
        f'game {GAME}\nplace "Blade Force" pz10 on "Medjez el Bab"\nmove "blade force" "Tunis"-B4\n'
    )
    placed, moved = (one.content for one in record.main)
    assert placed == Place(("blade", "pz10"), "B4")
    assert isinstance(moved, Action)
    assert (moved.pieces, moved.path) == (("blade",), ("B5", "B4"))


@pytest.mark.parametrize(
    ("game", "said", "pieces"),
    [
        ("postcard1943", "Blade Force", ("blade",)),
        ("postcard1943", "BLADE Pz10", ("blade", "pz10")),
        ("vitoria1813", "Cadogan W. Grant hill", ("uk-cadogan", "uk-grant", "uk-hill")),
        ("tunisia1943", "22 Armd Bde", ("uk-22a",)),
        ("tunisia1943", "Pz Regt 5", ("de-pz5",)),
        ("tunisia1943", "5 NZ Bde", ("nz-5",)),
    ],
)
def test_counters_may_be_called_by_what_only_one_is_called(
    game: str, said: str, pieces: tuple[str, ...]
) -> None:
    content = parse(f"game {game}\nplace {said} off\n").main[0].content
    assert isinstance(content, Place)
    assert content.pieces == pieces


def test_capitals_do_not_matter() -> None:
    text = "At turn 3, axis movement\nMove PZ10 b5-b4 ! Illegal MOVE.1\n"
    small = "at turn 3, Axis movement\nmove pz10 B5-B4 ! illegal move.1\n"
    assert parse(f"game {GAME}\n{text}").main == parse(f"game {GAME}\n{small}").main


def test_a_phase_without_its_turn_is_the_next_one() -> None:
    record = parse(f"game {GAME}\nat turn 3, Axis combat\nnext Allied combat\nnext Axis combat\n")
    turns = [
        one.content.clock.turn
        for one in record.main[1:]
        if isinstance(one.content, Action) and one.content.clock
    ]
    assert turns == [4, 4]


@pytest.mark.parametrize("phase", ["combat", "combat phase", "Combat"])
def test_a_phase_without_its_side_is_the_next_one_of_that_name(phase: str) -> None:
    record = parse(f"game {GAME}\nat turn 3, Axis movement\nnext {phase}\nnext {phase}\n")
    reached = [one.content.clock for one in record.main[1:] if isinstance(one.content, Action)]
    named = parse(f"game {GAME}\nat turn 3, Axis movement\nnext Axis combat\nnext Allied combat\n")
    assert reached == [one.content.clock for one in named.main[1:] if isinstance(one.content, Action)]


def test_a_title_may_begin_with_a_section() -> None:
    assert parse("game vitoria1813\ncase 9.1 help from afar\n").cases[0].title == "9.1 help from afar"


def test_a_name_in_quotes_that_several_counters_have_is_refused() -> None:
    with pytest.raises(BadInput, match="several counters are called 'Luftwaffe': one of de-air1, de-air2"):
        parse('game patton1943\nplace "Luftwaffe" on 8414\n')


@pytest.mark.parametrize(
    ("game", "said", "column"),
    [
        ("postcard1943", "2/1", "2:1"),
        ("postcard1943", "1-2", "1:2"),
        ("postcard1943", "9/1", "9/1"),
        ("tunisia1943", "3:2", "3/2"),
        ("patton1943", "-1", "-1"),
    ],
)
def test_odds_of_a_column_may_be_written_in_any_notation(game: str, said: str, column: str) -> None:
    verb = "attack total" if game == "patton1943" else "odds"
    content = parse(f"game {game}\n{verb} {said}\n").main[0].content
    assert isinstance(content, Action)
    assert content.words == (column,)


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("place pz10 on B5 ! legal", "'place pz10 on B5' is not an action and has no ruling"),
        ("at turn 3, Axis combat ! legal", "'at turn 3, Axis combat' is not an action and has no ruling"),
        ("adopt even-chance high ! legal", "'adopt even-chance high' is not an action and has no ruling"),
        ("set up ! illegal move.1", "'set up' is not an action and has no ruling"),
        ("place pz10 on B5 steps 5", "pz10 never has 5 steps"),
        ("place pz10 on B5 steps 0", "pz10 never has 0 steps"),
        ("place meaaf on B5 disrupted", "meaaf is never disrupted: only a counter of kind ground unit is"),
        ("place m-turn on B5", "m-turn is a marker and is never placed"),
        ("place pz10 on B5 disrupted level 2", "pz10 is never disrupted level 2"),
        ("place pz10 on B5 disrupted turn 33", "there is no turn 33"),
        ("at turn 33, Axis combat", "there is no turn 33"),
        ("at turn 3, Axis combta", "did you mean 'Axis combat'?"),
        ("place pz10 on Tnuis", "no hex 'Tnuis': did you mean 'Tunis'?"),
        (
            "place 1st Division on B5",
            "several counters may be meant by '1st Division': one of us1, uk1",
        ),
        ("place Blade Fort on B5", "no state 'Fort'"),
        ('place "Blade Fors" on B5', "no counter or place 'Blade Fors': did you mean 'Blade Force'?"),
        ("place pz10 on B55", "no hex 'B55': did you mean 'B5'?"),
        ("place pz10 on B5 disrupted turn 2 Axsi", "no side 'Axsi': did you mean 'Axis'?"),
        ("rol combat 3", "did you mean 'roll combat'?"),
        ("plaec pz10 on B5", "did you mean 'place'?"),
        ("next ! ilegal move.1", "no grade 'ilegal': did you mean 'illegal'?"),
        ("next ! legal and more", "a legal action breaks no clause"),
        ("next ! legal ! illegal move.1", "a legal action breaks no clause"),
        ("next ! illegal move.1 or", "no grade ''"),
        ("claim nobody", "no side 'nobody': expected one of "),
        ("claim axsi", "no side 'axsi': did you mean 'axis'?"),
        ("result Drr", "no result 'Drr': did you mean"),
        ("odds 2to1", "no odds column '2to1'"),
        ("terrain B5 swmap", "no terrain 'swmap': did you mean 'swamp'?"),
        ("bridge B5 B4 destroyed", "bridges are never destroyed in this game"),
        ("spent pz10 many", "the points spent must be a number"),
    ],
)
def test_what_can_never_be_is_refused_with_what_would_be_right(statement: str, wrong: str) -> None:
    (reported,) = problems(f"game {GAME}\n{statement}\n")
    assert reported.startswith("game.record: line 2: ")
    assert wrong in reported


def test_the_grade_of_an_alternative_is_that_of_the_one_before() -> None:
    record = parse(f"game {GAME}\nnext ! illegal move.1 or move.2 or slip seq.2 and more\n")
    one, two, other = (Grade.illegal, "move.1"), (Grade.illegal, "move.2"), (Grade.slip, "seq.2")
    wanted = frozenset({frozenset({one}), frozenset({two}), frozenset({other})})
    assert record.main[0].expected == Expectation(wanted, more=True)
