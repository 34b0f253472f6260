"""Reads the module's announcements in the steps of a log: declarations, battles, checks, rolls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from referee.scribe import facts
from referee.scribe.facts import UNKNOWN, Check, Fact, Standing
from referee.scribe.phases import Phases
from referee.scribe.places import Places
from referee.table import events
from referee.table.events import Step
from referee.table.texts import is_number
from vassalgen import announcements, templates
from vassalgen.game.game import Game
from vassalgen.templates import Announcement, Located

WORD = re.compile(r"[\w'-]+")


class AnnouncementReader:
    """Takes facts from the announcements of one log."""

    def __init__(self, game: Game, places: Places, phases: Phases) -> None:
        self.game = game
        self.places = places
        self.phases = phases
        self.dice = {announcements.dice_property(dice): dice for dice in game.dice}
        self.titles = {dice.title: dice.id for dice in game.dice.values()}

    def said(
        self,
        number: int,
        side: str,
        reported: Sequence[Announcement],
        after: Mapping[str, Standing],
        origins: Mapping[str, str],
        everybody: Mapping[str, Standing],
    ) -> Iterator[Fact]:
        """The declarations in a step, and what it announces about battles.

        ``after`` are the counters that it changed, in their new state, ``origins`` the places of removed
        counters, ``everybody`` are all counters in their current state.
        """
        unnamed = _Unnamed(self.places, after, origins, everybody)
        for said in reported:
            faces = getattr(said, "faces", None) or ()
            if not self._can_be_shown(faces):
                text = f"no dice of this game show {'+'.join(map(str, faces))}"
                yield facts.Remark(step=number, side=side, text=text)
                continue
            match said:
                case announcements.Declared(declaration=named, counter=located):
                    yield facts.Declared(
                        step=number,
                        side=side,
                        declaration=named.id,
                        counter=unnamed.who(located, named.id, self.game),
                        place=self.places.named(located.place) or UNKNOWN,
                        battle=said.battle or 0,
                        faces=said.faces or (),
                        points=said.points,
                        target=self._neighbour(located.place, said.towards or ""),
                    )
                case announcements.PointsShown():
                    for owner, points in ((said.owner, said.points), (said.other, said.others)):
                        yield facts.Declared(
                            step=number,
                            side=self.phases.side(owner),
                            declaration=said.declaration.id,
                            battle=said.battle,
                            points=points,
                        )
                case announcements.CheckMade(declaration=named, counter=located):
                    parts = [part for part in (said.modifier, said.support) if part is not None]
                    yield facts.Declared(
                        step=number,
                        side=side,
                        declaration=named.id,
                        counter=located.counter.id if located.counter.id in self.game.counters else "",
                        place=self.places.named(located.place) or UNKNOWN,
                        battle=said.battle,
                        faces=said.faces,
                        check=Check(
                            said.total, sum(parts) if parts else None, said.factor, said.result or ""
                        ),
                    )
                case announcements.ContestDecided(declaration=named):
                    winner = self.phases.side(said.winner)
                    yield facts.Contested(
                        step=number, side=side, declaration=named.id, battle=said.battle, winner=winner
                    )
                case announcements.SideDeclared(declaration=named):
                    yield facts.Declared(
                        step=number, side=side, declaration=named.id, battle=said.battle or 0
                    )
                case announcements.BattleCancelled():
                    yield facts.CalledOff(step=number, side=side, battle=said.battle)
                case announcements.BattleResolved():
                    yield facts.Resolved(
                        step=number,
                        side=side,
                        battle=said.battle,
                        attack=said.attack,
                        defence=said.defence,
                        column=said.column,
                        faces=said.faces,
                        result=said.result,
                        modifier=said.modifier,
                        dice=self._rolled(reported, said.faces),
                    )

    def _rolled(self, reported: Sequence[Announcement], faces: Sequence[int]) -> str:
        """Return the dice that a step announces with these faces."""
        rolled = (one for one in reported if isinstance(one, announcements.DiceRolled) and one.faces == faces)
        return next((one.dice.id for one in rolled if one.dice.id in self.game.dice), "")

    def can_show(self, faces: Sequence[int], dice: str) -> bool:
        """Return whether some dice of the game can show these faces."""
        known = self.game.dice.get(dice)
        return known is not None and bool(faces) and all(1 <= face <= known.sides for face in faces)

    def _can_be_shown(self, faces: Sequence[int]) -> bool:
        """Return whether any dice of the game can show these faces; no faces, any."""
        return not faces or any(self.can_show(faces, dice) for dice in self.game.dice)

    def _neighbour(self, place: str, towards: str) -> str:
        """The hex next to a place in a direction such as ``NE``, empty if there is none."""
        grid = self.game.map.grid
        known = place in grid and towards in grid.directions
        return (grid.neighbour(place, towards) or "") if known else ""

    def mentioned(self, number: int, side: str, text: str) -> Iterator[Fact]:
        """Declarations about battles (without dice), hexes and counters named in a player's own words."""
        for one in self.game.declarations.values():
            if one.about == "battle" and not one.dice and one.title.strip("!").lower() in text.lower():
                yield facts.Mentioned(step=number, side=side, declaration=one.id)
        words = _words(text)
        names = {name.lower(): name for name in self.game.map.grid.names}
        hexes = tuple(names[word] for word in words.split() if word in names)
        counters = tuple(
            one.id
            for one in self.game.counters.values()
            if any(_words(name) in words for name in (one.id, one.name))
        )
        if hexes or counters:
            yield facts.Mentioned(step=number, side=side, hexes=hexes, counters=counters)

    def _dice_of(self, rolled: events.Rolled) -> str:
        """The id of the game's dice that a button rolls, empty for other dice."""
        return self.dice.get(rolled.dice) or self.titles.get(rolled.dice) or ""

    def rolled(self, step: Step, side: str, reported: Sequence[Announcement]) -> Iterator[Fact]:
        """Dice that belong to no declaration and no battle already read."""
        shown = [
            said.faces
            for said in reported
            if isinstance(
                said, announcements.Declared | announcements.CheckMade | announcements.BattleResolved
            )
        ]
        buttons = [said for said in reported if isinstance(said, announcements.DiceRolled)]
        for said in buttons:
            if self.can_show(said.faces, said.dice.id) and said.faces not in shown:
                shown.append(said.faces)
                yield facts.Rolled(
                    step=step.number, side=side, dice=said.dice.id, faces=said.faces, battle=said.battle or 0
                )
        for event in step.events:
            if isinstance(event, events.Rolled):
                dice = self._dice_of(event)
                faces = tuple(int(face) for face in event.faces if is_number(face))
                if self.can_show(faces, dice) and faces not in shown:
                    yield facts.Rolled(step=step.number, side=side, dice=dice, faces=faces)


