"""Reads the parts of a module that a replay needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.table.module import MODULE, MapFacts, ModulePlan
from vassalgen.problems import FormatError
from vassalgen.vassal import archives, buildfile, grids, images
from vassalgen.vassal.commands import PlacedBoard
from vassalgen.vassal.components import (
    Board,
    BooleanPreference,
    Component,
    CounterTurnLevel,
    DiceButton,
    DoublePreference,
    EnumPreference,
    GameModule,
    GlobalProperty,
    GlobalTranslatableMessage,
    HighlightLastMoved,
    IntegerPreference,
    LayeredPieceCollection,
    ListTurnLevel,
    Map,
    Node,
    PrivateMap,
    ScenarioProperty,
    SpecialDiceButton,
    StackMetrics,
    StringPreference,
    TextPreference,
    TurnLevel,
    TurnTracker,
    Zone,
    decode,
)
from vassalgen.vassal.grids import ImageSize, MapPlan, Size
from vassalgen.vassal.limits import Limits
from vassalgen.vassal.turns import Level, Tracker

DICE_PROPERTIES = {"result": "1", "total": "0", "keep": "0", "summary": ""}
"""The properties of a dice button, with their values before the first roll.
[build.module.DiceButton.addTo]
"""


def plan_of(path: Path, limits: Limits) -> ModulePlan:
    """Read the plan of a module file."""
    with archives.Archive.open(path, limits) as archive:
        root = buildfile.read_from(archive)
        if archive.kind is not archives.Kind.MODULE:
            wrong = FormatError(
                f"the root element is {root.tag}", f"a module, whose root is {GameModule.JAVA}"
            )
            raise archive.within(wrong, archive.build_file)
        pictures = sorted({found.component.image for found in buildfile.find_all(root, Board)} - {""})
        sizes, _ = images.image_sizes(archive, [f"images/{name}" for name in pictures])

    def image_size(name: str) -> Size | None:
        return sizes.get(f"images/{name}")

    module = GameModule.from_element(root)
    maps = [found.component for found in buildfile.find_all(root, Map)]
    return ModulePlan(
        known=True,
        name=module.name,
        version=module.version,
        maps=tuple(_map_facts(one, _lender(one, maps), image_size) for one in maps),
        properties=_properties(root, maps),
        trackers=tuple(
            _tracker(f"TurnTracker{number}", found.component)
            for number, found in enumerate(buildfile.find_all(root, TurnTracker))
        ),
        dice=tuple(found.component.name for found in buildfile.find_all(root, DiceButton))
        + tuple(found.component.name for found in buildfile.find_all(root, SpecialDiceButton)),
    )


def _lender(component: Map, maps: list[Map]) -> Map | None:
    """The map whose boards a private map displays."""
    wanted = component.use_boards if isinstance(component, PrivateMap) else ""
    return next((one for one in maps if wanted and one.name == wanted), None)


def _map_facts(component: Map, lender: Map | None, image_size: ImageSize) -> MapFacts:
    metrics = component.children_of(StackMetrics)
    layered = component.children_of(LayeredPieceCollection)

    def plan_for(boards: tuple[PlacedBoard, ...] | None) -> MapPlan:
        return grids.plan_of(component, boards, image_size=image_size, lender=lender)

    return MapFacts(
        component.name,
        plan_for,
        plan_for(None),
        stacking=not (metrics and metrics[0].disabled),
        layer_property=layered[0].property if layered else None,
        layer_order=layered[0].layer_order if layered else (),
        raises_last_moved=any(one.enabled for one in component.children_of(HighlightLastMoved)),
    )


def _properties(root: Node, maps: list[Map]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {MODULE: {}}
    for name, value in _module_properties(root):
        found[MODULE][name] = value
    for component in maps:
        own = {
            one.component.name: one.component.initial_value
            for one in buildfile.find_all(component, GlobalProperty)
            if type(one.component) is GlobalProperty
        }
        for name in own:
            found[MODULE].pop(name, None)
        found.setdefault(component.name, {}).update(own)
        for zone in buildfile.find_all(component, Zone):
            kept = {
                one.component.name: one.component.initial_value
                for one in buildfile.find_all(zone.component, GlobalProperty)
            }
            if kept:
                found[f"{component.name}:{zone.component.name}"] = kept
    return found


def _module_properties(root: Node) -> Iterator[tuple[str, str]]:
    for path in buildfile.walk(root):
        if any(isinstance(one, Map | Zone) for one in map(decode, path[:-1])):
            continue
        component = decode(path[-1])
        match component:
            case GlobalProperty() | ScenarioProperty() | GlobalTranslatableMessage():
                yield component.name, component.initial_value
            case DiceButton():
                for ending, value in DICE_PROPERTIES.items():
                    yield f"{component.name}_{ending}", value
            case SpecialDiceButton():
                yield f"{component.name}_result", ""
            case StringPreference() | TextPreference() | EnumPreference():
                yield component.name, component.default
            case IntegerPreference() | DoublePreference():
                yield component.name, str(component.default)
            case BooleanPreference():
                yield component.name, "true" if component.default else "false"


def _tracker(tracker_id: str, component: TurnTracker) -> Tracker:
    levels = tuple(_level(level) for level in component.children_of(TurnLevel))
    return Tracker(tracker_id, component.name, component.turn_format, levels)


def _level(component: Component) -> Level:
    assert isinstance(component, TurnLevel)
    return Level(
        name=component.name,
        property=component.property,
        format=component.turn_format,
        start=component.start if isinstance(component, CounterTurnLevel) else 0,
        words=component.list if isinstance(component, ListTurnLevel) else None,
        children=tuple(_level(child) for child in component.children_of(TurnLevel)),
    )
