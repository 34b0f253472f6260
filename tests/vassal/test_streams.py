"""The tree of commands in saves and logs, against a literal reading of its definition and real files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis.strategies import integers

from tests.vassal.strategies_streams import (
    Tree,
    any_trees,
    as_tree,
    hostile_texts,
    index_rows,
    naive_parse,
    real_files,
    staircases,
    trees,
)
from vassalgen.problems import FormatError
from vassalgen.vassal import streams
from vassalgen.vassal.commands import AddPiece, Chat, MovePiece, Null, SetTurn
from vassalgen.vassal.streams import ESC, LOG, MAX_DEPTH, Node, Stream

DATA = Path(__file__).parent / "data"


def example_lines(name: str) -> list[str]:
    """A stream written down for reading: a line for each top-level entry, TAB and ESC as pictures."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.replace("⇥", "\t").replace("␛", ESC) for line in lines]


SETUP = example_lines("mini_setup.txt")
STEPS = example_lines("mini_steps.txt")


def texts(stream: Stream) -> list[str]:
    return [node.text for node in stream.root.walk()]


class TestReading:
    def test_one_text_is_one_command(self) -> None:
        assert as_tree(streams.decode("begin_save").root) == ("begin_save", [])

    def test_nothing_is_one_empty_command(self) -> None:
        assert as_tree(streams.decode("").root) == ("", [])

    def test_each_level_shows_one_backslash_more(self) -> None:
        root = streams.decode(f"a{ESC}b\\{ESC}c\\\\{ESC}d\\{ESC}e{ESC}f").root
        assert as_tree(root) == ("a", [("b", [("c", [("d", [])]), ("e", [])]), ("f", [])])

    def test_a_level_that_is_left_out_belongs_to_the_one_above(self) -> None:
        assert as_tree(streams.decode(f"a\\\\{ESC}b{ESC}c").root) == ("a", [("b", []), ("c", [])])

    def test_empty_commands_group_others(self) -> None:
        root = streams.decode(f"begin_save{ESC}{ESC}\\{ESC}-/1\\{ESC}-/2{ESC}end_save").root
        pieces: Tree = ("", [("-/1", []), ("-/2", [])])
        assert as_tree(root) == ("begin_save", [("", []), pieces, ("end_save", [])])

    def test_quotes_around_a_text_are_taken_off(self) -> None:
        assert as_tree(streams.decode(f"a{ESC}'\\x'").root) == ("a", [("\\x", [])])

    def test_quotes_around_a_branch_are_taken_off(self) -> None:
        assert as_tree(streams.decode(f"a{ESC}''b\\{ESC}c''").root) == ("a", [("'b", [("c'", [])])])

    @settings(max_examples=400, deadline=None)
    @given(hostile_texts | staircases)
    @example("'a'")
    @example("''''")
    @example(f"'a\\{ESC}'b''")
    @example(f"'{ESC}'")
    @example(f"a\\{ESC}")
    @example(f"a\\\\\\{ESC}b\\{ESC}c")
    def test_any_text_is_read_as_the_definition_says_and_written_back(self, text: str) -> None:
        stream = streams.decode(text)
        assert as_tree(stream.root) == naive_parse(text)
        assert stream.encode() == text

    @given(hostile_texts | staircases, integers(1, 9))
    def test_a_text_in_pieces_says_the_same(self, text: str, size: int) -> None:
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        assert streams.read(pieces) == streams.decode(text)

    def test_a_chat_line_that_ends_with_a_backslash_swallows_the_step_behind_it(self) -> None:
        text = f"begin_save{ESC}end_save{ESC}{LOG}CHAT<Al> - c:\\{ESC}{LOG}-/1{ESC}{LOG}-/2"
        stream = streams.decode(text)
        assert [as_tree(step) for step in stream.steps] == [
            (f"{LOG}CHAT<Al> - c:", [(f"{LOG}-/1", [])]),
            (f"{LOG}-/2", []),
        ]
        assert stream.encode() == text

    def test_commands_are_walked_in_the_order_of_execution(self) -> None:
        root = streams.decode(f"a{ESC}b\\{ESC}c\\\\{ESC}d\\{ESC}e{ESC}f").root
        assert [node.text for node in root.walk()] == list("abcdef")

    def test_a_node_gives_its_command_without_the_mark_of_the_log(self) -> None:
        assert Node(f"{LOG}CHATx").command == Chat(text="x")
        assert Node("CHATx").command == Chat(text="x")
        assert Node(f"{LOG}null").command == Null("null")
        assert Node(LOG).command == Null("")


