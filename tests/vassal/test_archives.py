from __future__ import annotations

import io
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vassal.strategies_archives import Forged, forge, mutations, zeros
from vassalgen.problems import BadInput, FormatError
from vassalgen.vassal import archives
from vassalgen.vassal.archives import Archive, Kind, pack, replace_file
from vassalgen.vassal.limits import MB, Limits, parse_size, show_size

MODULE_XML = b'<?xml version="1.0"?>\n<VASSAL.build.GameModule name="Ridge"/>'
EXTENSION_XML = b'<?xml version="1.0"?>\n<VASSAL.build.module.ModuleExtension module="Ridge"/>'
SOUND = pack([("savedGame", b"!VCSK5a" + b"38" * 200), ("savedata", b"<data/>"), ("images/é.png", b"")])


def refusal(data: bytes, limits: Limits = Limits()) -> str:  # noqa: B008 - a frozen value
    """What is said when ``data`` is opened and all of it read."""
    with pytest.raises(FormatError) as caught, Archive.open(data, limits, file="x.vmod") as archive:
        for name in archive.names:
            archive.read(name)
    message = str(caught.value)
    assert message.startswith("x.vmod: ")
    assert "\n" not in message
    return message.removeprefix("x.vmod: ")


@pytest.mark.parametrize(
    ("entries", "kind"),
    [
        ({"savedGame": b""}, Kind.GAME),
        ({"savedGame": b"", "buildFile.xml": b"", "moduledata": b""}, Kind.GAME),
        ({"buildFile.xml": b"", "moduledata": b""}, Kind.MODULE),
        ({"buildFile.xml": b"", "moduledata": b"", "extensiondata": b""}, Kind.EXTENSION),
        ({"buildFile": MODULE_XML}, Kind.MODULE),
        ({"buildFile": EXTENSION_XML}, Kind.EXTENSION),
        ({"buildFile": b"<VASSAL.launch.BasicModule/>"}, Kind.MODULE),
    ],
)
def test_the_content_shows_what_a_file_is(entries: dict[str, bytes], kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "misnamed.png"
    archives.write(path, entries.items())
    with Archive.open(path) as archive:
        assert archive.kind is kind


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({}, "not a VASSAL file"),
        ({"moduledata": b"<data/>"}, "not a VASSAL file"),
        ({"buildFile.xml": b"\n" * 10 + MODULE_XML}, "buildFile.xml: neither a module"),
        ({"buildFile": b"<html/>"}, "buildFile: neither a module"),
    ],
)
def test_a_zip_of_something_else_is_told_apart(entries: dict[str, bytes], message: str) -> None:
    with Archive.open(pack(entries.items())) as archive, pytest.raises(FormatError, match=message):
        _ = archive.kind


def test_entries_keep_their_order_and_are_read_one_by_one() -> None:
    with Archive.open(SOUND) as archive:
        assert archive.names == ("savedGame", "savedata", "images/é.png")
        assert "savedata" in archive
        assert "images/" not in archive
        assert archive.read("savedata") == b"<data/>"
        assert archive.read("images/é.png") == b""
        assert archive.head("savedGame", 7) == b"!VCSK5a"
        assert archive.head("savedata", 1000) == b"<data/>"
        assert archive.size("savedGame") == 407


def test_folders_are_not_entries() -> None:
    with Archive.open(pack([("images/", b""), ("images/a", b"")])) as archive:
        assert archive.names == ("images/a",)


def test_a_missing_entry_is_reported() -> None:
    with Archive.open(SOUND, file="x.vsav") as archive:
        with pytest.raises(FormatError, match=r"x\.vsav: is a save or log, not a module: use the \.vmod"):
            _ = archive.build_file
        with pytest.raises(FormatError, match=r"x\.vsav: nothing: there is no such entry"):
            archive.read("nothing")
    with (
        Archive.open(pack([("images/a", b"")]), file="x.vmod") as archive,
        pytest.raises(FormatError, match=r"x\.vmod: buildFile\.xml: there is no such entry"),
    ):
        _ = archive.build_file


def test_an_archive_inside_an_archive_is_reported_with_both_places() -> None:
    bad = forge([Forged(b"savedGame", b"begin", crc=1)])
    with Archive.open(pack([("set-up.vsav", bad), ("b.vsav", b"PK")]), file="x.vmod") as module:
        with module.inner("set-up.vsav") as setup, pytest.raises(FormatError) as caught:
            setup.read("savedGame")
        assert str(caught.value).startswith("x.vmod: set-up.vsav, savedGame: damaged: Bad CRC-32")
        with pytest.raises(FormatError, match=r"x\.vmod: b\.vsav: damaged or cut short"):
            module.inner("b.vsav")


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../x",
        "images/../../x",
        "..",
        "..\\x",
        "images\\..\\..\\x",
        "\\\\server\\x",
        "\\x",
        "C:/x",
        "c:x",
        "",
    ],
)
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    assert "leads out of the archive" in refusal(forge([Forged(b"good"), Forged(name.encode())]))
    with pytest.raises(FormatError, match="leads out"):
        pack([(name, b"")])


