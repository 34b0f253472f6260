"""Which images are missing, and which are used by nothing, however strangely a module calls them."""

from __future__ import annotations

import pytest

from tests.inspection.making import (
    Files,
    definition,
    facts,
    found,
    module,
    palette,
    picture,
    prototype,
    prototypes,
    save,
    slot,
)
from vassalgen.inspection.facts import FindingKind, ModuleFacts
from vassalgen.vassal.components import (
    Board,
    BoardPicker,
    Chart,
    Component,
    DiceButton,
    Element,
    GamePieceImage,
    GlobalProperties,
    GlobalProperty,
    HtmlChart,
    Map,
    MapShader,
    PredefinedSetup,
    SelectionHighlighter,
    SelectionHighlighters,
)
from vassalgen.vassal.traits.base import Trait
from vassalgen.vassal.traits.embellishment import Embellishment
from vassalgen.vassal.traits.labeler import Labeler
from vassalgen.vassal.traits.marker import Marker, MarkerState
from vassalgen.vassal.traits.non_rectangular import NonRectangular
from vassalgen.vassal.traits.obscurable import Obscurable
from vassalgen.vassal.traits.place_marker import PlaceMarker
from vassalgen.vassal.traits.report_state import ReportState

DOT = picture(1, 1)


def of(*children: Component | Element, files: Files = {}, images: tuple[str, ...] = ()) -> ModuleFacts:  # noqa: B006
    return facts(module(*children), {**{f"images/{name}": DOT for name in images}, **files})


def missing(found_facts: ModuleFacts) -> set[str]:
    assert set(found(found_facts, FindingKind.MISSING_IMAGE)) == set(found_facts.images.missing)
    return set(found_facts.images.missing)


@pytest.mark.parametrize(
    "trait",
    [
        Embellishment(images=("", "lost.png")),
        Obscurable(image="lost.png"),
        PlaceMarker(text="Mark", gpid="9", definition=definition("Marker", "lost.png")),
    ],
)
def test_an_image_that_a_trait_needs_is_missing(trait: Trait) -> None:
    found_facts = of(palette(slot("Foot", "1", "", trait)), prototypes(prototype("Unit", trait)))
    assert missing(found_facts) == {"lost.png"}
    (finding,) = found(found_facts, FindingKind.MISSING_IMAGE).values()
    assert finding.serious
    assert len(finding.places) == 2


@pytest.mark.parametrize(
    "component",
    [
        Board(image="lost.png", name="B"),
        DiceButton(icon="lost.png"),
        Chart(name="CRT", file_name="lost.png"),
        Map(name="M", launch=True, icon="lost.png"),
        SelectionHighlighters(children=(SelectionHighlighter(use_image=True, image="lost.png"),)),
    ],
)
def test_an_image_that_a_component_needs_is_missing(component: Component) -> None:
    assert missing(of(component)) == {"lost.png"}


@pytest.mark.parametrize(
    "component",
    [
        Map(name="M", launch=False, icon="lost.png"),
        Map(name="M", mark_moved="Never", mark_unmoved_icon="lost.png"),
        SelectionHighlighters(children=(SelectionHighlighter(use_image=False, image="lost.png"),)),
        MapShader(name="S", pattern="25%", image="lost.png"),
        DiceButton(icon=""),
        DiceButton(icon=" "),
    ],
)
def test_an_image_that_is_not_shown_as_things_stand_is_not_missed(component: Component) -> None:
    assert missing(of(component)) == set()


def test_the_image_of_an_outline_is_not_missed_for_the_outline_is_already_drawn() -> None:
    outline = NonRectangular(shape="dM 0.0 0.0 L 10.0 0.0 Z N lost.png")
    assert missing(of(palette(slot("Foot", "1", "", outline)))) == set()


@pytest.mark.parametrize("name", ["/images/die.gif", "die.gif", "die", "/icons/16x16/go-next.png"])
def test_vassals_own_images_are_not_missed(name: str) -> None:
    assert missing(of(DiceButton(icon=name))) == set()


def test_an_image_that_vassal_never_had_is_missed() -> None:
    assert missing(of(DiceButton(icon="/images/dice.gif"))) == {"/images/dice.gif"}


def test_old_modules_leave_the_ending_gif_away() -> None:
    found_facts = of(palette(slot("Foot", "1", "foot")), images=("foot.gif",))
    assert (missing(found_facts), found_facts.images.unused) == (set(), ())


def test_a_name_taken_apart_by_a_mac_is_found() -> None:
    found_facts = of(palette(slot("Foot", "1", "J\u00e4ger.png")), images=("Ja\u0308ger.png",))
    assert (missing(found_facts), found_facts.images.unused) == (set(), ())