class TestWriting:
    def test_a_tree_is_written_as_a_staircase(self) -> None:
        root = Node("a", (Node("b", (Node("c", (Node("d"),)), Node("e"))), Node("f")))
        assert streams.encode(root) == f"a{ESC}b\\{ESC}c\\\\{ESC}d\\{ESC}e{ESC}f"

    def test_a_text_that_begins_with_a_backslash_is_quoted(self) -> None:
        assert streams.encode(Node("a", (Node("\\x"), Node("b")))) == f"a{ESC}'\\x'{ESC}b"

    def test_an_only_or_last_text_may_end_with_a_backslash(self) -> None:
        assert streams.encode(Node("a\\")) == "a\\"
        assert streams.encode(Node("a", (Node("b\\"),))) == f"a{ESC}b\\"

    @pytest.mark.parametrize(
        "root",
        [
            Node("a\\", (Node("b"),)),
            Node("a", (Node("b\\"), Node("c"))),
            Node("a", (Node("b", (Node("c\\"),)), Node("d"))),
            Node(f"a{ESC}b"),
            Node("'a'"),
            Node("a", (Node("''"),)),
        ],
    )
    def test_what_would_be_read_otherwise_is_not_written(self, root: Node) -> None:
        with pytest.raises(FormatError):
            streams.encode(root)

    def test_the_message_does_not_show_the_text_which_may_hold_a_password(self) -> None:
        root = Node("begin_save", (Node("PLAYER\tsesame\tAl\tRed\\"), Node("end_save")))
        with pytest.raises(FormatError, match="backslash") as caught:
            streams.encode(root)
        assert "sesame" not in str(caught.value)

    def test_the_repr_of_a_node_does_not_show_the_text_either(self) -> None:
        stream = streams.decode(f"begin_save{ESC}PLAYER\tsesame\tAl\tRed{ESC}end_save")
        assert "sesame" not in repr(stream)
        assert repr(stream.root) == "<Node with 2 children>"

    @settings(deadline=None)
    @given(trees)
    def test_trees_are_read_as_they_were_written(self, root: Node) -> None:
        text = streams.encode(root)
        assert streams.decode(text).root == root
        assert naive_parse(text) == as_tree(root)

    @settings(deadline=None)
    @given(any_trees)
    def test_any_tree_is_written_exactly_or_refused(self, root: Node) -> None:
        try:
            text = streams.encode(root)
        except FormatError:
            return
        assert naive_parse(text) == as_tree(root)

    @settings(deadline=None)
    @given(trees, trees)
    def test_trees_are_equal_if_they_say_the_same(self, one: Node, two: Node) -> None:
        assert (one == two) == (as_tree(one) == as_tree(two))
        if one == two:
            assert hash(one) == hash(two)

    def test_a_node_is_no_text(self) -> None:
        assert Node("a") != "a"

    def test_an_odd_spelling_is_kept_only_while_it_says_the_same(self) -> None:
        odd = f"a\\\\{ESC}b"
        stream = streams.decode(odd)
        assert stream.encode() == odd
        changed = Stream(Node("a", (Node("c"),)), stream.written)
        assert changed.encode() == f"a{ESC}c"


class TestHostileStreams:
    def test_nesting_beyond_reason_is_refused_in_little_time(self) -> None:
        text = "a" + "".join("\\" * depth + ESC + "b" for depth in range(4000))
        started = time.process_time()
        with pytest.raises(FormatError, match="nested"):
            streams.decode(text)
        assert time.process_time() - started < 2

    def test_nesting_just_within_reason_can_be_read_compared_and_written(self) -> None:
        text = "a" + "".join("\\" * depth + ESC + "b" for depth in range(MAX_DEPTH - 1))
        stream = streams.decode(text)
        assert stream.encode() == text
        assert stream.root == streams.decode(text).root
        odd = streams.decode("'a'" + text[1:])
        assert odd.root == stream.root
        assert odd.encode() == "'a'" + text[1:]

    def test_a_tree_beyond_reason_is_not_written(self) -> None:
        root = Node("a")
        for _ in range(MAX_DEPTH):
            root = Node("a", (root,))
        with pytest.raises(FormatError, match="nested"):
            streams.encode(root)

    @pytest.mark.parametrize(
        "text",
        [
            "'" * 2_000_000,
            ("'" * 1000 + ESC) * 2000,
            "'" * 500_000 + "".join("\\" * depth + ESC + "'" for depth in range(400, 0, -1)) + "'" * 500_000,
            "".join("'" + "\\" * depth + ESC for depth in range(400)) + ("\\" * 400 + ESC + "'x'") * 2000,
        ],
        ids=["one text", "many texts", "around branches", "a staircase"],
    )
    def test_quotes_upon_quotes_take_little_time(self, text: str) -> None:
        started = time.process_time()
        stream = streams.decode(text)
        assert stream.encode() == text
        assert time.process_time() - started < 3

    def test_seventy_seven_thousand_empty_stacks_take_little_time(self) -> None:
        stacks = [f"+/{1700000000000 + number}/stack/Main Map;0;0;@@-1" for number in range(77_000)]
        text = f"begin_save{ESC}" + f"\\{ESC}".join(["", *stacks]) + f"{ESC}end_save"
        started = time.process_time()
        stream = streams.decode(text)
        assert stream.encode() == text
        assert time.process_time() - started < 3
        assert len(texts(stream)) == 77_003
        assert [len(child.children) for child in stream.root.children] == [77_000, 0]


