"""How the statements of a game's records are read and written: each in the words of that game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction

from referee.engine.actions import NEXT, Action, Verb
from referee.engine.clock import Calendar, Clock, Date
from referee.engine.position import Face, Mark, World
from referee.engine.rulebook import Rulebook
from referee.record.called import take_box, take_state
from referee.record.expectations import read_expectation, say_expectation
from referee.record.forms import Names, read_action, unquoted, write_action
from referee.record.loosely import NUMBERS, forms_of, is_under_way, loosely
from referee.record.rewording import in_parts, is_idle, reworded
from referee.record.statements import (
    STATEMENTS,
    Adopt,
    At,
    Content,
    Place,
    PlaceMarkers,
    SetBridge,
    SetTerrain,
    SetUp,
    Spend,
    Statement,
)
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game, unknown
from vassalgen.problems import FormatError

NOT_UNDERSTOOD = "is not understood"
"""What is said of a statement of which no verb is known."""
_GONE = ("dead", "destroyed", "eliminated", "lost")
"""Where a counter is that has been lost."""
_BATTLES = ("battle", "fight", "melee", "attack")
"""What players call one of the battles of a phase, however the phase is called."""
_BESIDE = ("is", "with", "and", "but", "in", "a", "an", "marker", "left", "stacked", "together", "alone")
"""Words in a set-up that add nothing."""
_FULL = 2
"""The steps of a counter of two sides."""
_WHOLE = r"\d{1,9}"
"""A whole number, of no more digits than any that a game has."""


class Vocabulary:
    """The words of records of one game: how statements are read and written."""

    def __init__(self, world: World) -> None:
        self.game: Game = world.game
        self.calendar: Calendar = world.calendar
        self.rulebook: Rulebook = world.rulebook
        self.verbs: Mapping[str, Verb] = world.rulebook.verbs
        self.names = Names(world)
        self.begin()

    def begin(self) -> None:
        """Begin a record or a case, in the first phase of the first turn."""
        self.names.now = Clock(self.calendar.first_turn)
        self.names.attacked, self.names.rolled = (), ("", 0)
        self.names.attackers, self.names.defenders = (), ()
        self.names.placed, self.names.all_set_up = {}, False
        self.names.begun = False

    def statements(self, text: str, line: int = 0) -> tuple[Statement, ...]:
        """Read a statement, or several that are joined: ``Digeon moves 2217-2317 and charges``."""
        try:
            return (self.statement(text, line),)
        except FormatError:
            if text.startswith("adopt "):
                raise  # it names no counters, so there is nothing to put more plainly
            if placed := self._several_places(text, line):
                return placed
            for one, other in in_parts(self.verbs, self.rulebook.idiom, text):
                with suppress(FormatError):
                    first = self.statement(one, line)
                    if not isinstance(first.content, Action) or first.expected:
                        continue
                    attacks = first.content.verb in self.rulebook.idiom.all_attacks
                    if other.startswith(f"{self.rulebook.idiom.also} ") and not attacks:
                        continue
                    who = " ".join(first.content.pieces)
                    names_others = self.names.names_a_counter(other.split())
                    for second in (other,) if names_others else (f"{who} {other}", other):
                        with suppress(FormatError):
                            return first, *self.statements(second, line)
            said, sign, expected = text.partition("!")
            plainer = reworded(self.names, self.verbs, self.rulebook.idiom, said.strip())
            if plainer != said.strip():
                with suppress(FormatError):
                    return self.statements(f"{plainer} {sign}{expected}".strip(), line)
            raise

    def _several_places(self, text: str, line: int) -> tuple[Statement, ...]:
        """Read counters that are placed in several hexes: ``place Rey on 2617 and Morgan on 2618``."""
        if not text.lower().startswith("place ") or "!" in text:
            return ()
        for sign in re.finditer(r",? and |, ", text):
            with suppress(FormatError):
                first = self.statement(text[: sign.start()], line)
                if isinstance(first.content, Place) and first.content.where is not None:
                    return first, *self.statements(f"place {text[sign.end() :]}", line)
        return ()

    def statement(self, text: str, line: int = 0) -> Statement:
        """Read one statement; FormatError says what is wrong and what would be right."""
        said, sign, expected = text.partition("!")
        self.names.placing = False
        try:
            content = self._content(unquoted(self.names, said.strip()))
        except FormatError:
            if sign or not is_idle(self.names, said.strip()):
                raise
            return Statement(comment=said.strip(), line=line)
        self.names.begun |= isinstance(content, Action)
        if isinstance(content, At):
            self.names.now, self.names.attacked, self.names.rolled = content.clock, (), ("", 0)
        elif isinstance(content, SetUp):
            self.names.all_set_up = True
        elif isinstance(content, Place):
            self.names.placed.update(dict.fromkeys(content.pieces, content.where or ""))
        elif isinstance(content, Action) and content.verb in self.rulebook.idiom.all_attacks:
            self.names.attacked += (self.names.placed.get(content.target) or content.target,)
            self._note_fighters(content)
            self.names.rolled = ("", 0)
        elif isinstance(content, Action) and content.verb in self.verbs and self.verbs[content.verb].dice:
            self.names.rolled = content.verb, content.battle
        elif isinstance(content, Action) and content.verb == NEXT.name and self.names.now is not None:
            self.names.now = content.clock or self.calendar.after(self.names.now)
            self.names.attacked, self.names.rolled = (), ("", 0)
        if isinstance(content, Action) and content.verb in ("exit", self.rulebook.idiom.eliminate):
            self.names.placed.update(dict.fromkeys(content.pieces, ""))
        if isinstance(content, Action) and content.path:
            self.names.placed.update(dict.fromkeys(content.pieces, content.path[-1]))
        sign = sign if expected.strip() or said.endswith(" ") else ""  # "No retreat!" expects nothing
        if sign and not isinstance(content, Action):
            raise FormatError(
                f"{said.strip()!r} is not an action and has no ruling", "write expectations after actions"
            )
        return Statement(content, read_expectation(self.game, expected) if sign else None, line=line)

    def _content(self, text: str) -> Content:
        """Read what is done, in the words of the game or in others."""
        try:
            return self.content(self._in_battle(text) or text)
        except FormatError as error:
            nearly: FormatError | None = None
            for meant in loosely(self.names, self.verbs, self.rulebook.idiom, text):
                try:
                    return self.content(meant)
                except FormatError as other:
                    is_guess = meant.startswith(f"{self.rulebook.idiom.result} ")
                    nearly = nearly or (None if is_guess else other)
            if not self.names.begun and (found := self._set_up_loosely(text)):
                return found
            if found := self._phase(text):
                return found
            self.names.one_counter_at_most(text.split())
            raise (nearly if nearly and error.problem.wrong.endswith(NOT_UNDERSTOOD) else error) from None

    def _note_fighters(self, attack: Action) -> None:
        """Remember who attacks, and the enemies that have been placed in the attacked hex."""
        names = self.names
        names.attackers = attack.pieces or names.attackers
        sides = {self.game.counters[name].side for name in names.attackers}
        before = names.defenders if attack.verb == self.rulebook.idiom.also else ()
        there = (name for name, where in names.placed.items() if where == names.attacked[-1])
        names.defenders = (*before, *(one for one in there if self.game.counters[one].side not in sides))

    def _set_up_loosely(self, text: str) -> Content | None:
        """Read where counters stand at first: ``Rey is at 2616``, ``2616: Rey and Morgan``."""
        stands = re.fullmatch(r"(?:put |set )?(.+?)(?: is| are| stands?)? ((?:at|on|in) .+)", text)
        listed = re.fullmatch(r"(?:hex )?([\w-]+): (.+)", text)
        with suppress(FormatError):
            if stands:
                return self.content(f"place {stands[1]} {stands[2]}")
            if listed and listed[1].upper() in self.game.map.grid:
                return self.content(f"place {listed[2]} on {listed[1]}")
        return None

    def _phase(self, text: str) -> Content | None:
        """Read a phase alone: it begins the record, or ends the phases before it."""
        goes_on = re.match(r"(?:go|move|proceed|on)(?: on)? to (?:the )?", text, re.IGNORECASE)
        said = text[goes_on.end() :] if goes_on else text
        sides = {name.lower() for one in self.game.sides.values() for name in (one.title, one.adjective)}
        if not goes_on and not {*re.findall(r"\w+", text.lower())} & {"turn", "phase", *sides}:
            return None
        with suppress(FormatError):
            clock = self.names.clock(said.split(), self.names.now)
            if not (self.names.begun or goes_on):
                return At(clock)
            return Action(NEXT.name, clock=clock) if self.names.now and clock > self.names.now else None
        return None

    def _in_battle(self, text: str) -> str:
        """The roll of the current battle that is said of a unit in it, or the end of the battle, if more are
        fought in the phase: ``next combat``; empty for other statements.
        """
        idiom, names = self.rulebook.idiom, self.names
        if (ended := re.fullmatch(r"next (\w+)", text.lower())) and names.attacked and idiom.settle:
            return idiom.settle if ended[1] in _BATTLES or is_under_way(names, ended[1]) else ""
        said = re.fullmatch(r"roll (?:an? )?(?P<die>\d+) for (?P<who>.+)", text, re.IGNORECASE)
        said = said or re.fullmatch(r"(?P<who>.+?) rolls? (?:an? )?(?P<die>\d+)", text, re.IGNORECASE)
        if not said or not names.attacked:
            return ""
        words, target = said["who"].split(), names.attacked[-1]
        names.drop_kind(words)
        who = names.first(words)
        if words or not who:
            return ""
        if who in names.attackers and names.rolled == ("", 0) and idiom.roll:
            return f"{idiom.roll} {said['die']}"
        defends = target in (who, names.placed.get(who))
        answer = next((idiom.dice[one] for one in idiom.answers if one in idiom.dice), "")
        return f"{answer} {said['die']}" if defends and answer else ""

    def content(self, text: str) -> Content:
        """Read what is done."""
        words = text.split()
        first, rest = (words[0].lower(), words[1:]) if words else ("", [])
        if text.lower() == "set up":
            return SetUp()
        match first:
            case "at":
                begun = re.sub(r"^(?:the )?(?:start|beginning) of (?:the )?", "", " ".join(rest))
                return At(self.names.clock(begun.split(), None))
            case "during":
                return At(self.names.clock(rest, None), underway=True)
            case "adopt":
                return self._adopt(rest)
            case "place":
                return self._place(rest)
            case "terrain":
                return self._terrain(rest)
            case "bridge":
                return self._bridge(rest)
            case "spent":
                return self._spent(rest)
        fitting = [one for one in self.verbs.values() if f"{text.lower()} ".startswith(f"{one.name} ")]
        if not fitting:
            raise FormatError(f"{text!r} {NOT_UNDERSTOOD}", self._meant(words))
        verb = max(fitting, key=lambda verb: len(verb.name))
        return read_action(self.names, verb, text[len(verb.name) :].split())

    def _meant(self, words: list[str]) -> str:
        """How a statement may have been meant to begin."""
        known = (*self.verbs, *(one.name for one in STATEMENTS))
        if words[:1] == ["turn"]:
            return "did you mean 'at turn ...', or 'during turn ...'?"
        tried = [" ".join(words[:length]) for length in (3, 2, 1)]
        found = (
            unknown(text, tuple(name for name in known if len(name.split()) == len(text.split())))
            for text in tried
        )
        near = next((right for right in found if right.startswith("did you")), "")
        if near and not self.names.names_a_counter(words):
            return near
        forms = (self.verbs.get(form) for word in words for form in forms_of(word.lower().strip(",")))
        verb = next(filter(None, forms), None)
        return verb.form if verb else f"'referee verbs {self.game.id}' lists what can be said"

    def _adopt(self, words: list[str]) -> Adopt:
        if len(words) != 2:
            raise FormatError("an interpretation is adopted with two words", "adopt RULING READING")
        ruling, reading = words
        if ruling not in self.game.rulings:
            raise FormatError(f"no ruling {ruling!r}", unknown(ruling, self.game.rulings))
        if reading not in self.game.rulings[ruling].readings:
            raise FormatError(
                f"{ruling} has no reading {reading!r}",
                unknown(reading, tuple(self.game.rulings[ruling].readings)),
            )
        judged = self.rulebook.judged_readings(self.game, ruling)
        if reading not in judged:
            why = self.rulebook.why_unjudged(ruling, reading)
            wrong = f"the reading {reading!r} of {ruling} is not judged yet{why}"
            raise FormatError(wrong, f"judged are {', '.join(judged)}")
        return Adopt(ruling, reading)

    def _place(self, words: list[str]) -> Place | PlaceMarkers:
        where, steps = None, None
        states = self._adjectives(words)
        self.names.placing = True
        pieces = self.names.pieces(words)
        if any(self.game.kinds[self.game.counters[name].kind].marker for name in pieces):
            return self._place_markers(pieces, words)
        face: Face = ""
        grid = self.game.map.grid
        as_found = words[-2:] == ["as", "found"]
        words = [word.strip("(),") for word in (words[:-2] if as_found else words)]
        while words:
            word = words.pop(0)
            if word in ("on", "at") or (word == "in" and words and (words[0] in grid or words[0] == "hex")):
                where = self.names.take_hex(words)
            elif word in grid:
                where = word
            elif word == "in" and where is None and not {*words} & {*grid.names}:
                where = self._box_or_town(words, pieces)
            elif word == "off":
                where = ""
                words = [word for word in words if word not in ("the", "map")]
            elif word in _GONE:
                where = take_box(self.game, [word], pieces)
            elif word in ("hidden", "revealed"):
                face = "down" if word == "hidden" else "up"
            elif word in ("with", "and") and self.names.names_a_counter(words) and where is None:
                pieces += self.names.pieces(words)
            elif word in _BESIDE or (word.isdecimal() and self._is_strength(pieces, int(word), words)):
                continue
            elif word == "steps":
                steps = self._whole(words)
            elif (number := NUMBERS.get(word, word)).isdecimal() and words[:1] in (["step"], ["steps"]):
                steps, words = int(number), words[1:]
            elif word == "reduced" and words[:1] == ["to"]:
                steps = self._whole(words)
                words = words[words[:1] in (["step"], ["steps"]) :]
            elif word in ("reduced", "flipped"):
                face = "down" if self._state_of_the_back(pieces) else face
                steps = None if face else self._steps_when_reduced(pieces)
            elif word in ("face", "face-up", "face-down"):
                face = self._face(word.partition("-")[2] or (words.pop(0) if words else ""))
            else:
                words.insert(0, word)
                state = self._state(words)
                states[state] = self._mark(words)
        if face == "down" and (back := self._state_of_the_back(pieces)):
            face, states[back] = "", Mark(0)
        place = Place(pieces=pieces, where=where, steps=steps, states=states, face=face, as_found=as_found)
        for name in pieces:
            self._check(self.game.counters[name], place)
        return place

    def _box_or_town(self, words: list[str], pieces: tuple[str, ...]) -> str:
        """Take the name of a box off words, or that of a town."""
        left = list(words)
        try:
            return take_box(self.game, words, pieces)
        except FormatError:
            with suppress(FormatError):
                where = self.names.take_hex(left)
                words[:] = left
                return where
            raise

    def _adjectives(self, words: list[str]) -> dict[str, Mark]:
        """Take states, and words that add nothing, off words before the name of a counter."""
        states: dict[str, Mark] = {}
        while words and not self.names.names_a_counter(words):
            if words[0].lower() in ("a", "an", "both", "the"):
                words.pop(0)
            elif state := take_state(self.game, words):
                states[state] = Mark()
            else:
                break
        return states

    def _is_strength(self, pieces: tuple[str, ...], number: int, words: list[str]) -> bool:
        """Return whether a number after the name of a counter is only its strength when it is not reduced."""
        if len(pieces) != 1 or words[:1] in (["step"], ["steps"]):
            return False
        return number in self.game.counters[pieces[0]].strengths[:1]

    def _state(self, words: list[str]) -> str:
        """The state that words begin with, taken off; FormatError with what may be meant by them."""
        if found := take_state(self.game, words):
            return found
        raise FormatError(f"no state {words[0]!r}", unknown(words[0], self.game.states))

    def _steps_when_reduced(self, pieces: tuple[str, ...]) -> int:
        """The steps that counters have left when they are reduced; FormatError if that is not clear."""
        for name in pieces:
            if self.game.counters[name].steps != _FULL:
                steps = self.game.counters[name].steps
                raise FormatError(f"{name} has {steps} steps", f"steps and their number, {steps} at most")
        return 1

    def _place_markers(self, pieces: tuple[str, ...], words: list[str]) -> PlaceMarkers:
        known = self.rulebook.idiom.hex_markers
        for name in pieces:
            state = next((one.id for one in self.game.states.values() if one.marker == name), "")
            if name not in known and self.game.kinds[self.game.counters[name].kind].marker:
                right = f"'place COUNTERS {state}'" if state else "a counter"
                raise FormatError(f"{name} is a marker and is never placed", right)
            if name not in known:
                raise FormatError(f"{name} is no marker", "markers in a statement of their own")
        if words == ["off"]:
            return PlaceMarkers(pieces, "")
        if len(words) != 2 or words[0] != "on":
            raise FormatError("markers are placed on a hex", f"'place {pieces[0]} on HEX', or 'off'")
        return PlaceMarkers(pieces, self.names.hex(words[1]))

    def _state_of_the_back(self, pieces: tuple[str, ...]) -> str:
        """The state in which counters that cannot be hidden lie face down, if they have such a state."""
        kinds, states = {self.game.counters[name].kind for name in pieces}, self.game.states
        if any(self.game.kinds[kind].hidden for kind in kinds):
            return ""
        return next((name for name, one in states.items() if one.back and kinds <= set(one.kinds)), "")

    def _check(self, counter: Counter, place: Place) -> None:
        """Refuse what a counter can never have."""
        if place.steps is not None and place.steps < 1:
            raise FormatError(f"{counter.id} never has {place.steps} steps", "1 or more")
        strength_on_paper = place.as_found and self.game.kinds[counter.kind].roster
        if place.steps is not None and place.steps > counter.steps and not strength_on_paper:
            raise FormatError(f"{counter.id} never has {place.steps} steps", f"{counter.steps} at most")
        for name, mark in place.states.items():
            state = self.game.states[name]
            if counter.kind not in state.kinds:
                able = " or ".join(self.game.kinds[kind].title for kind in state.kinds)
                raise FormatError(f"{counter.id} is never {name}", f"only a counter of kind {able} is")
            if mark.level > state.most(counter):
                raise FormatError(
                    f"{counter.id} is never {name} level {mark.level}", f"{state.most(counter)} at most"
                )
            if mark.since and not self.calendar.has(mark.since.turn):
                turn = mark.since.turn
                raise FormatError(f"there is no turn {turn}", self.calendar.say_limit(turn))

    def _terrain(self, words: list[str]) -> SetTerrain:
        words = [word.rstrip(":") for word in words if word not in ("is", "a")]
        if len(words) != 2:
            raise FormatError("the terrain of a hex is set with two words", "terrain HEX TERRAIN")
        terrain = words[1].lower()
        singular = terrain.removesuffix("s")
        terrain = singular if singular in self.game.terrain else terrain
        return SetTerrain(self.names.hex(words[0]), self._known("terrain", terrain, self.game.terrain))

    def _bridge(self, words: list[str]) -> SetBridge:
        if self.rulebook.bridges is None:
            raise FormatError("bridges are never destroyed in this game")
        words = [
            part for word in words if word not in ("is", "between", "and") for part in re.split("[-/]", word)
        ]
        if len(words) != 3 or words[2] not in ("destroyed", "standing"):
            raise FormatError("a bridge is destroyed or standing", "bridge HEX HEX destroyed")
        here, there = self.names.hex(words[0]), self.names.hex(words[1])
        grid = self.game.map.grid
        if not grid.are_neighbours(here, there):
            raise FormatError(f"{here} and {there} are not neighbours", "the two hexes that the bridge joins")
        if self.rulebook.bridges.feature not in self.game.map.hexside(here, there).features:
            raise FormatError(f"there is no bridge between {here} and {there}", "the two hexes that it joins")
        return SetBridge(grid.side(here, there), words[2] == "destroyed")

    def _spent(self, words: list[str]) -> Spend:
        if self.rulebook.spent is None:
            raise FormatError("this game does not record spent movement")
        pieces = self.names.pieces(words)
        words = words[:1] if words[1:] and words[1].lower() in ("mf", "mp", "points") else words
        if len(words) != 1 or not re.fullmatch(r"\d{1,9}(\.\d{1,9}|/[1-9]\d{0,8})?", words[0]):
            raise FormatError(
                "the points spent must be a number", "spent PIECES NUMBER, as in 'spent pz10 2.5'"
            )
        return Spend(pieces, Fraction(words[0]))

    def _face(self, word: str) -> Face:
        if word == "up":
            return "up"
        if word == "down":
            return "down"
        raise FormatError(f"a counter cannot be face {word or 'nothing'}", "'face up' or 'face down'")

    def _mark(self, words: list[str]) -> Mark:
        level, since = 1, None
        if words[:1] == ["level"]:
            level = self._whole(words)
        if words[1:2] == ["turn"] and words[0] in ("since", "in", "from"):
            words.pop(0)
        if words[:1] == ["turn"]:
            turn = self._whole(words)
            since = Date(turn, self._side(words))
        return Mark(level, since)

    def _side(self, words: list[str]) -> str:
        """The side whose adjective comes next, taken off the list; nothing if another word does."""
        known = zip(self.calendar.order, self.calendar.adjectives, strict=True)
        sides = {adjective.lower(): side for side, adjective in known}
        sides |= {side: side for side in self.calendar.order}
        word = words[0].lower() if words else ""
        if word in sides:
            words.pop(0)
            return sides[word]
        others = {*self.game.states, "on", "in", "off", "steps", "face"}
        if (
            word
            and word not in others
            and (right := unknown(word, self.calendar.adjectives)).startswith("did you")
        ):
            raise FormatError(f"no side {words[0]!r}", right)
        return ""

    def _whole(self, words: list[str]) -> int:
        """The number after the next word, taken off the list; that word may have been taken already."""
        if words and not re.fullmatch(_WHOLE, words[0]):
            words.pop(0)
        if not words or not re.fullmatch(_WHOLE, words[0]):
            raise FormatError("a number is missing", "as in 'turn 2'")
        return int(words.pop(0))

    def _known(self, what: str, name: str, names: Mapping[str, object]) -> str:
        if name not in names:
            raise FormatError(f"no {what} {name!r}", unknown(name, names))
        return name

    def say(self, content: Content) -> str:
        """Write what is done."""
        if isinstance(content, At):
            return f"{'during' if content.underway else 'at'} {self.calendar.say(content.clock)}"
        if isinstance(content, SetUp):
            return "set up"
        if isinstance(content, Adopt):
            return f"adopt {content.ruling} {content.reading}"
        if isinstance(content, Place):
            return self._say_place(content)
        if isinstance(content, PlaceMarkers):
            return f"place {' '.join(content.markers)} {f'on {content.where}' if content.where else 'off'}"
        if isinstance(content, SetTerrain):
            return f"terrain {content.hex} {content.terrain}"
        if isinstance(content, SetBridge):
            return f"bridge {' '.join(content.hexes)} {'destroyed' if content.destroyed else 'standing'}"
        if isinstance(content, Spend):
            return f"spent {' '.join(content.pieces)} {content.points}"
        return write_action(self.names, self.verbs[content.verb], content)

    def _say_place(self, place: Place) -> str:
        words = ["place", *place.pieces]
        if place.where is not None:
            at_hex = place.where in self.game.map.grid
            words += ["on" if at_hex else "in", place.where] if place.where else ["off"]
        if place.steps is not None:
            words += ["steps", str(place.steps)]
        for state, mark in place.states.items():
            words.append(state)
            words += ["level", str(mark.level)] if mark.level != 1 else []
            words += [self.calendar.say_date(mark.since)] if mark.since else []
        words += ["face", place.face] if place.face else []
        words += ["as found"] if place.as_found else []
        return " ".join(words)

    def say_statement(self, statement: Statement) -> str:
        """Write one statement with its expectation and comment."""
        words = [self.say(statement.content)] if statement.content is not None else []
        words += [f"! {say_expectation(statement.expected)}"] if statement.expected is not None else []
        words += [f"# {statement.comment}"] if statement.comment or not words else []
        return " ".join(words).rstrip()
