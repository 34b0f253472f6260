"""``vassalgen inspect`` as a person or a program uses it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.inspection.making import module, packed, palette, picture, ridge, save, slot, step
from vassalgen.cli import main
from vassalgen.vassal import archives
from vassalgen.vassal.components import PredefinedSetup


def run(*words: object) -> Result:
    result = CliRunner().invoke(main, ["inspect", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def hill(tmp_path: Path) -> Path:
    """A module with nothing wrong, and a set-up in it."""
    path = tmp_path / "hill.vmod"
    setup = PredefinedSetup(name="Std", file="std.vsav")
    files = {"images/ridge.png": picture(600, 400), "std.vsav": save("PLAYER\tsesame\tAlice\tBlue")}
    path.write_bytes(packed(module(ridge(), palette(slot("Foot", "1")), setup), files))
    return path


def test_a_sound_module_gives_exit_code_0(hill: Path) -> None:
    result = run(hill)
    assert result.exit_code == 0
    assert result.stdout.startswith("Hill Fight 1.2: module written by VASSAL 3.7.26 on 2023-11-14\n")
    assert result.stderr == ""


def test_something_wrong_gives_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "bad.vmod"
    path.write_bytes(packed(module(palette(slot("Foot", "1", "lost.png")))))
    result = run(path)
    assert result.exit_code == 1
    assert "lost.png" in result.stdout


def test_what_is_only_worth_knowing_gives_exit_code_0(tmp_path: Path) -> None:
    path = tmp_path / "odd.vmod"
    path.write_bytes(packed(module(), {"images/old.png": picture()}))
    assert run(path).exit_code == 0


def test_the_object_for_programs_holds_the_same_facts(hill: Path) -> None:
    result = run(hill, "--json", "-")
    facts = json.loads(result.stdout)
    assert list(facts)[:3] == ["kind", "file", "entry"]
    assert (facts["kind"], facts["file"], facts["name"]) == ("module", "hill.vmod", "Hill Fight")
    assert facts["maps"][0]["boards"][0]["grid"]["first"] == "0101"
    assert facts["findings"] == []
    assert result.stdout == run(hill, "--json", "-").stdout


def test_a_set_up_inside_a_module_can_be_named_in_two_ways(hill: Path) -> None:
    marked, option = run(f"{hill}!std.vsav"), run(hill, "--entry", "std.vsav")
    assert marked.stdout == option.stdout
    assert marked.stdout.startswith("std.vsav: save\n")
    assert "Players: Alice (Blue)" in marked.stdout


def test_an_entry_that_is_not_there_is_reported_with_those_that_are(hill: Path) -> None:
    result = run(f"{hill}!other.vsav")
    assert result.exit_code == 2
    assert result.stderr == f"{hill}: other.vsav: there is no such entry: std.vsav\n"


def test_a_file_whose_name_has_an_exclamation_mark_is_a_file(hill: Path) -> None:
    loud = hill.with_name("hill!now.vmod")
    hill.rename(loud)
    assert run(loud).exit_code == 0


def test_a_save_without_a_zip_around_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    path.write_bytes(b"begin_save\x1bPLAYER\tsesame\tAlice\tBlue\x1bend_save")
    result = run(path)
    assert (result.exit_code, "stored as plain" in result.stdout) == (0, True)


def test_text_and_json_do_not_go_together(hill: Path) -> None:
    assert run(hill, "--json", "-", "--text").exit_code == 2


def test_text_gives_exit_code_0_even_if_something_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "bad.vmod"
    path.write_bytes(packed(module(palette(slot("Foot", "1", "lost.png")))))
    result = run(path, "--text")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("=== buildFile.xml\n    GameModule\n")


DOCTYPE = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><VASSAL.build.GameModule/>'
)


DEEP = b"".join(b"\\" * depth + b"\x1bx" for depth in range(600))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (
            b"hello",
            "neither a zip file nor a stream of commands: VASSAL's saves and logs are one or the other",
        ),
        (b"PK\x03\x04 cut short", "damaged or cut short"),
        (archives.pack([("readme.txt", b"hi")]), "not a VASSAL file"),
        (archives.pack([("buildFile.xml", DOCTYPE), ("moduledata", b"<data/>")]), "a DOCTYPE is not allowed"),
        (archives.pack([("buildFile.xml", b"<a><b></a>"), ("moduledata", b"")]), "not well-formed XML"),
        (archives.pack([("buildFile.xml", b"<data/>"), ("moduledata", b"")]), "the root element is data"),
        (archives.pack([("savedGame", b"!VCSK5")]), "the key is missing"),
        (archives.pack([("savedGame", b"!VCSK5a3")]), "half a byte at the end"),
        (archives.pack([("savedGame", b"begin_save" + DEEP)]), "nested more than"),
    ],
)
@pytest.mark.parametrize("option", [(), ("--json", "-"), ("--text",), ("--all",)])
def test_what_cannot_be_read_gives_one_line_and_exit_code_2(
    tmp_path: Path, content: bytes, said: str, option: tuple[str, ...]
) -> None:
    path = tmp_path / "bad.vmod"
    path.write_bytes(content)
    result = run(path, *option)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith(f"{path}: ")
    assert said in result.stderr


def test_a_module_cut_short_anywhere_gives_one_line(hill: Path) -> None:
    whole = hill.read_bytes()
    for length in range(0, len(whole), 97):
        hill.write_bytes(whole[:length])
        result = run(hill)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


def test_a_file_that_is_not_there_and_a_folder_give_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none.vmod", tmp_path):
        result = run(path)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
        assert str(path) in result.stderr


def test_a_bomb_is_refused_unless_its_user_trusts_it(tmp_path: Path) -> None:
    path = tmp_path / "big.vsav"
    stream = b"begin_save\x1bCHAT" + b" " * 20_000_000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed_game:
        packed_game.writestr("savedGame", stream)
    refused = run(path)
    assert refused.exit_code == 2
    assert "--limit" in refused.stderr
    assert run(path, "--limit", "64MB").exit_code == 0


def test_a_log_with_broken_commands_is_reported_with_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "bad.vlog"
    path.write_bytes(save("PLAYER\tsesame", "end_save", step("M/1/2"), step("CHAThello")))
    for option in ((), ("--json", "-")):
        result = run(path, *option)
        assert result.exit_code == 1
        assert "step 1" in result.stdout
        assert "sesame" not in result.output


def test_the_broken_module_shows_all_that_the_engine_found(shared: Path) -> None:
    truth = json.loads((shared / "vassal-truth" / "check-broken.json").read_text())
    result = run(shared / "vassal-truth" / "broken.vmod", "--json", "-")
    facts = json.loads(result.stdout)
    assert result.exit_code == 1
    reported = {(finding["kind"], finding["what"]) for finding in facts["findings"]}
    expected = set()
    for problem in truth["problems"]:
        words = problem["message"].split()
        if "Image not found" in problem["message"]:
            expected.add(("missing image", words[words.index("Error:") - 1]))
        elif "Unknown type" in problem["message"]:
            expected.add(("unknown trait", words[words.index("type") + 1].split(";")[0] + ";"))
        else:
            assert "Z999" in problem["message"]
            expected.add(("unknown grid location", "Z999"))
    assert expected <= reported
    assert ("missing prototype", "NoSuchProto") in reported  # of which VASSAL says nothing


def test_json_goes_to_a_file_beside_the_words(hill: Path, tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    assert run(hill, "--json", str(file)).stdout == run(hill).stdout
    assert file.read_text(encoding="utf-8") == run(hill, "--json", "-").stdout