class TestSetupAndSteps:
    def test_a_save_has_no_steps(self) -> None:
        stream = streams.decode(ESC.join(SETUP))
        assert stream.steps == []
        assert [node.text for node in stream.setup] == SETUP

    def test_the_setup_is_flat_and_begins_with_the_root(self) -> None:
        stream = streams.decode(f"begin_save{ESC}{ESC}\\{ESC}-/1{ESC}end_save{ESC}{LOG}-/2")
        first, *others = stream.setup
        assert first == Node("begin_save")
        assert [node.text for node in others] == ["", "", "-/1", "end_save"]

    def test_a_command_behind_the_setup_that_is_not_logged_is_executed_at_once(self) -> None:
        text = ESC.join(["begin_save", "end_save", f"{LOG}-/1", "-/2", f"{LOG}-/3", "CHATlate"])
        stream = streams.decode(text)
        assert [node.text for node in stream.setup] == ["begin_save", "end_save", "-/2", "CHATlate"]
        assert [step.text for step in stream.steps] == [f"{LOG}-/1", f"{LOG}-/3"]

    def test_an_action_whose_parent_is_not_marked_waits_all_the_same(self) -> None:
        stream = streams.decode(f"begin_save{ESC}end_save{ESC}\\{ESC}{LOG}-/1")
        assert [as_tree(step) for step in stream.steps] == [("", [(f"{LOG}-/1", [])])]
        assert [node.logged for node in stream.steps[0].walk()] == [False, True]
        assert [node.text for node in stream.setup] == ["begin_save", "end_save"]

    def test_an_entry_of_commands_that_vassal_could_not_write_is_no_step(self) -> None:
        empty, lost, unknown = f"{LOG}", f"{LOG}null\\{ESC}{LOG}null", f"{LOG}XYZ of some module"
        stream = streams.decode(ESC.join(["begin_save", "end_save", empty, lost, unknown, f"{LOG}null"]))
        assert [step.text for step in stream.steps] == [empty, unknown]
        assert [node.text for node in stream.setup] == ["begin_save", "end_save"]

    def test_the_worked_example_is_read_line_by_line(self) -> None:
        stream = streams.decode(ESC.join([*SETUP, *STEPS]))
        assert [node.text for node in stream.setup] == SETUP
        assert [streams.encode(step) for step in stream.steps] == [
            line.replace(f"\\{ESC}", ESC) for line in STEPS
        ]
        assert [len(list(step.walk())) for step in stream.steps] == [1, 5, 2, 3, 2, 1, 3, 1]
        drag = [node.command for node in stream.steps[1].walk()]
        assert drag[2] == MovePiece(
            id="1700000000001", map="Main Map", x=220, y=227, under=None,
            old_map="Main Map", old_x=160, old_y=332, old_under=None, player="pw-blue",
        )  # fmt: skip
        assert drag[3] == AddPiece(
            id="1700000000101", type="stack", state="Main Map;220;227;1700000000001;@@1"
        )
        assert list(stream.steps[4].walk())[1].command == SetTurn(
            tracker="TurnTracker0", state=r"0|1;0;false;-1;1\;0\;0\;true,true"
        )

    def test_splitting_at_esc_alone_miscounts_what_the_players_did(self) -> None:
        text = ESC.join([*SETUP, *STEPS])
        naive = [entry for entry in text.split(ESC) if entry.startswith(LOG)]
        assert len(naive) == 18
        assert len(streams.decode(text).steps) == len(STEPS) == 8


class TestRealFiles:
    def test_every_save_and_log_is_written_back_to_the_byte(self, shared: Path) -> None:
        found = real_files(shared)
        assert len(found) > 60
        for name, file in found.items():
            assert file.stream.encode() == file.text, name
            assert streams.encode(file.stream.root) == file.text, name

    def test_small_files_are_read_as_the_definition_says(self, shared: Path) -> None:
        small = {name: file for name, file in real_files(shared).items() if len(file.text) < 20_000}
        assert len(small) > 15
        for name, file in small.items():
            assert as_tree(file.stream.root) == naive_parse(file.text), name

    def test_commands_are_as_many_as_others_counted(self, shared: Path) -> None:
        """The index counts in each file ``log_steps``, the presses of the step button; ``init_cmds``, the
        commands of the setup; ``logged_cmds``, those of the steps; and ``commands``, both. Empty ones it
        leaves out.
        """
        for row in index_rows(shared):
            stream = real_files(shared)[row["file"]].stream
            setup = [node for node in stream.setup if node.text]
            logged = [node for step in stream.steps for node in step.walk() if node.text not in ("", LOG)]
            counted = {
                "log_steps": len(stream.steps),
                "init_cmds": len(setup),
                "logged_cmds": len(logged),
                "commands": len(setup) + len(logged),
            }
            assert counted == {column: int(row[column]) for column in counted}, row["file"]
            assert all(node.logged for node in logged), row["file"]
