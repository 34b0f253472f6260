"""Charts and help pages say what the game says, in HTML that VASSAL can show."""

from __future__ import annotations

from lxml import etree, html

from vassalgen.compile import Compiled
from vassalgen.game.game import Game
from vassalgen.parts.charts import charts
from vassalgen.parts.help import help_pages
from vassalgen.parts.html import items, page, text


def written(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def texts(content: bytes) -> str:
    return written(html.document_fromstring(content))


def test_pages_have_names_of_their_own(game: Game) -> None:
    names = [one.file for one in (*charts(game), *help_pages(game))]
    assert len(set(names)) == len(names)


def test_tables_show_every_cell_and_where_it_comes_from(game: Game) -> None:
    shown = {one.title: one.content for one in charts(game)}
    for table in game.tables.values():
        cells = [written(cell) for cell in html.document_fromstring(shown[table.title]).iter("td")]
        for row in table.cells:
            assert all(" ".join(result.split()) in cells for result in row)
        assert str(table.provenance) in texts(shown[table.title])


def test_the_terrain_chart_names_all_terrain(game: Game) -> None:
    shown = next(texts(one.content) for one in charts(game) if one.title == "Terrain")
    for row in (*game.terrain.values(), *game.features.values(), *game.road_kinds.values()):
        assert row.title in shown


def test_the_rules_stand_by_their_clauses(game: Game) -> None:
    if not game.clauses:
        return
    shown = next(texts(one.content) for one in help_pages(game) if one.file == "help/rules.html")
    for clause in game.clauses.values():
        assert clause.id in shown
        assert " ".join(clause.text.split()) in shown


def test_the_games_own_pages_are_in_the_help(game: Game) -> None:
    titles = [one.title for one in help_pages(game)]
    assert [one.title for one in game.help.values()] == titles[: len(game.help)]


def test_signs_of_html_are_written_out() -> None:
    assert text("a < b & c") == "a &lt; b &amp; c"
    assert "<script>" not in items(["<script>"])


def test_letters_beyond_ascii_are_written_so_that_any_reader_sees_them() -> None:
    assert "Göring" in texts(page("Göring"))
    assert page("Göring").isascii()


def test_every_page_is_in_the_module(game: Game, compiled: Compiled) -> None:
    entries = dict(compiled.entries)
    for one in (*charts(game), *help_pages(game)):
        assert entries[one.file] == one.content


def test_limits_are_sentences_with_the_values_of_the_game_and_names_of_counters(game: Game) -> None:
    chart = next(one.content for one in charts(game) if one.file == "chart-numbers.html")
    shown = written(next(html.document_fromstring(chart).iter("body")))
    assert "{" not in shown
    assert not [counter.id for counter in game.counters.values() if "-" in counter.id and counter.id in shown]


def test_an_effect_has_a_column_of_its_own_in_the_terrain_chart(game: Game) -> None:
    chart = next(one.content for one in charts(game) if one.title == "Terrain")
    hexes = next(html.document_fromstring(chart).iter("table"))
    titles, *rows = [[written(cell) for cell in row.iter("td")] for row in hexes.iter("tr")]
    shown = {row[1]: dict(zip(titles, row, strict=True)) for row in rows}
    for terrain in game.terrain.values():
        for name, value in terrain.effects.entries.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert shown[terrain.title][name.replace("_", " ").capitalize()] == str(value)
