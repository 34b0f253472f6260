"""The module of our own: built from nothing but our classes, opened and played by a real VASSAL."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from tests.data.skirmish import make, module, places, truth
from vassalgen.vassal import archives, buildfile, commands, grids, pieces, streams
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.commands import AddPiece, AddPlayer, ChangePiece, MovePiece
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.savedgame import SavedGame, read_saved_game
from vassalgen.vassal.traits.basic_piece import BasicPieceState

FILES = ("skirmish.vlog", "skirmish-2.vlog", "skirmish.vsav")
LOGS = FILES[:2]
LEAST_ALIKE = 0.99
"""The share of pixels that must be equal: versions of Pillow may draw an edge otherwise."""


def game(name: str) -> SavedGame:
    return read_saved_game(make.HERE / name)


def steps(name: str) -> list[streams.Node]:
    return streams.decode(game(name).text).steps


@pytest.fixture(scope="module")
def entries() -> list[tuple[str, bytes]]:
    return make.entries()


def test_the_module_is_what_its_script_makes(entries: list[tuple[str, bytes]]) -> None:
    with Archive.open(make.MODULE) as archive:
        assert archive.names == tuple(name for name, _ in entries)
        for name, content in entries:
            if name.endswith(".png"):
                assert_alike(archive.read(name), content)
            elif name.endswith(".vsav"):
                assert read_saved_game(archive.read(name)) == read_saved_game(content)
            else:
                assert archive.read(name) == content, name


def assert_alike(one: bytes, other: bytes) -> None:
    left, right = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, other))
    assert left.size == right.size
    grey = ImageChops.difference(left, right).convert("L")
    assert grey.histogram()[0] >= LEAST_ALIKE * left.width * left.height


def test_the_script_makes_the_same_bytes_each_time(entries: list[tuple[str, bytes]]) -> None:
    assert archives.pack(make.entries(), when=make.WHEN) == archives.pack(entries, when=make.WHEN)


def test_the_build_file_comes_back_as_it_is_written() -> None:
    with Archive.open(make.MODULE) as archive:
        root = buildfile.read_from(archive)
        assert buildfile.write(root) == archive.read(archive.build_file)
    assert buildfile.check(root) == []


def test_the_setup_lies_where_the_module_says() -> None:
    built = module.skirmish()
    sizes = {"field.png": places.FIELD_SIZE, "camps.svg": places.CAMPS_SIZE}
    plans = grids.plans_of(built.module, image_size=sizes.get)
    with Archive.open(make.MODULE) as archive, archive.inner(module.SETUP) as setup:
        text = read_saved_game(setup).text
    lying = {}
    for node in streams.decode(text).setup:
        command = node.command
        if isinstance(command, AddPiece):
            state = Piece.decode(command.type, command.state).states[-1]
            if isinstance(state, BasicPieceState) and state.map is not None:
                lying[state.gpid] = state.map, plans[state.map].location_name(state.x, state.y)
    wanted = {slot.gpid: (start.map, start.location) for start in built.starts for slot in start.slots}
    assert lying == wanted | {card.gpid: (places.CAMPS, "Events") for card in built.cards}


@pytest.mark.parametrize("name", FILES)
def test_what_vassal_wrote_comes_back_to_the_byte(name: str) -> None:
    saved = game(name)
    with Archive.open(make.HERE / name) as stored, Archive.open(saved.to_bytes()) as written:
        assert [(entry, written.read(entry)) for entry in written.names] == [
            (entry, stored.read(entry)) for entry in stored.names
        ]
    stream = streams.decode(saved.text)
    assert stream.encode() == saved.text
    for node in stream.root.walk():
        command = node.command
        assert command.encode() == node.text.removeprefix(streams.LOG)
        if isinstance(command, AddPiece):
            assert pieces.Piece.decode(command.type, command.state).encode() == (command.type, command.state)


@pytest.mark.parametrize("name", LOGS)
def test_the_truth_has_a_line_for_the_load_and_for_each_step(name: str) -> None:
    lines = list(truth.read_truth(make.HERE / name))
    assert [line["step"] for line in lines] == list(range(len(steps(name)) + 1))
    assert all(set(line) <= set(truth.LINE_FIELDS) for line in lines)
    assert all(set(piece) <= set(truth.PIECE_FIELDS) for line in lines for piece in line["pieces"])


@pytest.mark.parametrize("name", LOGS)
def test_the_truth_holds_no_password(name: str) -> None:
    passwords = {
        command.password
        for node in streams.decode(game(name).text).setup
        if isinstance(command := node.command, AddPlayer)
    }
    assert len(passwords) == 2
    found = "".join(map(str, truth.read_truth(make.HERE / name)))
    assert not any(password in found for password in passwords)


def test_the_second_log_begins_with_what_was_saved_at_the_end_of_the_first() -> None:
    def added(name: str) -> set[AddPiece]:
        found = (node.command for node in streams.decode(game(name).text).setup)
        return {command for command in found if isinstance(command, AddPiece)}

    assert added("skirmish-2.vlog") == added("skirmish.vsav")
    assert game("skirmish-2.vlog").moduledata == game("skirmish.vsav").moduledata


def test_the_logs_show_what_players_do() -> None:
    kinds = {type(node.command) for name in LOGS for step in steps(name) for node in step.walk()}
    assert kinds >= {
        AddPiece,
        ChangePiece,
        MovePiece,
        commands.RemovePiece,
        commands.Chat,
        commands.ChangeProperty,
        commands.SetTurn,
        commands.ShowDice,
        commands.Undo,
    }


def test_everything_together_is_small() -> None:
    files = [path for path in make.HERE.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 400_000
