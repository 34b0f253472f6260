"""No password leaves a stream that was cleaned, and nothing else about it changes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal.strategies_streams import classes_of_commands, commands_of, real_files
from vassalgen.vassal import commands, sequences, streams
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    Notes,
    PrivateNote,
    RemovePlayer,
    Unknown,
    Unmask,
)
from vassalgen.vassal.secrets import Redactor
from vassalgen.vassal.streams import ESC, LOG, Node

BASIC = "piece;;;a.png;1st"
PLACE = "Map;10;20;3;0"
HIDE = "hide;73,130;Hide;;player:;0.3"
HIDE_BY_SIDE = "hide;73,130;Hide;;side:;0.3"
MASK = "obs;77,130;back.png;Mask;I;?;player:;Peek"
MASK_BY_SIDE = "obs;77,130;back.png;Mask;I;?;sides:Blue:Red;Peek"
RESTRICT = "restrict;Blue,Red;true;true"
MARK = "mark;Side"

ANN = "PLAYER\tsesame\tAnn\tBlue"
BOB = "PLAYER\topensez\tBob\tRed"


def piece(*traits: str, id: str = "17", states: tuple[str, ...]) -> str:  # noqa: A002 - VASSAL's own word
    """The text that makes a piece of such traits, outermost first, with their states."""
    type_ = sequences.nest([*traits, BASIC], "\t")
    return "+/" + sequences.encode([id, type_, sequences.nest([*states, PLACE], "\t")], "/")


def change(new: tuple[str, ...], old: tuple[str, ...], id: str = "17") -> str:  # noqa: A002
    return "D/" + sequences.encode([id, *(sequences.nest([*one, PLACE], "\t") for one in (new, old))], "/")


def cleaned(*texts: str) -> list[str]:
    """The texts of a stream's commands after cleaning, those of the first law included."""
    nodes = [Node(text) for text in texts]
    redactor = Redactor(nodes)
    return [redactor.clean(node.command).encode() for node in nodes]


def states(text: str) -> list[list[str]]:
    """The states in the text of a command about a piece, each part by part."""
    command = commands.decode(text)
    if isinstance(command, AddPiece):
        return [sequences.unnest(command.state, "\t")]
    assert isinstance(command, ChangePiece)
    return [sequences.unnest(command.new_state, "\t"), sequences.unnest(command.old_state or "", "\t")]