def test_a_name_with_a_nul_is_refused() -> None:
    assert "is not text" in refusal(forge([Forged(b"savedGame\0.exe")]))
    with pytest.raises(FormatError, match="is not text"):
        pack([("a\ud800", b"")])


def test_a_name_that_is_not_utf_8_though_it_says_so_is_refused() -> None:
    assert "damaged" in refusal(forge([Forged(b"\xff\xfe", flags=0x800)]))


def test_a_name_with_control_characters_stays_on_one_line() -> None:
    assert refusal(forge([Forged(b"a\nb\x1b", flags=1)])).startswith("'a\\nb\\x1b': encrypted")


def test_backslashes_that_lead_nowhere_are_part_of_a_name() -> None:
    with Archive.open(forge([Forged(b"images\\a.png", b"x")])) as archive:
        assert archive.read("images\\a.png") == b"x"


def test_two_entries_of_one_name_are_refused() -> None:
    twice = forge([Forged(b"savedGame", b"seen"), Forged(b"savedGame", b"hidden")])
    assert "savedGame: there are two entries of this name" in refusal(twice)
    with pytest.raises(FormatError, match="two entries"):
        pack([("a", b""), ("a", b"")])


@pytest.mark.parametrize("flags", [0x1, 0x41, 0x2001])
def test_an_encrypted_entry_is_refused(flags: int) -> None:
    assert "savedGame: encrypted" in refusal(forge([Forged(b"savedGame", b"x", flags=flags)]))


@pytest.mark.parametrize("method", [1, 9, 12, 14, 93, 99])
def test_packing_that_vassal_cannot_read_is_refused(method: int) -> None:
    assert f"packed by method {method}" in refusal(forge([Forged(b"savedGame", b"x", method=method)]))


def test_entries_that_share_their_bytes_are_refused() -> None:
    kernel = zeros(MB)
    shared = [
        Forged(b"a%d" % i, packed=kernel if i == 0 else b"", packed_size=len(kernel), size=MB, offset=0)
        for i in range(9)
    ]
    assert "overlaps" in refusal(forge(shared))


def test_entries_that_quote_each_other_are_refused() -> None:
    first = Forged(
        b"a", packed=b"", packed_size=31 + 40, size=2000
    )  # its bytes are the second entry, header and all
    assert "a: it overlaps what follows it" in refusal(forge([first, Forged(b"b", bytes(2000), method=0)]))


def test_an_entry_that_reaches_beyond_the_file_is_refused() -> None:
    assert "overlaps" in refusal(forge([Forged(b"a", b"abc", method=0, packed_size=10_000)]))


def test_an_entry_before_the_file_is_refused() -> None:
    cut = forge([Forged(b"a", b"abc" * 100, method=0), Forged(b"b")])[200:]
    assert "before the beginning" in refusal(cut)