def test_capital_letters_count_and_the_finding_says_so() -> None:
    found_facts = of(palette(slot("Foot", "1", "foot.png")), images=("Foot.png",))
    assert "Foot.png" in found(found_facts, FindingKind.MISSING_IMAGE)["foot.png"].right


def test_a_translated_image_belongs_to_the_one_it_translates() -> None:
    board = Board(name="B", image="map.svg")
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>'
    picker = BoardPicker(children=(board,))
    files = {"images/map.svg": svg, "images_de/map.svg": svg, "images_de/alt.png": DOT}
    found_facts = of(Map(name="M", children=(picker,)), files=files)
    assert found_facts.images.unused == ("alt.png",)
    assert found_facts.images.count == 3
    assert found_facts.maps[0].boards[0].size == (300, 200)


def test_an_image_that_nothing_names_is_unused_and_no_fault() -> None:
    found_facts = of(images=("old.png",))
    assert found_facts.images.unused == ("old.png",)
    assert not any(finding.serious for finding in found_facts.findings)


@pytest.mark.parametrize(
    ("children", "files"),
    [
        ((GlobalProperties(children=(GlobalProperty(name="Flag", initial_value="flag.png"),)),), {}),
        ((DiceButton(report_format="<img src='flag.png'> rolled"),), {}),
        ((palette(slot("Foot", "1", "", (Marker(names=("Flag",)), MarkerState(items=("flag.png",))))),), {}),
        ((palette(slot("Foot", "1", "", ReportState(report_format='<img src="flag.png">'))),), {}),
        ((HtmlChart(file_name="crt.html"),), {"crt.html": b'<p><IMG SRC="images/flag.png">'}),
        ((), {"help/index.htm": b"<img src=../images/flag.png>"}),
        ((), {"help/style.css": b"body { background: url(flag.png) }"}),
        ((), {"club/Flags.class": b"\xca\xfe\xba\xbe\x00\x08flag.png\x01"}),
        ((GamePieceImage(name="flag.png"),), {}),
        ((PredefinedSetup(name="S", file="s.vsav"),), {"s.vsav": save("GlobalProperty\t;F;flag.png;Module")}),
        ((PredefinedSetup(name="S", file="s.vsav"),), {"s.vsav": save("+/1/piece;;;flag.png;F/M;1;1;;0")}),
    ],
)  # fmt: skip
def test_an_image_that_is_mentioned_anywhere_is_used(children: tuple[Component, ...], files: Files) -> None:
    assert of(*children, files=files, images=("flag.png",)).images.unused == ()


def test_a_name_within_a_longer_name_is_no_mention() -> None:
    found_facts = of(DiceButton(report_format="<img src='redflag.png'>"), images=("flag.png", "redflag.png"))
    assert found_facts.images.unused == ("flag.png",)


@pytest.mark.parametrize(
    "text",
    [
        "<img src='$Side$_flag.png'>",
        '{"<img src=\'" + Side + "_flag.png\'>"}',
        '{"Blue" + Size + "_flag.png"}',
    ],
)
def test_images_whose_names_are_made_up_in_play_are_not_reported_as_missing(text: str) -> None:
    report = ReportState(report_format=text)
    names = ("Blue_flag.png", "BlueSmall_flag.png", "flag.png")
    found_facts = of(palette(slot("Foot", "1", "", report)), images=names)
    assert found_facts.images.unused == ("flag.png",)
    assert found_facts.images.perhaps_unused == ("BlueSmall_flag.png", "Blue_flag.png")
    assert "_flag.png" in found(found_facts, FindingKind.PERHAPS_UNUSED_IMAGE)["Blue_flag.png"].right


def test_an_image_that_html_shows_must_be_there() -> None:
    page = b"<img src='crt.png'><img src=\"http://example.org/far.png\"><img src='help/near.png'>"
    files = {"crt.html": page, "help/near.png": DOT}
    label = Labeler(name_format="<html><img src='lost.png'> $label$ <img src='$Side$.png'>")
    found_facts = of(HtmlChart(file_name="crt.html"), palette(slot("Foot", "1", "", label)), files=files)
    assert missing(found_facts) == {"crt.png", "lost.png"}


def test_an_image_missing_from_a_set_up_is_found_there() -> None:
    setup = PredefinedSetup(name="Std", file="std.vsav")
    game = save("+/1/piece;;;lost.png;Foot/Main Map;1;1;;0")
    found_facts = of(setup, files={"std.vsav": game})
    finding = found(found_facts, FindingKind.MISSING_IMAGE)["lost.png"]
    assert finding.places == ('PredefinedSetup "Std"',)


def test_names_that_cannot_be_looked_for_in_texts_are_not_called_unused() -> None:
    found_facts = of(images=("Rain, mud.png",))
    assert (found_facts.images.unused, found_facts.images.perhaps_unused) == ((), ("Rain, mud.png",))