class TestPlayers:
    def test_players_are_named_wherever_vassal_writes_their_ids(self) -> None:
        assert cleaned(
            ANN,
            f"{LOG}M/17/Map/1/2/null/Map/3/4/null/sesame",
            "PNOTE\tsesame\tmine",
            "SNOTE\tplan\tsesame\ttrue\tat dawn\t\th1",
            "UNMASK\tsesame",
            "CLOCK\tsesame\tBlue\t0\t0\tfalse\tfalse",
            "LOCKSPOTAB\tOptions\tAnn\tsesame\ttoday",
            f"{LOG}PYREMOVE\tsesame",
        ) == [
            "PLAYER\t@Ann\tAnn\tBlue",
            "M/17/Map/1/2/null/Map/3/4/null/@Ann",
            "PNOTE\t@Ann\tmine",
            "SNOTE\tplan\t@Ann\ttrue\tat dawn\t\th1",
            "UNMASK\t@Ann",
            "CLOCK\t@Ann\tBlue\t0\t0\tfalse\tfalse",
            "LOCKSPOTAB\tOptions\tAnn\t@Ann\ttoday",
            "PYREMOVE\t@Ann",
        ]

    def test_an_oddly_spelt_command_does_not_keep_its_spelling(self) -> None:
        command = Redactor([Node("PLAYER\t'sesame'\tAnn\tBlue")]).clean(
            commands.decode("PLAYER\t'sesame'\tAnn\tBlue")
        )
        assert command.encode() == "PLAYER\t@Ann\tAnn\tBlue"
        assert command.written is None

    def test_players_of_one_name_are_told_apart(self) -> None:
        found = cleaned("PLAYER\tone\tAnn\tBlue", "PLAYER\ttwo\tAnn\tRed", "PLAYER\tthree\tAnn (2)\tGrey")
        assert found == [
            "PLAYER\t@Ann\tAnn\tBlue",
            "PLAYER\t@Ann (2)\tAnn\tRed",
            "PLAYER\t@Ann (2) (2)\tAnn (2)\tGrey",
        ]

    def test_a_player_listed_twice_is_one_player(self) -> None:
        assert cleaned(ANN, ANN, BOB) == ["PLAYER\t@Ann\tAnn\tBlue"] * 2 + ["PLAYER\t@Bob\tBob\tRed"]

    def test_a_player_who_changes_name_and_side_keeps_the_first_name(self) -> None:
        found = cleaned(ANN, f"{LOG}PYREMOVE\tsesame", f"{LOG}PLAYER\tsesame\tAnna\tRed")
        assert found == ["PLAYER\t@Ann\tAnn\tBlue", "PYREMOVE\t@Ann", "PLAYER\t@Ann\tAnna\tRed"]

    def test_a_player_who_sits_down_late_is_known_before(self) -> None:
        found = cleaned(f"{LOG}M/17/Map/1/2/null/Map/3/4/null/sesame", f"{LOG}{ANN}")
        assert found[0].endswith("/@Ann")

    def test_people_who_only_move_are_numbered(self) -> None:
        move = "M/17/Map/1/2/null/Map/3/4/null/"
        found = cleaned(ANN, move + "hush", move + "sesame", move + "psst", move + "hush", "PNOTE\tshy\tmine")
        names = [text.rpartition("/")[2] for text in found[1:5]]
        assert names == ["@observer 1", "@Ann", "@observer 2", "@observer 1"]
        assert found[5] == "PNOTE\t@observer 3\tmine"

    def test_a_player_called_like_a_numbered_one_is_another(self) -> None:
        found = cleaned("M/17/Map/1/2/null/Map/3/4/null/hush", "PLAYER\tsesame\tobserver 1\tBlue")
        assert found == [
            "M/17/Map/1/2/null/Map/3/4/null/@observer 2",
            "PLAYER\t@observer 1\tobserver 1\tBlue",
        ]

    def test_an_empty_seat_stays_empty(self) -> None:
        assert cleaned("PLAYER\t\tBob\tRed", "M/17/Map/1/2/null/Map/3/4/null/", "PNOTE\t\tmine") == [
            "PLAYER\t\tBob\tRed",
            "M/17/Map/1/2/null/Map/3/4/null/",
            "PNOTE\t\tmine",
        ]

    def test_a_list_of_those_who_may_unmask_is_named_one_by_one(self) -> None:
        redactor = Redactor([Node(ANN), Node("UNMASK\thush\tsesame"), Node("UNMASK\tnull")])
        assert redactor.clean(Unmask(players=("hush", "sesame"))) == Unmask(players=("@observer 1", "@Ann"))
        assert redactor.clean(Unmask(players=None)) == Unmask(players=None)
        assert redactor.clean(Unmask(players=())) == Unmask(players=())

    def test_private_notes_stay_private_but_their_owner_is_named(self) -> None:
        redactor = Redactor([Node("PNOTE\tsesame\tmine|alone")])
        assert redactor.clean(commands.decode("PNOTE\tsesame\tmine|alone")) == PrivateNote(
            owner="@observer 1", text="mine\nalone"
        )

    def test_what_people_typed_stays(self) -> None:
        redactor = Redactor([Node("PLAYER\tblue\tAnn\tBlue")])
        for command in (Chat(text="<Ann> - the blue side is mine"), Notes(text="blue")):
            assert redactor.clean(command) is command

    def test_a_broken_command_teaches_nothing_and_breaks_nothing(self) -> None:
        nodes = [Node(text) for text in ("PLAYER\thush", "M/17/x/hush", "+/obs;", "+/17/obs;", "D/17", ANN)]
        assert Redactor(nodes).name("sesame") == "@Ann"
        assert Redactor(nodes).name("hush") == "hush"

    def test_without_players_every_command_stays(self) -> None:
        nodes = [Node(piece(HIDE, states=("null",))), Node("odd\tcommand")]
        redactor = Redactor(nodes)
        for node in nodes:
            command = node.command
            assert redactor.clean(command) is command

    def test_the_name_of_a_stranger_is_the_text_itself(self) -> None:
        assert Redactor([]).name("Red") == "Red"