def _words(text: str) -> str:
    """The words of a text in small letters, each between spaces."""
    return f" {' '.join(WORD.findall(text.lower()))} "


def with_announcement(fact: Fact, reported: Sequence[Announcement]) -> Fact:
    """A change of state, with whether the module announced it."""
    if not isinstance(fact, facts.Changed):
        return fact
    said = any(
        isinstance(one, announcements.StateChanged)
        and one.counter.counter.id in (fact.counter, templates.FACE_DOWN.id)
        and one.state.id == fact.state
        for one in reported
    )
    return evolve(fact, announced=True) if said else fact


@frozen
class _Unnamed:
    """The counters that the module does not name: masked ones, in the order in which the step changed them.

    ``after`` are these counters in their new state, ``origins`` the places of removed ones. A counter that
    repeats a declaration is not changed: then it is the only one of ``everybody`` in the hex that can make
    it, if there is only one.
    """

    places: Places
    after: Mapping[str, Standing]
    origins: Mapping[str, str]
    everybody: Mapping[str, Standing]
    shown: set[tuple[str, str]] = field(factory=set)

    def who(self, located: Located, declaration: str, game: Game) -> str:
        """The id of the counter that declares something, empty for one that is not the game's."""
        if located.counter.id != templates.FACE_DOWN.id:
            return located.counter.id if located.counter.id in game.counters else ""
        place = self.places.named(located.place)
        for name, standing in self.after.items():
            there = place in (standing.place, self.origins.get(name))
            if standing.face == "down" and there and (name, declaration) not in self.shown:
                self.shown.add((name, declaration))
                return name
        known = game.declarations.get(declaration)
        able = [
            name
            for name, standing in self.everybody.items()
            if (standing.place, standing.face) == (place, "down")
            and known is not None
            and game.counters[name].kind in known.kinds
        ]
        return able[0] if len(able) == 1 else ""
