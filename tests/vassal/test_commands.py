"""Every command of VASSAL's streams, both ways: as VASSAL writes it, as it tolerates it, and broken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal.strategies_streams import (
    classes_of_commands,
    commands_of,
    index_rows,
    raw_fields,
    real_files,
)
from vassalgen.problems import FormatError
from vassalgen.vassal import commands
from vassalgen.vassal.commands import (
    AddPiece,
    AddPlayer,
    AtStartDone,
    BeginSave,
    ChangePiece,
    ChangeProperty,
    Chat,
    Check,
    Clock,
    ClockControl,
    Command,
    DelayedNote,
    EndSave,
    EventLog,
    Flare,
    InternetDice,
    LineOfSight,
    LockOptions,
    MovePiece,
    Notes,
    Null,
    PlacedBoard,
    PlaySound,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    RemovePlayer,
    RestoreProperty,
    SetBoards,
    SetTurn,
    ShowDice,
    StartupApplied,
    Undo,
    Unknown,
    Unmask,
    UsesExtension,
    UsesPlugin,
)

GOLDEN: list[tuple[str, Command]] = [
    ("", Null("")),
    ("null", Null("null")),
    ("begin_save", BeginSave()),
    ("end_save", EndSave()),
    ("SETUP_STACK\t", AtStartDone()),
    (
        r"+/17/mark;Side\/A\	piece;;;u\/a.png;1st/Blue\	Main Map;10;20;3;0",
        AddPiece(id="17", type="mark;Side/A\\\tpiece;;;u/a.png;1st", state="Blue\\\tMain Map;10;20;3;0"),
    ),
    ("+/null/stack/null;0;0;@@-1", AddPiece(id=None, type="stack", state="null;0;0;@@-1")),
    ("-/17", RemovePiece(id="17")),
    ("-/a/b", RemovePiece(id="a/b")),
    (r"D/17/new\/state/old\/state", ChangePiece(id="17", new_state="new/state", old_state="old/state")),
    ("D/17/whole", ChangePiece(id="17", new_state="whole")),
    ("D/17//", ChangePiece(id="17", new_state="", old_state="")),
    (
        "M/17/Main Map/220/-7/18/Map\\/2/160/332/19/pw",
        MovePiece(
            id="17", map="Main Map", x=220, y=-7, under="18",
            old_map="Map/2", old_x=160, old_y=332, old_under="19", player="pw",
        ),
    ),
    (
        "M/17/null/0/0/null/null/0/0/null/",
        MovePiece(
            id="17", map=None, x=0, y=0, under=None,
            old_map=None, old_x=0, old_y=0, old_under=None, player="",
        ),
    ),
    (
        "M/17//0/0///0/0//pw",
        MovePiece(
            id="17", map="", x=0, y=0, under="",
            old_map="", old_x=0, old_y=0, old_under="", player="pw",
        ),
    ),
    ("CHAT&lt;Al&gt; - hello\tthere", Chat(text="&lt;Al&gt; - hello\tthere")),
    ("CHAT", Chat(text="")),
    ("AUDIO\tbang.wav", PlaySound(text="bang.wav")),
    ("Events1,2,3", EventLog(text="1,2,3")),
    ("CHECK\tALERT\told", Check(text="ALERT\told")),
    ("SEMAIL\tdice@example.org", InternetDice(text="dice@example.org")),
    ("UNDO\ttrue", Undo(started=True)),
    ("UNDO\tfalse", Undo(started=False)),
    ("PLAYER\tpw\tAl O'Dea\tBlue", AddPlayer(password="pw", name="Al O'Dea", side="Blue")),
    ("PLAYER\t\tBob\t<observer>", AddPlayer(password="", name="Bob", side="<observer>")),
    ("PYREMOVE\tpw", RemovePlayer(password="pw")),
    ("PYREMOVE\t", RemovePlayer(password="")),
    (
        "GlobalProperty\t;Weather;Rain;Module",
        RestoreProperty(name="Weather", value="Rain", container="Module"),
    ),
    (
        "GlobalProperty\t;Owner\tHill 12\tBoard\tMain Map;Red\\;Blue;",
        RestoreProperty(name="Owner\tHill 12\tBoard\tMain Map", value="Red;Blue", container=""),
    ),
    (
        "MutableProperty\tWeather\tRain\tClear\tModule",
        ChangeProperty(name="Weather", old="Rain", new="Clear", container="Module"),
    ),
    (
        "MutableProperty\tOwner\t\t\tMain Map:Hill 12",
        ChangeProperty(name="Owner", old="", new="", container="Main Map:Hill 12"),
    ),
    ("MutableProperty\tWeather", ChangeProperty(name="Weather")),
    ("MutableProperty\tWeather\tRain\tClear", ChangeProperty(name="Weather", old="Rain", new="Clear")),
    ("Main MapBoardPicker\tBoard\t0\t0", SetBoards(map="Main Map", boards=(PlacedBoard("Board"),))),
    ("Map0BoardPicker", SetBoards(map="Map0")),
    (
        "Main MapBoardPicker\tEast/rev\t1\t0\tA\\/B\t0\t0\ttab\\\there\t-1\t2"
        "\t'''it'''\t0\t0\trev/rev\t0\t0\t\t3\t4",
        SetBoards(
            map="Main Map",
            boards=(
                PlacedBoard("East", 1, 0, reversed=True),
                PlacedBoard("A/B", 0, 0),
                PlacedBoard("tab\there", -1, 2),
                PlacedBoard("'it'", 0, 0),
                PlacedBoard("rev", 0, 0, reversed=True),
                PlacedBoard("", 3, 4),
            ),
        ),
    ),
    (
        r"TURNTurnTracker0	0|1;0;false;-1;1\;0\;0\;true,true",
        SetTurn(tracker="TurnTracker0", state=r"0|1;0;false;-1;1\;0\;0\;true,true"),
    ),
    ("NOTES\tFirst line|second\\|line", Notes(text="First line\nsecond|line")),
    ("PNOTES\t", PublicNotes(text="")),
    ("PNOTE\tpw\tmine|alone", PrivateNote(owner="pw", text="mine\nalone")),
    (
        "SNOTE\tplan\tpw\ttrue\tat dawn|left\t06/06/1944 5:00 AM\th1",
        DelayedNote(
            name="plan", owner="pw", hidden=True, text="at dawn\nleft", date="06/06/1944 5:00 AM", handle="h1"
        ),
    ),
    ("UNMASK\tnull", Unmask(players=None)),
    ("UNMASK\t", Unmask(players=())),
    ("UNMASK\tpw\tpw2", Unmask(players=("pw", "pw2"))),
    ("EXT\tNaval\t1.2", UsesExtension(name="Naval", version="1.2")),
    ("PLUGIN\tProbe\t0.1", UsesPlugin(name="Probe", version="0.1")),
    ("SGKC\tSGKC0\ttrue", StartupApplied(id="SGKC0", applied=True)),
    ("FLARE\tFlare0\t100\t200", Flare(id="Flare0", x=100, y=200)),
    (
        "LOS\tLOS_Thread0\t1\t2\t3\t4\ttrue\tfalse\tfalse",
        LineOfSight(id="LOS_Thread0", anchor_x=1, anchor_y=2, arrow_x=3, arrow_y=4, persisting=True),
    ),
    ("SHOW_RESULTS\tSpecialDiceButton0\t0\t5", ShowDice(button="SpecialDiceButton0", faces=("0", "5"))),
    ("SHOW_RESULTS\tSpecialDiceButton0", ShowDice(button="SpecialDiceButton0")),
    ("CLOCKCONTROL\ttrue\tfalse", ClockControl(showing=True, online=False)),
    (
        "CLOCK\tpw\tBlue\t1000\t900\ttrue\tfalse",
        Clock(who="pw", name="Blue", elapsed="1000", verified="900", ticking=True, restore=False),
    ),
    (
        "LOCKSPOTAB\tOptions\tAl\tpw\t01/02/2026",
        LockOptions(tab="Options", by="Al", password="pw", date="01/02/2026"),
    ),
    ("LOS_STATE\tof a module's own", Unknown("LOS_STATE\tof a module's own")),
]  # fmt: skip

TOLERATED: list[tuple[str, Command]] = [
    (
        "M/17/Map/1/2/null/Map/3/4/null",
        MovePiece(
            id="17", map="Map", x=1, y=2, under=None, old_map="Map", old_x=3, old_y=4, old_under=None
        ),
    ),
    (
        "M/17/Map/+1/02/null/Map/3/4/null/pw/more",
        MovePiece(
            id="17", map="Map", x=1, y=2, under=None, old_map="Map", old_x=3, old_y=4, old_under=None,
            player="pw",
        ),
    ),
    ("+/17/stack/null;0;0/more", AddPiece(id="17", type="stack", state="null;0;0")),
    ("UNDO\tTRUE", Undo(started=False)),
    ("UNDO\t'true'", Undo(started=False)),
    ("UNDO\ttrue\t", Undo(started=False)),
    ("PLAYER\t'pw'\tAl\tBlue\tmore", AddPlayer(password="pw", name="Al", side="Blue")),
    ("GlobalProperty\t;Weather;Rain", RestoreProperty(name="Weather", value="Rain", container="")),
    ("Map0BoardPicker\tBoard", SetBoards(map="Map0", boards=(PlacedBoard("Board", 0, 0),))),
    ("Map0BoardPicker\tBoard\tx\t7/3", SetBoards(map="Map0", boards=(PlacedBoard("Board", 0, 0),))),
    (
        "Map0BoardPicker\tA/reversed\t1\t2\tB\t3",
        SetBoards(map="Map0", boards=(PlacedBoard("A", 1, 2), PlacedBoard("B", 3, 0))),
    ),
    ("TURNTurnTracker0", SetTurn(tracker="TurnTracker0", state="")),
    ("PNOTE\tpw", PrivateNote(owner="pw", text="")),
    ("SNOTE\tplan\tpw\tno\ttext", DelayedNote(name="plan", owner="pw", hidden=False, text="text")),
    ("SGKC\tSGKC0", StartupApplied(id="SGKC0", applied=True)),
    ("FLARE\tFlare0\tleft\t200", Flare(id="Flare0", x=0, y=200)),
    ("LOS\tLOS_Thread0", LineOfSight(id="LOS_Thread0")),
    ("CLOCK\tpw\tBlue", Clock(who="pw", name="Blue")),
    ("LOCKSPOTAB\tOptions", LockOptions(tab="Options")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "command"), GOLDEN, ids=[text[:24] for text, _ in GOLDEN])
def test_a_command_is_read_and_written_as_vassal_does(text: str, command: Command) -> None:
    assert commands.decode(text) == command
    assert command.encode() == text
    assert commands.decode(text).written is None


def test_every_kind_of_command_is_among_the_examples() -> None:
    assert {type(command) for _, command in GOLDEN} == set(classes_of_commands())


@pytest.mark.parametrize(("text", "command"), TOLERATED, ids=[text[:24] for text, _ in TOLERATED])
def test_what_vassal_tolerates_is_read_and_written_back_as_it_was(text: str, command: Command) -> None:
    found = commands.decode(text)
    assert found == command
    assert found.encode() == text
    assert command.encode() != text


@pytest.mark.parametrize(
    "text",
    [
        "+/SESAME",
        "+/SESAME/SESAME",
        "D/SESAME",
        "M/SESAME",
        "M/17/Map/SESAME/2/null/Map/3/4/null/pw",
        "M/17/Map/1/2/null/Map/3/SESAME/null/pw",
        "M/17/Map/1/99999999999/null/SESAME",
        "M/17/Map//2/null/Map/3/4/null/SESAME",
        "M/17/Map/1/2/SESAME/Map/3/4",
        "PLAYER\tSESAME",
        "PLAYER\tSESAME\tSESAME",
        "SNOTE\tplan\tSESAME\ttrue",
        "EXT\tSESAME",
        "PLUGIN\tSESAME",
        "CLOCK\tSESAME",
    ],
)
def test_a_broken_command_is_reported_without_what_it_says(text: str) -> None:
    with pytest.raises(FormatError, match=r"^command [A-Z]\w+: ") as caught:
        commands.decode(text)
    assert "SESAME" not in str(caught.value)


@pytest.mark.parametrize(
    "command",
    [
        AddPlayer(password="SESAME\\", name="Al", side="Blue"),
        Unmask(players=("SESAME\\", "pw")),
        PrivateNote(owner="pw", text="SESAME\\\nmore"),
        AddPiece(id="17", type="stack\\", state="SESAME"),
    ],
)
def test_a_command_that_cannot_be_written_is_reported_without_what_it_says(command: Command) -> None:
    with pytest.raises(FormatError, match=r"^command \w+: .*backslash") as caught:
        command.encode()
    assert "SESAME" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "PLAYER\tSESAME\tAl\tBlue",
        "PYREMOVE\tSESAME",
        "M/17/Map/1/2/null/Map/3/4/null/SESAME",
        "+/17/obs;;;/SESAME;",
        "D/17/SESAME/SESAME",
        "PNOTE\tSESAME\tmine",
        "SNOTE\tplan\tSESAME\ttrue\tat dawn",
        "UNMASK\tSESAME\tpw",
        "CLOCK\tSESAME\tBlue",
        "LOCKSPOTAB\tOptions\tAl\tSESAME",
        "CONCEAL\tSESAME",
    ],
)
def test_the_repr_of_a_command_shows_no_password(text: str) -> None:
    command = commands.decode(text)
    assert "SESAME" in command.encode()
    assert "SESAME" not in repr(command)


@pytest.mark.parametrize(
    "text",
    [
        "INFO\tAxis\tAllied",
        "INFO\tBoardPicker\tBoard\t0\t0",
        "BoardPickers",
        "PRIV_CHATpsst",
        "SPP\tOldX\t1",
        "NOTES",
        "BEGIN_SAVE",
        "+",
        "SETUP_STACK",
        "CLOCK:pw:x",
    ],
)
def test_what_no_release_knows_is_kept(text: str) -> None:
    assert commands.decode(text) == Unknown(text)
    assert commands.decode(text).encode() == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CHATwhere is the BoardPicker", Chat),
        ("CHAT boxBoardPicker\tBoard\t0\t0", SetBoards),
        ("TURN trackBoardPicker\tBoard\t0\t0", SetBoards),
        ("EventsBoardPicker\tBoard\t0\t0", SetBoards),
        ("PLAYER aidBoardPicker\tBoard\t0\t0", SetBoards),
        ("+/17/mark;BoardPicker\t\tpiece;;;a.png;1st/x\t\tnull;0;0;1;0", AddPiece),
        ("D/17/BoardPicker\t\tnull;0;0;1;0/x\t\tnull;0;0;1;0", ChangePiece),
        ("CLOCKCONTROL\ttrue\ttrue", ClockControl),
        ("PNOTES\tours", PublicNotes),
        ("NOTES\tours", Notes),
    ],
)
def test_commands_that_begin_alike_are_told_apart(text: str, kind: type[Command]) -> None:
    assert type(commands.decode(text)) is kind


def test_a_property_whose_old_value_is_unknown_keeps_its_other_fields_in_place() -> None:
    command = ChangeProperty(name="2d6_result", old=None, new="6,2", container="Module")
    assert command.encode() == "MutableProperty\t2d6_result\t\t6,2\tModule"


def test_a_changed_command_forgets_how_the_file_spelt_it() -> None:
    command = commands.decode("PLAYER\t'pw'\tAl\tBlue")
    assert isinstance(command, AddPlayer)
    changed = AddPlayer(password="pw", name="Bo", side="Blue", written=command.written)
    assert changed.encode() == "PLAYER\tpw\tBo\tBlue"


prefixes = st.sampled_from(
    sorted(
        {cls.PREFIX for cls in classes_of_commands()}
        | {"Main MapBoardPicker\t", "CHAT\tBoardPicker\t", "LOG\t"}
    )
)
delimiters = st.sampled_from("/\t;|")


@st.composite
def likely_texts(draw: st.DrawFn) -> str:
    tokens = draw(st.lists(raw_fields | st.sampled_from(["null", "true", "12", "rev", "A/rev"]), max_size=11))
    return draw(prefixes) + draw(delimiters).join(tokens)


@settings(max_examples=300, deadline=None)
@given(likely_texts() | st.text())
def test_any_text_is_written_back_exactly_or_refused(text: str) -> None:
    try:
        command = commands.decode(text)
    except FormatError as error:
        assert len(str(error)) < 200
        return
    assert command.encode() == text


@pytest.mark.parametrize("cls", classes_of_commands(), ids=lambda cls: cls.__name__)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_command_is_read_as_it_was_written(cls: type[Command], data: st.DataObject) -> None:
    command = data.draw(commands_of(cls))
    found = commands.decode(command.encode())
    assert found == command
    assert found.written is None


def test_real_commands_are_written_back_to_the_byte(shared: Path) -> None:
    unknown: Counter[str] = Counter()
    for name, file in real_files(shared).items():
        for node, command in zip(file.nodes, file.commands, strict=True):
            assert node.text.removeprefix("LOG\t") == command.encode(), name
            if type(command) is Unknown:
                unknown[command.text.partition("\t")[0]] += 1
    assert set(unknown) == {"INFO", "bd"}  # of one module's own classes
    assert sum(unknown.values()) < 40


def test_real_commands_are_as_many_as_others_counted(shared: Path) -> None:
    """The index counts what the steps of each file do, as ``moves``, ``changes``, ``adds``, ``removes``,
    ``chat`` and ``undo``; the ``pieces`` and ``decks`` of its setup; and the ``stacks`` made in both.
    """
    for row in index_rows(shared):
        stream = real_files(shared)[row["file"]].stream
        setup = [node.command for node in stream.setup]
        logged = [node.command for step in stream.steps for node in step.walk()]
        made = [command for command in setup if isinstance(command, AddPiece)]
        made_later = [command for command in logged if isinstance(command, AddPiece)]
        kinds = Counter(map(type, logged))
        stacks = sum(command.type == "stack" for command in made)
        decks = sum(command.type.startswith("deck;") for command in made)
        counted = {
            "moves": kinds[MovePiece],
            "changes": kinds[ChangePiece],
            "adds": kinds[AddPiece],
            "removes": kinds[RemovePiece],
            "chat": kinds[Chat],
            "undo": kinds[Undo],
            "pieces": len(made) - stacks - decks,
            "decks": decks,
            "stacks": stacks + sum(command.type == "stack" for command in made_later),
        }
        assert counted == {column: int(row[column]) for column in counted}, row["file"]