class TestOwnersOfPieces:
    def test_the_owner_of_a_hidden_piece_is_named(self) -> None:
        hidden = piece(MARK, HIDE, states=("Blue", "sesame"))
        assert states(cleaned(ANN, hidden)[1]) == [["Blue", "@Ann", PLACE]]
        assert states(cleaned(ANN, hidden.replace("sesame", "null"))[1]) == [["Blue", "null", PLACE]]

    def test_the_owner_of_a_masked_piece_and_those_who_may_look_are_named(self) -> None:
        masked = piece(MASK, MARK, states=("sesame;true|2|opensez|sesame", "Blue"))
        assert states(cleaned(ANN, BOB, masked)[2]) == [["@Ann;true|2|@Bob|@Ann", "Blue", PLACE]]

    def test_the_number_of_those_who_may_look_is_no_password_though_it_reads_like_one(self) -> None:
        found = cleaned(
            "PLAYER\t1\tAnn\tBlue", "PLAYER\ttrue\tBob\tRed", piece(MASK, states=("1;true|1|true",))
        )
        assert states(found[2]) == [["@Ann;true|1|@Bob", PLACE]]

    def test_the_player_a_piece_is_restricted_to_is_named(self) -> None:
        found = cleaned(ANN, piece(RESTRICT, states=("sesame",)), piece(RESTRICT, id="18", states=("",)))
        assert [states(text) for text in found[1:]] == [[["@Ann", PLACE]], [["", PLACE]]]

    def test_all_traits_of_a_piece_are_looked_at(self) -> None:
        text = piece(HIDE, MASK, MARK, RESTRICT, states=("sesame", "opensez;|0", "Blue", "sesame"))
        assert states(cleaned(ANN, BOB, text)[2]) == [["@Ann", "@Bob;|0", "Blue", "@Ann", PLACE]]

    def test_an_owner_with_no_seat_is_a_numbered_observer(self) -> None:
        found = cleaned(piece(HIDE, states=("hush",)), piece(MASK, id="18", states=("null;|1|psst",)))
        assert [states(text) for text in found] == [
            [["@observer 1", PLACE]],
            [["null;|1|@observer 2", PLACE]],
        ]

    def test_a_card_that_is_masked_for_the_moment_belongs_to_nobody(self) -> None:
        found = cleaned(ANN, piece(MASK, states=("null;",)), change(("sesame;false|0",), ("nobody;",)))
        assert states(found[2]) == [["@Ann;false|0", PLACE], ["nobody;", PLACE]]

    def test_a_side_that_owns_a_piece_is_no_player_though_a_password_reads_like_it(self) -> None:
        player = "PLAYER\tBlue\tAnn\tBlue"
        for trait, state in ((HIDE_BY_SIDE, "Blue"), (MASK_BY_SIDE, "Blue;|0")):
            found = cleaned(player, piece(trait, states=(state,)))
            assert found[0] == "PLAYER\t@Ann\tAnn\tBlue"
            assert states(found[1]) == [[state, PLACE]]

    def test_a_side_that_owns_a_piece_is_not_taken_for_a_stranger(self) -> None:
        text = piece(HIDE_BY_SIDE, states=("Grey",))
        assert cleaned(ANN, text) == ["PLAYER\t@Ann\tAnn\tBlue", text]

    def test_those_who_may_look_are_players_even_where_the_owner_is_a_side(self) -> None:
        found = cleaned(ANN, piece(MASK_BY_SIDE, states=("Red;false|1|sesame",)))
        assert states(found[1]) == [["Red;false|1|@Ann", PLACE]]

    def test_other_traits_keep_what_reads_like_a_password(self) -> None:
        text = piece(MARK, HIDE, states=("Blue", "null"))
        assert cleaned("PLAYER\tBlue\tAnn\tBlue", "PLAYER\tMap\tBob\tRed", text)[2] == text

    def test_changes_of_a_piece_are_cleaned_on_both_sides(self) -> None:
        texts = (ANN, piece(MARK, HIDE, states=("x", "null")), change(("x", "sesame"), ("x", "null")))
        assert states(cleaned(*texts)[2]) == [["x", "@Ann", PLACE], ["x", "null", PLACE]]

    def test_a_change_without_an_old_state_keeps_none(self) -> None:
        found = cleaned(ANN, piece(HIDE, states=("null",)), f"D/17/sesame\t{PLACE}")
        assert commands.decode(found[2]) == ChangePiece(id="17", new_state=f"@Ann\t{PLACE}", old_state=None)

    def test_a_change_that_comes_before_its_piece_is_cleaned_all_the_same(self) -> None:
        found = cleaned(change(("hush",), ("null",)), piece(HIDE, states=("null",)), ANN)
        assert states(found[0]) == [["@observer 1", PLACE], ["null", PLACE]]

    def test_a_change_of_a_piece_that_never_appears_loses_every_word_that_is_a_password(self) -> None:
        found = cleaned(ANN, change(("sesame;|0", "sesames"), ("null;", "x"), id="99"))
        assert states(found[1])[0] == ["@Ann;|0", "sesames", PLACE]

    def test_a_piece_made_anew_with_other_traits_is_cleaned_by_the_new_ones(self) -> None:
        texts = [
            ANN, piece(HIDE, MARK, states=("null", "x")), change(("sesame", "sesame"), ("null", "x")),
            "-/17", piece(MARK, HIDE, states=("x", "null")), change(("sesame", "sesame"), ("null", "x")),
        ]  # fmt: skip
        found = cleaned(*texts)
        assert states(found[2])[0] == ["@Ann", "sesame", PLACE]
        assert states(found[5])[0] == ["sesame", "@Ann", PLACE]

    def test_a_single_step_can_be_cleaned_without_the_setup_before_it(self) -> None:
        setup = [piece(MARK, states=("sesame",)), piece(HIDE, id="18", states=("null",)), ANN]
        steps = [LOG + change(("sesame",), ("x",)), LOG + change(("sesame",), ("x",), id="18")]
        stream = streams.decode(ESC.join(["begin_save", *setup, "end_save", *steps]))
        redactor = Redactor(stream.root.walk())
        marked, hidden = (redactor.clean(step.command).encode() for step in stream.steps)
        assert states(marked)[0] == ["sesame", PLACE]
        assert states(hidden)[0] == ["@Ann", PLACE]

    def test_a_state_shorter_than_its_type_is_cleaned_as_far_as_it_goes(self) -> None:
        type_ = sequences.nest([MARK, HIDE, BASIC], "\t")
        assert cleaned(ANN, f"+/17/{type_}/x")[1] == f"+/17/{type_}/x"
        assert cleaned(ANN, f"+/17/{type_}/x\tsesame")[1] == f"+/17/{type_}/x\t@Ann"

    @pytest.mark.parametrize("password", ["a;b", "a|b", "a\tb", "\\a", "'a'", "a/b", "a;|b\\c", "(?i)", "."])
    def test_passwords_of_odd_characters_are_found(self, password: str) -> None:
        player = AddPlayer(password=password, name="Ann", side="Blue").encode()
        mask_state = sequences.encode([password, sequences.encode(["true", "1", password], "|")], ";")
        text = piece(HIDE, MASK, states=(password, mask_state))
        found = cleaned(player, text)
        assert states(found[1]) == [["@Ann", "@Ann;true|1|@Ann", PLACE]]

    def test_a_name_no_list_can_hold_is_shortened(self) -> None:
        masked = Node(piece(MASK, states=("sesame;|0",)))
        redactor = Redactor([Node("PLAYER\tsesame\t'Ann\\'\tBlue"), masked])
        assert states(redactor.clean(masked.command).encode()) == [["@Ann;|0", PLACE]]

    def test_a_state_that_cannot_be_written_anew_still_loses_the_password(self) -> None:
        type_ = sequences.nest([MARK, HIDE, BASIC], "\t")
        made = AddPiece(id="17", type=type_, state=f"'odd\\'\tsesame\\\t{PLACE}")
        found = cleaned(ANN, made.encode())[1]
        assert commands.decode(found) == AddPiece(id="17", type=type_, state=f"'odd\\'\t@Ann\\\t{PLACE}")


