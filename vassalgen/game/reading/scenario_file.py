"""Reading scenarios/*.toml: set-up, arrivals, victory; one scenario may be based on another."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from attrs import define, evolve

from vassalgen.game.maps import Map
from vassalgen.game.provenance import Provenance
from vassalgen.game.reading.game_file import read_stacking, read_turns
from vassalgen.game.reading.nodes import Node
from vassalgen.game.reading.rules_files import flowing
from vassalgen.game.scenarios import Arrival, Placement, Scenario
from vassalgen.game.sequence import Turn
from vassalgen.game.values import Values

Entry = TypeVar("Entry", bound=Placement | Arrival)


@define
class ScenarioReader:
    """Reads the scenarios of a game one by one."""

    map: Map
    turns: tuple[Turn, ...]
    order: tuple[str, ...]

    def read(self, name: str, layers: list[Node], root: Node, base: Scenario | None) -> Scenario:
        """Return a scenario.

        Whatever it does not define itself comes from its base, if it has one. ``layers`` are its file and
        those on top of it, ``root`` is their combination.
        """
        thing = f"scenario/{name}"
        root.remember(thing)
        usual = base or Scenario(name, "", self.order[0] if self.order else "", self.turns)
        inherited = root.provenance(base.provenance if base else None)
        rules, victory = root.node("rules"), root.node("victory")
        victory_text = flowing(victory.text("text", usual.victory_text))
        absent = root.words("absent", ())
        turns = read_turns(root, f"{thing}/turn") or self._usual_turns(root, usual)
        scenario = Scenario(
            id=name,
            title=root.text("title"),
            first=root.text("first", usual.first),
            turns=self._until(root, turns),
            setup=_laid(
                layers,
                "setup",
                _without_all(usual.setup, absent),
                lambda node: _placement(node, inherited),
            ),
            arrivals=_laid(
                layers,
                "arrival",
                _without_all(usual.arrivals, absent),
                lambda node: self._arrival(node, inherited),
            ),
            stacking=read_stacking(root, f"{thing}/stacking") or usual.stacking,
            absent=absent,
            face_down=root.flag("face_down", usual.face_down),
            rules=_over(usual.rules, rules.rest(f"scenario {name}, rules")),
            victory=_over(usual.victory, victory.rest(f"scenario {name}, victory")),
            victory_text=victory_text,
            text=flowing(root.text("text", usual.text)),
            provenance=inherited,
        )
        if "absent" not in root:  # A counter absent from the base may be in this scenario.
            scenario = evolve(scenario, absent=tuple(n for n in usual.absent if n not in scenario.counters))
        _remember(layers, thing, base)
        root.used.update({"setup", "arrival", "based_on"})
        root.finish("a scenario")
        return scenario

    def _usual_turns(self, root: Node, usual: Scenario) -> tuple[Turn, ...]:
        """Return the base's turn track, or the game's complete one if this scenario has its own end."""
        whole = self.turns[: len(usual.turns)] == usual.turns and "last_turn" in root
        return self.turns if whole else usual.turns

    def _until(self, root: Node, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        last = root.integer("last_turn", turns[-1].number if turns else 0)
        if turns and last not in {turn.number for turn in turns}:
            root.wrong("last_turn", f"there is no turn {last}", f"expected 1 to {turns[-1].number}")
        return tuple(turn for turn in turns if turn.number <= last)

    def _arrival(self, node: Node, inherited: Provenance) -> Arrival:
        entry: list[str] = []
        for word in node.words("entry"):
            entry += self.map.zones[word].hexes if word in self.map.zones else [word]
        arrival = Arrival(
            turn=node.integer("turn"),
            counters=node.words("counters"),
            entry=tuple(entry),
            waiting=node.text("waiting", ""),
            during=node.text("during", ""),
            note=node.text("note", ""),
            provenance=node.provenance(None if node.document.layer else inherited),
        )
        node.finish("an arrival")
        return arrival


def _placement(node: Node, inherited: Provenance) -> Placement:
    placement = Placement(
        node.words("counters"),
        node.text("at", ""),
        node.text("zone", ""),
        node.text("note", ""),
        node.provenance(None if node.document.layer else inherited),
    )
    if not placement.at and not placement.zone:
        node.wrong("", "gives no place", "give 'at' with a hex or box, or 'zone'")
    node.finish("a placement")
    return placement


def _laid(
    layers: list[Node], key: str, usual: tuple[Entry, ...], make: Callable[[Node], Entry]
) -> tuple[Entry, ...]:
    """Read the entries of all files.

    Counters that a later file places or brings in are removed from earlier entries. ``usual`` are the entries
    of the base, for a scenario without its own.
    """
    entries: list[Entry] = [] if key in layers[0] else [*usual]
    for layer in layers:
        moved = _counters(layer) if layer.document.layer else set()
        entries = [_without(entry, moved) for entry in entries]
        entries += [make(node) for node in layer.nodes(key)]
    return tuple(entry for entry in entries if entry.counters)


def _counters(layer: Node) -> set[str]:
    """All counters that a file sets up or brings in."""
    nodes = [*layer.nodes("setup"), *layer.nodes("arrival")]
    return {counter for node in nodes if "counters" in node for counter in node.words("counters")}


def _without_all(entries: tuple[Entry, ...], absent: Collection[str]) -> tuple[Entry, ...]:
    """Entries of the base without the counters that a scenario does without."""
    found = (_without(entry, set(absent)) for entry in entries)
    return tuple(entry for entry in found if entry.counters)


def _without(entry: Entry, moved: set[str]) -> Entry:
    return evolve(entry, counters=tuple(name for name in entry.counters if name not in moved))


def _remember(layers: list[Node], thing: str, base: Scenario | None) -> None:
    """Store where each counter is set up or brought in, and the places of entries from the base."""
    origins = layers[0].notes.origins
    if base:
        start = f"scenario/{base.id}/"
        for key in [key for key in origins if key.startswith(start)]:
            origins.setdefault(f"{thing}/{key.removeprefix(start)}", origins[key])
    for layer in layers:
        for key in ("setup", "arrival"):
            for node in layer.nodes(key):
                for counter in node.words("counters", ()):
                    origins[f"{thing}/{key}/{counter}"] = node.origin


def _over(base: Values, own: Values) -> Values:
    return Values({**base.entries, **own.entries}, own.place)
