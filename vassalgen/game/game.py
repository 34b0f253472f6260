"""A whole game as one value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from vassalgen.game.art import Art
from vassalgen.game.counters import Column, Counter, Factor, Kind, StackingLimit, State
from vassalgen.game.maps import Map
from vassalgen.game.modifiers import BattleModifier
from vassalgen.game.origins import Origin
from vassalgen.game.rules import Clause, Reading, Ruling
from vassalgen.game.scenarios import Scenario
from vassalgen.game.sequence import Declaration, Dice, Sequence, Turn
from vassalgen.game.sides import Formation, Nation, Side
from vassalgen.game.tables import Feature, RoadKind, Table, Terrain, ValueGroup
from vassalgen.problems import BadInput, Problem

if TYPE_CHECKING:
    from vassalgen.game.families import Families

SHOWN = 12  # How many names a problem lists as suggestions.


@frozen
class HelpPage:
    """A page of help in Markdown; its title is its first heading."""

    id: str
    title: str
    text: str


@frozen
class Game:
    """All data of a game, read from its folder. All mappings keep the order of the files.

    ``turns`` is the turn track of scenarios without one of their own. ``sections`` are headings for clauses
    by the number or word that their ids begin with. ``origins`` are the places where things are defined, by
    keys such as ``counter/blade``; ``chosen`` are the rulings chosen instead of those in the files;
    ``folders`` are the game's folder and the folders on top of it.
    """

    id: str
    title: str
    map: Map
    sequence: Sequence
    sides: Mapping[str, Side]
    version: str = "1"
    designer: str = ""
    publisher: str = ""
    edition: str = ""
    players: str = ""
    credits: str = ""
    nations: Mapping[str, Nation] = field(factory=dict)
    formations: Mapping[str, Formation] = field(factory=dict)
    kinds: Mapping[str, Kind] = field(factory=dict)
    factors: Mapping[str, Factor] = field(factory=dict)
    columns: Mapping[str, Column] = field(factory=dict)
    states: Mapping[str, State] = field(factory=dict)
    stacking: tuple[StackingLimit, ...] = ()
    counters: Mapping[str, Counter] = field(factory=dict)
    terrain: Mapping[str, Terrain] = field(factory=dict)
    features: Mapping[str, Feature] = field(factory=dict)
    road_kinds: Mapping[str, RoadKind] = field(factory=dict)
    tables: Mapping[str, Table] = field(factory=dict)
    modifiers: Mapping[str, BattleModifier] = field(factory=dict)
    values: Mapping[str, ValueGroup] = field(factory=dict)
    turns: tuple[Turn, ...] = ()
    dice: Mapping[str, Dice] = field(factory=dict)
    declarations: Mapping[str, Declaration] = field(factory=dict)
    scenarios: Mapping[str, Scenario] = field(factory=dict)
    sections: Mapping[str, str] = field(factory=dict)
    clauses: Mapping[str, Clause] = field(factory=dict)
    rulings: Mapping[str, Ruling] = field(factory=dict)
    families: Families | None = None
    help: Mapping[str, HelpPage] = field(factory=dict)
    art: Art = Art()
    chosen: Mapping[str, str] = field(factory=dict, eq=False)
    folders: tuple[Path, ...] = field(default=(), eq=False)
    origins: Mapping[str, Origin] = field(factory=dict, eq=False, repr=False)

    @cached_property
    def plural_names(self) -> tuple[str, ...]:
        """The names of counters that take a plural verb, with and without the nation in front."""
        named = [counter for counter in self.counters.values() if counter.is_plural]
        nations = {nation.title for nation in self.nations.values()}
        found = [one.name for one in named] + [f"{title} {one.name}" for one in named for title in nations]
        return tuple(sorted(set(found)))

    def section(self, clause: str) -> str:
        """Return the section of a clause: the longest that its id begins with, such as ``7.1`` for ``7.1a``.

        A clause without one is in a section of its own, named by the part before its first dot.
        """
        begun = [name for name in self.sections if _begins(clause, name)]
        return max(begun, key=len, default=clause.partition(".")[0])

    @cached_property
    def ambiguous_names(self) -> frozenset[str]:
        """The names shared by counters of several nations."""
        nations: dict[str, set[str]] = {}
        for counter in self.counters.values():
            nations.setdefault(counter.name, set()).add(counter.nation)
        return frozenset(name for name, found in nations.items() if len(found) > 1)

    def with_word(self, word: str) -> tuple[str, ...]:
        """Return the ids of the counters that have a word in a column of words."""
        names = [name for name, column in self.columns.items() if column.type == "words"]
        return tuple(
            one.id
            for one in self.counters.values()
            if any(word in one.extra.words(name, ()) for name in names)
        )

    def adopted(self, ruling: str) -> str:
        """Return the id of the ruling's adopted reading."""
        return self.rulings[ruling].adopted

    def reading(self, ruling: str) -> Reading:
        """Return the ruling's adopted reading."""
        return self.rulings[ruling].reading

    def rule(self, clause: str) -> str:
        """Return the text of a clause, with the chosen interpretation if the clause leaves something open."""
        chosen = [self.reading(name).text for name in self.chosen if clause in self.rulings[name].clauses]
        by_choice = f" Chosen for this game: {' '.join(chosen)}" if chosen else ""
        return f"{' '.join(self.clauses[clause].text.split())}{by_choice}"

    def with_rulings(self, choices: Mapping[str, str]) -> Game:
        """Return the game with other readings adopted; BadInput for unknown rulings and readings."""
        problems = []
        rulings = dict(self.rulings)
        for ruling, reading in choices.items():
            if ruling not in rulings:
                problems.append(Problem(self.id, ruling, "there is no such ruling", unknown(ruling, rulings)))
            elif reading not in rulings[ruling].readings:
                right = unknown(reading, rulings[ruling].readings)
                problems.append(Problem(self.id, ruling, f"has no reading {reading!r}", right))
            else:
                rulings[ruling] = evolve(rulings[ruling], adopted=reading)
        if problems:
            raise BadInput(problems)
        return evolve(self, rulings=rulings, chosen={**self.chosen, **choices})

    def problem(self, thing: str, wrong: str, right: str = "") -> Problem:
        """Return a problem with a thing of the game, at the place where it is defined.

        A thing is named ``counter/blade/attack``, ``road/gp1/path``: the longest part that ``origins`` knows,
        followed by further keys.
        """
        parts = thing.split("/")
        for length in range(len(parts), 0, -1):
            origin = self.origins.get("/".join(parts[:length]))
            if origin:
                return evolve(origin, path=(*origin.path, *parts[length:])).problem(wrong, right)
        return Problem(self.id, ", ".join(parts), wrong, right)


def _begins(clause: str, section: str) -> bool:
    """Whether a clause's id continues a section's id with a new number or word, not with more of the same
    one.
    """
    rest = clause.removeprefix(section)
    if not clause.startswith(section) or not rest:
        return rest == ""
    return not (rest[0].isdigit() if section[-1].isdigit() else rest[0].isalnum())


def unknown(name: str, known: Mapping[str, object] | tuple[str, ...], shown: int = SHOWN) -> str:
    """Return suggestions for a misspelt name as the last part of a problem, with at most so many names."""
    import difflib  # noqa: PLC0415 - needed for messages only, and slow to import

    spelt = {one.lower(): one for one in known}
    near = difflib.get_close_matches(name.lower(), spelt, n=1, cutoff=0.6)
    if near:
        return f"did you mean {spelt[near[0]]!r}?"
    names = list(known)
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    if len(names) < 2:
        return f"expected {names[0]}" if names else "none is defined"
    return f"expected one of {', '.join(names[:shown])}{more}"