class TestModulesOfTheirOwn:
    def test_commands_nobody_knows_lose_every_word_that_is_a_password(self) -> None:
        redactor = Redactor([Node("PLAYER\tsesame\tAnn\tBlue"), Node("PLAYER\tses\tBob\tRed")])
        assert redactor.clean(Unknown("OWN\tsesame,sesames;ses sesame2")) == Unknown(
            "OWN\t@Ann,sesames;@Bob sesame2"
        )

    def test_a_password_that_begins_like_another_is_seen_whole(self) -> None:
        players = [Node("PLAYER\topen\tAnn\tBlue"), Node("PLAYER\topen sesame\tBob\tRed")]
        assert Redactor(players).clean(Unknown("OWN\topen sesame,open")) == Unknown("OWN\t@Bob,@Ann")

    def test_traits_nobody_knows_lose_every_word_that_is_a_password(self) -> None:
        own = "conceal;sesame;5"
        text = piece(MARK, own, HIDE, states=("sesame", "sesame;|0", "null"))
        command = commands.decode(cleaned(ANN, text)[1])
        assert isinstance(command, AddPiece)
        assert sequences.unnest(command.type, "\t") == [MARK, "conceal;@Ann;5", HIDE, BASIC]
        assert sequences.unnest(command.state, "\t") == ["sesame", "@Ann;|0", "null", PLACE]

    def test_a_type_beyond_reason_loses_every_word_that_is_a_password(self) -> None:
        tower = "x;\t" * 12_000 + "obs;"  # 12,000 traits cannot be parsed in bounded time
        type_ = "'" + "".join("\\" * 3 + "\tobs;sesame" for _ in range(50))
        for odd in (tower, type_):
            found = cleaned(ANN, AddPiece(id="17", type=odd, state="sesame").encode())
            assert "sesame" not in found[1]


