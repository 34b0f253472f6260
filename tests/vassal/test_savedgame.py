from __future__ import annotations

import io
import tracemalloc
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given

from tests.vassal.strategies_archives import Forged, envelopes, forge, mutations, texts
from vassalgen.problems import FormatError
from vassalgen.vassal import streams
from vassalgen.vassal.archives import SAVE_DATA, SAVED_GAME, Archive, pack
from vassalgen.vassal.limits import MB, Limits
from vassalgen.vassal.metadata import ModuleData, SaveData
from vassalgen.vassal.obfuscation import Envelope, Form, encode
from vassalgen.vassal.savedgame import SavedGame, is_log, read_saved_game, read_setup, read_stream

STREAM = "begin_save\x1bPLAYER\tsecret\tBob\tRed\x1bend_save"
LOG = STREAM + "\x1bLOG\tCHAT* Bob moves\x1bLOG\tnull\\\x1bLOG\tM/1/Map/1/2//Map/3/4//Bob"


def stored(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return opened.read(SAVED_GAME)


def test_a_new_save_has_the_entries_vassal_writes() -> None:
    game = SavedGame.new(STREAM, SaveData(version="1.0", description="turn 1"), ModuleData(name="Ridge"))
    again = read_saved_game(game.to_bytes())
    assert again == game
    assert again.savedata == SaveData(version="1.0", description="turn 1")
    assert again.moduledata == ModuleData(name="Ridge")
    with Archive.open(game.to_bytes()) as archive:
        assert archive.names == ("savedGame", "savedata", "moduledata")
    assert stored(game.to_bytes()).startswith(b"!VCSK5a")


def test_an_old_save_says_nothing_about_itself() -> None:
    game = read_saved_game(SavedGame(STREAM).to_bytes())
    assert game.savedata is None
    assert game.moduledata is None


def test_a_save_whose_metadata_are_damaged_can_still_be_read() -> None:
    game = read_saved_game(pack([("savedGame", b"begin_save"), ("savedata", b"<data>")]))
    assert game.text == "begin_save"
    with pytest.raises(FormatError, match="savedata, line 1"):
        _ = game.savedata


@pytest.mark.parametrize("form", Form)
def test_a_save_is_written_in_the_form_asked_for(form: Form) -> None:
    data = SavedGame(STREAM).to_bytes(form)
    assert stored(data) == encode(STREAM, Envelope(form))
    assert read_saved_game(data).text == STREAM
    assert read_saved_game(data).envelope.form is form


def scrambled(form: bytes, key: int, text: bytes, *, upper: bool = False) -> bytes:
    """A text as VASSAL obfuscates it, digits in either case."""
    plain = bytes(byte ^ key for byte in text)
    if form == b"VOBS":
        return form + bytes([key]) + plain
    digits = f"{key:02x}{plain.hex()}"
    return form + (digits.upper() if upper else digits).encode()


@pytest.mark.parametrize(
    "savedgame",
    [
        scrambled(b"!VCSK", 0x5A, b"begin_save", upper=True),
        scrambled(b"!VCSK", 0xFF, b"begin_save\xff"),
        scrambled(b"VOBS", 7, b"begin_saveabc"),
        b"begin_save\xff",
    ],
)
def test_a_stream_is_rewritten_to_the_byte_with_its_neighbours_in_order(savedgame: bytes) -> None:
    entries = [("notes.txt", b"mine"), ("savedGame", savedgame), ("savedata", b"<data />")]
    when = datetime(2024, 1, 2, tzinfo=UTC)
    assert read_saved_game(pack(entries)).to_bytes(when=when) == pack(entries, when=when)


def test_a_stream_scrambled_with_another_key_is_reported() -> None:
    wrong = scrambled(b"!VCSK", 0x5A, b"begin_save").replace(b"!VCSK5a", b"!VCSK5b")
    with pytest.raises(
        FormatError, match="does not begin with begin_save: damaged, or scrambled with another key"
    ):
        read_saved_game(pack([("savedGame", wrong)]))


def test_a_save_is_written_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "turn 1.vsav"
    SavedGame(STREAM).write(path, Form.PLAIN)
    assert read_saved_game(path) == SavedGame(STREAM, Envelope(Form.PLAIN))
    assert read_saved_game(str(path)).text == STREAM


def test_a_log_is_distinguished_from_a_save_by_its_steps() -> None:
    assert is_log(LOG)
    assert is_log("LOG\tCHATonly steps")
    assert not is_log(STREAM)
    assert not is_log("begin_save\x1bNOTES\tLOG\tkept by Bob")


def test_passwords_are_not_shown() -> None:
    game = SavedGame(STREAM, others=(("savedata", b"secret"),))
    assert "secret" not in repr(game)
    mixed = read_saved_game(pack([("savedGame", b"!VCSK" + b"00" + STREAM.encode().hex().encode() + b"aA")]))
    assert "736563726574" not in repr(mixed)


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("form", [Form.PLAIN, Form.VCSK])
def test_a_stream_without_a_zip_is_read_and_becomes_a_save_when_written(
    end: bytes, form: Form, tmp_path: Path
) -> None:
    path = tmp_path / "scenario.sav"
    path.write_bytes(encode(STREAM, Envelope(form)) + end)
    for game in (read_saved_game(path), read_saved_game(path.read_bytes())):
        assert game == SavedGame(STREAM, Envelope(form), bare=True)
        assert read_saved_game(game.to_bytes()) == SavedGame(STREAM, Envelope(form))


def test_the_last_byte_of_a_raw_stream_is_no_line_end() -> None:
    raw = encode("begin_save\x1b?", Envelope(Form.VOBS, ord("?") ^ ord("\n")))
    assert raw.endswith(b"\n")
    assert read_saved_game(raw).text == "begin_save\x1b?"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x: the file is empty"),
        (b"P", "x: neither a zip file nor a stream"),
        (b"PK", "x: damaged or cut short"),
        (b"begin_saved", "x: neither a zip file nor a stream"),
        (b"\x89PNG", "x: neither a zip file nor a stream"),
        (b"!VCSK5", "x: byte 6: the key is missing"),
        (pack([("buildFile.xml", b"")]), "x: is a module, neither a save nor a log"),
        (pack([("other", b"")]), "x: neither a save nor a log"),
        (pack([("savedGame", b"!VCSK0g")]), "x: savedGame, byte 6: byte 0x67 is not a hex digit"),
        (forge([Forged(b"savedGame", b"begin", crc=1)]), "x: savedGame: damaged"),
        (forge([Forged(b"savedGame"), Forged(b"../x")]), "x: ../x: the name"),
    ],
)
def test_what_is_no_save_is_reported(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read_saved_game(data, file="x")
    assert str(caught.value).startswith(message)
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        read_saved_game(path)
    assert str(caught.value).startswith(f"{path}{message[1:]}")
    with pytest.raises(FormatError) as caught:
        read_stream(path)
    assert str(caught.value).startswith(f"{path}{message[1:]}")


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_saved_game(tmp_path / "missing.vlog")


def test_a_stream_without_a_zip_has_the_same_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.sav"
    path.write_bytes(STREAM.encode() * 100)
    with pytest.raises(FormatError, match="--limit"):
        read_saved_game(path, Limits(total=1000))


def test_a_setup_is_read_out_of_its_module() -> None:
    setups = [
        ("a.vsav", SavedGame(STREAM).to_bytes()),
        ("b.sav", STREAM.encode() + b"\n"),
        ("c.vsav", b"PNG"),
        ("d.vsav", b""),
    ]
    with Archive.open(pack([("buildFile.xml", b""), *setups]), file="m") as module:
        assert read_setup(module, "a.vsav").text == STREAM
        assert read_setup(module, "b.sav").bare
        for name, message in (
            ("c.vsav", "neither a zip"),
            ("d.vsav", "the file is empty"),
            ("e", "no such entry"),
        ):
            with pytest.raises(FormatError, match=f"m: {name}: .*{message}"):
                read_setup(module, name)


def test_an_open_archive_stays_open() -> None:
    with Archive.open(SavedGame(STREAM).to_bytes()) as archive:
        assert read_saved_game(archive) == read_saved_game(archive)


@given(texts, envelopes)
def test_what_is_saved_can_be_read_again(text: str, envelope: Envelope) -> None:
    text = f"begin_save\x1b{text}"
    game = SavedGame(text, envelope)
    try:
        data = game.to_bytes()
    except FormatError:
        assert envelope.form is Form.PLAIN
        return
    assert read_saved_game(data).text == text
    assert stored(read_saved_game(data).to_bytes()) == stored(data)


@given(
    mutations(SavedGame.new(LOG, SaveData(version="1")).to_bytes())
    | mutations(encode(LOG))
    | mutations(LOG.encode())
)
def test_damaged_saves_are_refused_or_rewritten_exactly(data: bytes) -> None:
    try:
        game = read_saved_game(data, Limits(total=MB))
    except FormatError as error:
        assert "\n" not in str(error)
        assert "secret" not in str(error)
        return
    assert read_saved_game(game.to_bytes()).text == game.text
    if not game.bare:
        with Archive.open(data) as archive:
            assert stored(game.to_bytes()) == archive.read(SAVED_GAME)


def test_a_log_takes_little_more_memory_than_its_text() -> None:
    data = SavedGame(LOG * 8000).to_bytes()
    tracemalloc.start()
    game = read_saved_game(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * len(game.text)


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("words", ["", "é" * 50_000, "x" + "日本" * 50_000])
def test_a_stream_is_read_as_it_comes_whatever_is_cut_in_two(form: Form, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    game = SavedGame(LOG + words, Envelope(form), others=((SAVE_DATA, SaveData(version="2").to_xml()),))
    path.write_bytes(game.to_bytes())
    found = read_stream(path)
    assert found.stream == streams.decode(game.text)
    assert found.savedata == game.savedata
    path.write_bytes(encode(game.text, Envelope(form)))
    assert read_stream(path).stream == streams.decode(game.text)


def test_a_stream_is_read_without_the_whole_of_its_text_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    game = SavedGame(LOG + "x" * 1_000_000 + ("\x1bLOG\tCHAT" + "y" * 20_000) * 100)
    game.write(path)
    tracemalloc.start()
    read_stream(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.5 * len(game.text)  # the commands are as long as the text


def test_every_save_and_log_of_the_corpus_is_rewritten_exactly(shared: Path) -> None:
    logs = bare = 0
    for path in [*shared.glob("corpus/v[sl]*/*"), *shared.glob("vassal-truth/*.v[sl]*")]:
        game = read_saved_game(path)
        logs += is_log(game.text)
        bare += game.bare
        again = game.to_bytes()
        if not game.bare:
            with zipfile.ZipFile(path) as before, zipfile.ZipFile(io.BytesIO(again)) as after:
                assert before.namelist() == after.namelist()
                assert all(before.read(name) == after.read(name) for name in before.namelist())
        assert is_log(game.text) == (path.suffix in (".log", ".vlog")), path.name
    assert (logs, bare) == (18, 1)


def test_a_scenario_kept_as_plain_text_is_read(shared: Path) -> None:
    game = read_saved_game(shared / "corpus/vsav/uckelman__tld-mod__scenario_5.sav")
    assert game.bare
    assert game.text.endswith("\x1bend_save")


def test_every_setup_of_the_corpus_is_read(shared: Path) -> None:
    setups = 0
    for path in shared.glob("corpus/vmod/*"):
        with Archive.open(path) as module:
            for name in module.names:
                if name.endswith((".vsav", ".sav", ".vlog")):
                    assert read_setup(module, name).text.startswith("begin_save")
                    setups += 1
    assert setups > 100