def test_three_hundred_megabytes_of_zeros_are_refused_at_once() -> None:
    bomb = forge([Forged(b"savedGame", packed=zeros(300 * MB), size=300 * MB)])
    assert len(bomb) < MB
    tracemalloc.start()
    message = refusal(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert message.startswith("savedGame: unpacks to 300MB, more than 64 times what it is packed in")
    assert "--limit 300MB" in message
    assert peak < 3 * MB


def test_a_bomb_that_lies_about_its_size_is_unpacked_no_further_than_it_claims() -> None:
    bomb = forge([Forged(b"savedGame", packed=zeros(300 * MB), size=100_000)])
    tracemalloc.start()
    message = refusal(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert message.startswith("savedGame: damaged: Bad CRC-32")
    assert peak < 3 * MB


def test_an_entry_that_claims_more_than_it_has_is_cut_short() -> None:
    liar = forge([Forged(b"a", b"abc", size=9_000_000)])
    assert refusal(liar) == "a: cut short: 3 bytes instead of 9000000"


def test_an_entry_that_claims_to_be_empty_and_is_not_is_damaged() -> None:
    assert "damaged" in refusal(forge([Forged(b"a", b"abc", size=0)]))


def test_a_bomb_of_many_entries_is_refused_by_their_sum() -> None:
    many = forge([Forged(b"%d" % i, packed=zeros(MB), size=MB, crc=zlib.crc32(bytes(MB))) for i in range(20)])
    message = refusal(many, Limits(total=10 * MB))
    assert message == "10: unpacks to 11MB, the limit is 10MB: if you trust it: --limit 11MB"
    with Archive.open(many, Limits.trusting(20 * MB)) as archive:
        assert sum(len(archive.read(name)) for name in archive.names) == 20 * MB


def test_an_entry_read_twice_counts_once() -> None:
    with Archive.open(pack([("a", bytes(600)), ("b", bytes(600))]), Limits(total=1000)) as archive:
        for _ in range(3):
            archive.head("a", 100)
            archive.read("a")
        with pytest.raises(FormatError, match="unpacks to 1200B, the limit is 1000B"):
            archive.read("b")


def test_archives_inside_an_archive_spend_from_the_same_limits() -> None:
    setup = pack([("savedGame", bytes(50_000))])
    module = pack([(f"{i}.vsav", setup) for i in range(9)])
    with Archive.open(module, Limits(total=220_000)) as archive:
        for i in range(4):
            with archive.inner(f"{i}.vsav") as inner:
                inner.read("savedGame")
        with (
            archive.inner("4.vsav") as inner,
            pytest.raises(FormatError, match=r"4\.vsav, savedGame: unpacks to"),
        ):
            inner.read("savedGame")


def test_a_save_of_hundreds_of_megabytes_passes_when_the_limit_is_raised() -> None:
    """Not really so large: the limits are as much smaller."""
    save = pack([("savedGame", bytes(465_000))])
    assert "the limit is 250KB: if you trust it: --limit 455KB" in refusal(save, Limits(total=256_000))
    with Archive.open(save, Limits.trusting(parse_size("455KB"))) as archive:
        assert len(archive.read("savedGame")) == 465_000


def test_small_files_may_be_packed_as_well_as_they_can() -> None:
    with Archive.open(pack([("savedGame", b" " * (16 * MB))])) as archive:
        assert len(archive.read("savedGame")) == 16 * MB


def test_too_many_entries_are_refused_before_anything_is_made_of_them() -> None:
    one = forge([Forged(b"a")])
    record = one[one.index(b"PK\x01\x02") : one.index(b"PK\x05\x06")]
    directory = record * 60_000
    end = b"PK\x05\x06" + bytes(4) + b"\xff\xff" * 2 + len(directory).to_bytes(4, "little") + bytes(6)
    tracemalloc.start()
    message = refusal(directory + end)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert message == "more than 50000 entries"
    assert peak < 3 * len(directory)


def test_a_directory_too_large_for_its_entries_is_not_even_read() -> None:
    long_names = forge([Forged(b"a" * 3000)])
    assert refusal(long_names, Limits(entries=2)) == "more than 2 entries"


@pytest.mark.parametrize("cut", [1, 10, 22, 60, 200, len(SOUND) - 30])
def test_a_file_cut_short_is_reported(cut: int) -> None:
    assert "damaged or cut short" in refusal(SOUND[:-cut])


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "the file is empty"), (b"Hello", "not a zip file"), (bytes(99), "not a zip file")],
)
def test_what_is_no_zip_is_reported(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


def test_a_changed_byte_is_found_by_its_checksum() -> None:
    at = SOUND.index(b"savedata") + len("savedata") + 11  # inside the packed bytes
    assert "damaged" in refusal(SOUND[:at] + bytes([SOUND[at] ^ 1]) + SOUND[at + 1 :])


def test_files_that_cannot_be_opened_are_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.vmod", tmp_path):
        with pytest.raises(FormatError) as caught:
            Archive.open(path)
        assert caught.value.problem.file == str(path)
        assert caught.value.problem.wrong.startswith("cannot be read: ")


@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda data: b"PK\x05\x06" + data))
def test_random_bytes_are_refused_or_read(data: bytes) -> None:
    read_all(data)


@given(mutations(SOUND))
def test_damaged_archives_are_refused_or_read(data: bytes) -> None:
    read_all(data)


def read_all(data: bytes) -> None:
    """Read all that can be read; anything but a declared error escapes."""
    try:
        with Archive.open(data, Limits(total=MB), file="x") as archive:
            for name in archive.names:
                assert len(archive.read(name)) == archive.size(name)
            _ = archive.kind
    except FormatError as error:
        assert error.problem.file == "x"
        assert "\n" not in str(error)