any_commands = st.one_of([commands_of(cls) for cls in classes_of_commands()])
passwords = st.sampled_from(["sesame", "a;b", "1", "null", "it's", "Blue", "a"])


@settings(max_examples=80, deadline=None)
@given(st.sets(passwords, max_size=3), st.lists(any_commands, max_size=3))
def test_any_stream_can_be_cleaned(known: set[str], found: list[Command]) -> None:
    players = [AddPlayer(password=password, name="Ann", side="Blue") for password in sorted(known)]
    nodes = [Node(command.encode()) for command in [*players, *found]]
    redactor = Redactor(nodes)
    for node in nodes:
        command = redactor.clean(node.command)
        assert type(command) is type(node.command)
        if isinstance(command, AddPlayer | RemovePlayer):
            assert not command.password or command.password.startswith("@")
        elif isinstance(command, MovePiece):
            assert not command.player or command.player.startswith("@")


def passwords_of(nodes: Iterable[Node]) -> Iterator[str]:
    """All passwords that players or moves show, found without the code under test."""
    for node in nodes:
        text = node.text.removeprefix(LOG)
        if text.startswith("PLAYER\t"):
            yield sequences.decode(text, "\t")[1]
        elif text.startswith("M/"):
            yield sequences.decode(text, "/")[10]
        elif text.startswith("PNOTE\t"):
            yield sequences.decode(text, "\t")[1]


