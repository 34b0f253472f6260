"""The help menu: the game's own pages, how to use the module, the keys, and the rules in our own words."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from markdown_it import MarkdownIt

from vassalgen.game.game import Game
from vassalgen.parts import keys, pictures
from vassalgen.parts.charts import Page
from vassalgen.parts.html import cell, heading, page, paragraph, small, table, text
from vassalgen.problems import BadInput, Problem
from vassalgen.vassal.components import AboutScreen, Documentation, HelpFile, Tutorial
from vassalgen.vassal.savedgame import is_log, read_saved_game

TUTORIAL = "tutorial.vlog"
"""The name of the tutorial in the game's folder and in the module."""


def documentation(game: Game) -> Documentation:
    """The help menu."""
    files = tuple(
        HelpFile(title=one.title, file_name=one.file, file_type="archive") for one in help_pages(game)
    )
    about = AboutScreen(title=f"About {game.title}", file_name=pictures.TITLE)
    return Documentation(children=(about, *_tutorial(game), *files))


def tutorial_log(game: Game) -> bytes | None:
    """The log that shows beginners how to play, from the last folder that has one; None if none has."""
    found = [folder / TUTORIAL for folder in game.folders if (folder / TUTORIAL).is_file()]
    if not found:
        return None
    log = read_saved_game(found[-1])
    if not is_log(log.text):
        raise BadInput(Problem(str(found[-1]), "", "is no log", "a log that was recorded with the module"))
    return found[-1].read_bytes()


def _tutorial(game: Game) -> tuple[Tutorial, ...]:
    """The tutorial, which VASSAL offers when the module is opened for the first time."""
    if tutorial_log(game) is None:
        return ()
    return (
        Tutorial(
            name="Tutorial",
            logfile=TUTORIAL,
            launch_on_startup=True,
            prompt_message="See how the module is played?",
            welcome_message="Press the step button on the toolbar to go through the tutorial",
        ),
    )


def help_pages(game: Game) -> tuple[Page, ...]:
    """All pages of the help, in the order of the menu."""
    own = [Page(one.title, f"help/page-{one.id}.html", _own(one.text)) for one in game.help.values()]
    found = [*own, Page("Using this module", "help/module.html", _module())]
    found.append(Page("Keys", "help/keys.html", _keys(game)))
    if game.clauses:
        found.append(Page("The rules in other words", "help/rules.html", _rules(game)))
    if game.rulings:
        found.append(Page("Rulings", "help/rulings.html", _rulings(game)))
    found.append(Page("Sources", "help/sources.html", _sources(game)))
    return tuple(found)


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _own(markdown: str) -> bytes:
    """A page written in Markdown; its first heading is its title."""
    first, _, rest = markdown.lstrip().partition("\n")
    return page(first.lstrip("# ").strip(), _markdown().render(rest))


def _module() -> bytes:
    return _own((files(__package__) / "using.md").read_text("utf-8"))


def _keys(game: Game) -> bytes:
    parts = []
    for title, rows in keys.listed(game):
        if rows:
            parts.append(heading(title))
            parts.append(table((), [(cell(text(key), bold=True), cell(text(what))) for key, what in rows]))
    return page(
        "Keys", *parts, paragraph("The arrow keys go through a stack; Space with Ctrl shows what is in it.")
    )


def _rules(game: Game) -> bytes:
    parts = [
        small(
            "In our own words, clause by clause; they do not replace a rulebook. Findings cite these numbers."
        )
    ]
    section = None
    for clause in game.clauses.values():
        name = game.section(clause.id)
        if name != section:
            section = name
            parts.append(heading(game.sections.get(name, name)))
        parts.append(f"<h3>{text(clause.id)}&nbsp; {text(clause.title)}</h3>")
        parts.append(paragraph(clause.text))
    return page("The rules in other words", *parts)


def _rulings(game: Game) -> bytes:
    parts = [small("What the rules leave open, and the reading used here. A club may choose another.")]
    for ruling in game.rulings.values():
        parts.append(heading(ruling.question, 3))
        parts.append(paragraph(ruling.reading.text))
        others = [one for one in ruling.readings.values() if one.id != ruling.adopted]
        parts += [f"<p>{small('or: ' + one.text)}</p>" for one in others]
    return page("Rulings", *parts)


def _sources(game: Game) -> bytes:
    """Which of the data are printed, from the rulebook, or a reconstruction."""
    rows = [("Map", game.map.provenance)]
    rows += [(f"Table: {one.title}", one.provenance) for one in game.tables.values()]
    rows += [(f"Numbers: {one.title or one.id}", one.provenance) for one in game.values.values()]
    rows += [(f"Scenario: {one.title}", one.provenance) for one in game.scenarios.values()]
    rows += [(f"Counter: {one.name}", one.provenance) for one in game.counters.values()]
    about = ", ".join(part for part in (game.designer, game.publisher, game.edition) if part)
    lines = [(cell(text(what)), cell(text(provenance))) for what, provenance in rows]
    return page("Sources", paragraph(about), paragraph(game.credits), table((), lines))