def test_the_same_entries_give_the_same_bytes_wherever_they_are_packed() -> None:
    when = datetime(2024, 7, 1, 10, 0, 1, tzinfo=UTC)
    entries = [("b", b"x" * 100), ("a", b""), ("é", b"y")]
    packed = pack(entries, when=when)
    assert packed == pack(iter(entries), when=when.astimezone(timezone(timedelta(hours=9))))
    assert packed == pack(entries, when=when.replace(tzinfo=None))
    assert packed != pack(entries)
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        assert opened.namelist() == ["b", "a", "é"]
        for info in opened.infolist():
            assert info.date_time == (2024, 7, 1, 10, 0, 0)
            assert info.compress_type == zipfile.ZIP_DEFLATED
            assert (info.create_system, info.external_attr >> 16) == (3, 0o100644)
            assert info.extra == b"UT\x05\x00\x01" + int(when.timestamp()).to_bytes(4, "little")


def test_pictures_which_are_compressed_already_are_stored_as_they_are() -> None:
    contents = {"a.png": b"\x89PNG" + bytes(99), "a.vsav": pack([("b", b"")]), "a.svg": bytes(99)}
    with zipfile.ZipFile(io.BytesIO(pack(contents.items()))) as opened:
        stored = [one.filename for one in opened.infolist() if one.compress_type == zipfile.ZIP_STORED]
        assert stored == ["a.png"]
        assert {name: opened.read(name) for name in opened.namelist()} == contents


def test_times_that_a_zip_cannot_name_become_the_nearest_it_can() -> None:
    for year, nearest in ((1970, 1980), (2500, 2107)):
        with zipfile.ZipFile(io.BytesIO(pack([("a", b"")], when=datetime(year, 1, 1, tzinfo=UTC)))) as opened:
            assert opened.getinfo("a").date_time[0] == nearest


@given(st.dictionaries(st.text(st.sampled_from("ab/é€ ."), min_size=1), st.binary(), max_size=5))
def test_what_is_packed_can_be_read_again(entries: dict[str, bytes]) -> None:
    try:
        packed = pack(entries.items())
    except FormatError:
        assert any(name.startswith("/") or ".." in name.split("/") for name in entries)
        return
    with Archive.open(packed) as archive:
        assert {name: archive.read(name) for name in archive.names} == {
            name: content for name, content in entries.items() if not name.endswith("/")
        }


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.vmod"
    archives.write(path, [("a", b"old")])
    old = path.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadInput, match=r"game\.vmod: cannot be written: No space left"):
        replace_file(path, b"new")
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_two_programs_may_write_one_file_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, replace = tmp_path / "game.vmod", Path.replace

    def while_another_writes(self: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        replace_file(path, b"the other's")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", while_another_writes)
    replace_file(path, b"mine")
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        replace_file(tmp_path / "nowhere" / "game.vmod", b"")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("512MB", 512 * MB),
        ("512 mb", 512 * MB),
        (" 1G ", 1024 * MB),
        ("1.5GiB", 1536 * MB),
        ("7k", 7168),
        ("0.5KB", 512),
        ("2TB", 2 * 1024 * 1024 * MB),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "1XB", "1,5GB", "0", "0.1B", "1e9", "٣MB", "9" * 99])
def test_what_is_no_size_is_reported(text: str) -> None:
    with pytest.raises(FormatError, match="512MB"):
        parse_size(text)


@given(st.integers(1, 10**15))
def test_a_size_that_is_shown_suffices(size: int) -> None:
    assert size <= parse_size(show_size(size)) <= size * 1.11 + 1


def test_limits_are_not_zero() -> None:
    with pytest.raises(ValueError, match="total"):
        Limits(total=0)


def test_every_archive_of_the_corpus_is_read_whole(shared: Path) -> None:
    kinds = {"vmod": Kind.MODULE, "vmdx": Kind.EXTENSION, "vsav": Kind.GAME, "vlog": Kind.GAME}
    refused = []
    for kind, found in kinds.items():
        for path in [*shared.glob(f"corpus/{kind}/*"), *shared.glob(f"vassal-truth/*.{kind}")]:
            try:
                with Archive.open(path) as archive:
                    assert archive.kind is found
                    with zipfile.ZipFile(path) as opened:
                        assert all(archive.read(name) == opened.read(name) for name in archive.names)
            except FormatError as error:
                assert error.problem.file == str(path)
                refused.append((path.name, error.problem.wrong))
    assert sorted(refused) == [
        ("uckelman__tld-mod__scenario_5.sav", "not a zip file"),
        ("vassalengine__game-library-service__test.vmod", "not a VASSAL file"),
    ]


def test_importing_is_cheap() -> None:
    code = """import sys
import vassalgen.vassal.images, vassalgen.vassal.savedgame
print({'lxml', 'PIL'} & set(sys.modules))"""
    root = Path(archives.__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