def test_no_password_is_left_in_real_files(shared: Path) -> None:
    """But for passwords that are common words, which stand in many places by right.

    These are looked for where players' ids stand, the others everywhere.
    """
    with_passwords = 0
    for name, file in real_files(shared).items():
        known = {password for password in passwords_of(file.nodes) if password}
        with_passwords += bool(known)
        redactor = Redactor(file.nodes)
        rare = [re.escape(word) for word in known if not is_common(word)]
        shown = re.compile("|".join(rare)) if rare else None
        for command in map(redactor.clean, file.commands):
            if isinstance(command, MovePiece):
                assert command.player not in known, name
            elif isinstance(command, AddPlayer):
                assert command.password not in known, name
            if shown:
                assert not shown.search(command.encode()), name
                if len(file.text) < 600_000:
                    assert not shown.search(repr(command)), name
    assert with_passwords > 40


def is_common(word: str) -> bool:
    """Whether a word occurs normally in chat, texts and names."""
    return len(word) < 3 or word in {"foo", "test", "password"}


@pytest.mark.parametrize("name", ["demo.vsav", "demo.vlog", "demo-long.vlog"])
def test_cleaning_changes_nothing_but_ids(shared: Path, name: str) -> None:
    """Of the demonstration, whose one player has an uncommon password."""
    file = real_files(shared)[name]
    (password,) = set(passwords_of(file.nodes))
    redactor = Redactor(file.nodes)
    for node, command in zip(file.nodes, file.commands, strict=True):
        expected = node.text.removeprefix(LOG).replace(password, "@Alice")
        assert redactor.clean(command).encode() == expected


def test_cleaning_a_long_log_takes_little_time(shared: Path) -> None:
    file = real_files(shared)["demo-long.vlog"]
    started = time.process_time()
    redactor = Redactor(file.nodes)
    for command in file.commands:
        redactor.clean(command)
    assert time.process_time() - started < 2


class TestPasswordsOutsideTheRoster:
    """As VASSAL's $PlayerId$ gives them, which is a password."""

    def test_in_a_property(self) -> None:
        found = cleaned(ANN, "MutableProperty\tOwner\tnobody\tsesame\tModule")
        assert found[1] == "MutableProperty\tOwner\tnobody\t@Ann\tModule"

    def test_in_a_property_of_a_piece_and_its_label(self) -> None:
        found = cleaned(ANN, piece("PROP;Owner;;", "label;;10,0", states=("sesame", "taken by sesame")))
        assert "sesame" not in found[1]
        assert "taken by @Ann" in found[1]

    def test_in_a_change_of_a_piece(self) -> None:
        made = piece("PROP;Owner;;", states=("",))
        found = cleaned(ANN, made, change(("sesame",), ("sesame",)))
        assert found[1:] == [made, change(("@Ann",), ("@Ann",))]

    def test_in_a_command_that_nobody_knows(self) -> None:
        assert cleaned(ANN, "ODD/9:sesame:7") == [ANN.replace("sesame", "@Ann"), "ODD/9:@Ann:7"]

    def test_a_marker_of_the_module_that_is_the_same_word_is_left(self) -> None:
        made = piece("mark;CID", states=("sesame",))
        assert cleaned(ANN, made)[1] == made

    @pytest.mark.parametrize("password", ["3", "A", "1234567", "Blue"])
    def test_numbers_letters_and_sides_are_left_where_they_mean_something_else(self, password: str) -> None:
        made = piece("PROP;Steps;;", states=(password,))
        assert cleaned(f"PLAYER\t{password}\tAnn\tBlue", made)[1] == made
