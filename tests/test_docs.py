"""README, docs and help texts: commands and options they name exist, links lead somewhere, plain words."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import referee.cli
import vassalgen.cli
from vassalgen.commandline import LazyGroup

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS: dict[str, click.Command] = {"referee": referee.cli.main, "vassalgen": vassalgen.cli.main}
COMMANDS = [
    (program, name)
    for program, main in PROGRAMS.items()
    if isinstance(main, LazyGroup)
    for name in main.commands_at
]
LONG = 100
"""The number of lines from which a page has a table of contents."""

OLD_WORDS = re.compile(
    r"\b(thrown?|throws|reckon\w*|deeds?|fare|leans? on|leaning on|looks? into|whither|anew|thereby|"
    r"in mid-game|for want of|dearer|strew\w*|turn the page|at hand|nobody|"
    r"lies|lay|concealed|whoever|read otherwise|foes?|owes|too dear|ways? of moving|tempted|"
    r"page (is|was|has been|may have been) turned|in the way of a)\b",
    re.IGNORECASE,
)
"""Words that the field does not use, where no other meaning is possible."""


OLD_NAMES = re.compile(
    r"(?<![a-z])(deeds?|reckon(s|ed|ings?)?|hearing|thrown?|throws|threw|veil(s|ed)?|conceal(s|ed)?|"
    r"whither|strew\w*|righting|dearer|fares?|spoken|utter(ed)?|thereby|at_hand|made_way|"
    r"tellers?|untellable|befell|befall|bereft|put_in_battle(s|ed)?|likest|lookers_on|whys|leans_on|"
    r"foes?|owes|owed|owing|tolls?|tempt(s|ed|ing)|testimony|onlook(ers?|ing)|whoever|too dear|"
    r"stimuli|hindrances|anatomy|kin_of|fights_short|in_vain|trip_of|Trip)(?![a-z])|"
    r"ways? of moving|page (is|was|has been|may have been) turned|"
    r"(?<![a-z])told(?=( =|:|\())|"
    r"for want of|mid-game|laid to",
    re.IGNORECASE,
)
"""Words that were renamed in the code. Old announcements (EARLIER) keep theirs, and so does Java."""
CODE = [
    path
    for folder in ("referee", "vassalgen", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name != "tokens.py"
]
DATA = sorted(path for path in (ROOT / "modules").rglob("*") if path.suffix in (".toml", ".md"))


def help_of(program: str, command: str) -> str:
    result = CliRunner().invoke(PROGRAMS[program], [command, "--help"])
    assert result.exit_code == 0
    return result.output


def prose(page: Path) -> str:
    """A page without code, addresses and quoted words of the programs."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_every_command_is_documented_with_its_exit_codes(program: str, command: str) -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert f"`{program} {command}" in text
    codes = text.partition("## Exit codes\n")[2].partition("\n## ")[0]
    assert re.search(rf"`({program} )?{command}( --once)?`", codes)
    assert "Exit code" in help_of(program, command)


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_help_uses_the_words_of_the_field(program: str, command: str) -> None:
    assert not OLD_WORDS.findall(help_of(program, command))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_pages_use_the_words_of_the_field(page: Path) -> None:
    assert not OLD_WORDS.findall(prose(page))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, heading = target.partition("#")
        found = (page.parent / file) if file else page
        assert found.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in anchors, target


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_long_pages_have_a_table_of_contents(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
    if len(text.splitlines()) < LONG or page.name == "CHANGELOG.md":
        return
    for title in titles:
        anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        assert f"](#{anchor})" in text, title


def test_the_files_that_the_architecture_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b([a-z_]+\.py)\b", text)) - {"rules.py"}
    there = {
        path.name for folder in ("referee", "vassalgen", "tools") for path in (ROOT / folder).rglob("*.py")
    }
    assert named - there - {path.name for path in (ROOT / "tests").rglob("*.py")} == set()


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_the_commands_and_options_that_pages_show_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for program, command, rest in re.findall(
        r"(?:^    (?:\$ )?|`)(referee|vassalgen) ([a-z]+)\b([^`\n#]*)", text, re.MULTILINE
    ):
        if command in ("or", "and", "with"):
            continue
        assert (program, command) in COMMANDS, (program, command)
        known = help_of(program, command)
        for option in re.findall(r"(?<!\S)(--[a-z-]+)", rest):
            assert option in known, (program, command, option)


@pytest.mark.parametrize(
    "script", sorted((ROOT / "referee" / "report" / "web").glob("*.js")), ids=lambda path: path.name
)
def test_the_page_of_an_audit_uses_the_words_of_the_field(script: Path) -> None:
    texts = re.findall(r'"[^"\n]*"|`[^`]*`', script.read_text(encoding="utf-8"))
    assert not [text for text in texts if OLD_WORDS.search(text)]


@pytest.mark.parametrize("game", ["postcard1943", "tunisia1943", "patton1943", "vitoria1813"])
def test_the_text_report_uses_the_words_of_the_field(game: str) -> None:
    """In what is not about the findings: the game's own messages and rules have tests of their own."""
    log = next(iter(sorted((ROOT / "tests" / "data" / game).glob("messy*.vlog"))))
    report = CliRunner().invoke(referee.cli.main, ["audit", "--reveal", str(log)]).stdout
    lines = [
        line for line in report.splitlines() if not line.startswith(("  Rule:", "  illegal", "  unproven"))
    ]
    after = [line for line in lines if not line.startswith(("    ", "  Facts:", "  slip"))]
    assert not OLD_WORDS.findall("\n".join(after))


def test_the_code_uses_the_words_of_the_field() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in CODE
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "EARLIER" not in line and "# hind legs" not in line and "# a rulebook's word" not in line
        for match in [OLD_NAMES.search(line)]
        if match
    ]
    assert found == []


@pytest.mark.parametrize("path", DATA, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_games_use_the_words_of_the_field(path: Path) -> None:
    assert not [match[0] for match in OLD_WORDS.finditer(path.read_text(encoding="utf-8"))]
