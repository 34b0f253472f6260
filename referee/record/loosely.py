"""Statements in other words than the game's, rewritten by the form of their verb.

This is tried only if a statement cannot be read as it is: ``Cadogan attacks 2617``, ``bombard 2617 with the
R.H.A.``, ``lose 2 Rey``. Apart from small words, everything said must fit the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import field, frozen

from referee.engine.actions import NEXT, ROLL, Part, Verb
from referee.engine.clock import Clock
from referee.engine.grammar import plural_verb
from referee.engine.idiom import Idiom
from referee.record.forms import Names
from referee.record.word_order import TURNED
from referee.record.words import may_be_a_column
from vassalgen.problems import FormatError

OTHER_WORDS: Mapping[str, str] = {
    "next": "end phase, end of phase, next phase, end, pass, done, phase over, begin, start, go to",
    "move": "march, go, ride, drive, disengage, follow",
    "attack": "assault, melee, fight, engage, declare attack, declare melee",
    "fire": "bombard, shoot",
    "eliminate": "remove, destroy, kill, take off, wipe out, go to dead pile",
    "lose": "reduce, loss, step loss, take loss, take, take hit, suffer, flip, turn over",
    "retreat": "fall back, move back, rout, retire, go back, withdraw, retreat after combat",
    "advance": "occupy, advance after combat",
    "odds": "ratio, column",
    "modifier": "drm, modifiers, die modifier",
    "enter": "arrive, bring on, come on, reinforcement",
    "arrive": "enter, appear, bring on, come on, reinforcement",
    "exit": "leave, exit map, leave map",
    "reveal": "turn up, unmask, face up, flip, turn over",
    "hide": "turn down, mask, face down",
    "also": "also attack",
    "call off": "cancel, cancel attack, call off attack, break off",
    "claim": "victory, win, claim victory",
    "break through": "breakthrough, declare breakthrough, attempt breakthrough",
    "return": "come back",
    "recover": "recovery",
    "displace": "make room, give way",
    "shift": "move aside",
    "settle": "battle over, battle is over, melee over, melee is over, end battle",
}
"""What players call verbs that several games have; :attr:`Idiom.called` are the names of one game. The name
of one of the game's own verbs is never read as another verb.
"""
ROLLS = (
    "roll",
    "die",
    "dice",
    "d6",
    "roll die",
    "die roll",
    "roll melee",
    "roll fire",
    "roll attack",
    "attack roll",
    "roll battle",
)
"""What players call the roll of a battle, in games that have one."""
SMALL = frozenset(
    (
        *("a", "after", "again", "against", "along", "an", "and", "another", "are", "as", "at", "both", "by"),
        *("casualty", "d6", "dice", "die", "each", "east", "empty", "final"),
        *("for", "from", "further", "hex", "hexes", "in", "into", "is", "it", "loss", "losses", "map"),
        *("marker", "mf", "more", "mp", "north", "of", "off", "on", "onto", "over", "phase", "point"),
        *("points", "road", "roll", "shift", "shifts", "show", "shows", "south", "sp", "step", "steps"),
        *("strength", "takes", "the", "through", "to", "together", "unit", "units", "using"),
        *("vacated", "via", "victory", "west", "with"),
    )
)
"""Words that add nothing to the form."""
OF_BATTLES = frozenset(("attack", "battle", "breakthrough", "combat", "fire", "melee"))
"""What an action in a battle may mention besides, if its form has neither a hex nor a word."""
ARTICLES = frozenset(("a", "an", "her", "his", "it", "its", "the", "their"))
"""Words that add nothing anywhere."""
WITHIN = ARTICLES | frozenset(("for", "to"))
"""Words that may occur within the name of a verb."""
ENTRIES = ("enter", "arrive")
"""Verbs for units that come to the map; those on it are said to enter a hex, too, when they move."""
ADVANCE = "advance"
"""The verb that leads into the attacked hex, and need not name it."""
SET, UNSET = (
    frozenset(("mark", "marked", "put", "is", "are", "becomes", "gets", "receives")),
    frozenset(("remove", "unmark")),
)
_DIGITS = 2
"""A die roll has no more digits; a hex has."""
NONE = "no"
"""A verb that needs a number has none of it: "no aviation points"."""
NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_SIGNS = str.maketrans({ord("–"): "-", ord("—"): "-", ord("→"): "-", ord("…"): "..", ord("&"): " and "})


def loosely(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> Iterator[str]:
    """Yield what a statement may mean, in the words of the game."""
    sums = re.search(r"\b(\d{1,2}) to (\d{1,2})\b", text)
    if sums and not may_be_a_column(names.game, f"{sums[1]}:{sums[2]}"):
        return  # the strengths, perhaps, which no column follows from without the rules
    if re.search(r"\breduced? to (?:\w+ steps?|\d)", text):
        return  # the steps left, perhaps, from which the loss does not follow
    text = _tidy(text, idiom.turned)
    if " " not in text:
        yield from _alone(names, verbs, idiom, text)
    if ended := re.fullmatch(r"ends?(?: of)?(?: the| his| its)? (.+)", text, re.IGNORECASE):
        if is_under_way(names, ended[1]):
            yield NEXT.name
            return
        if ended[1].lower() not in ("phase", "turn", "game turn", "player turn"):
            return
    begun = re.fullmatch(r"(?:begin|start|go to)(?: the)? (.+)", text, re.IGNORECASE)
    if begun and is_under_way(names, begun[1]):
        return  # "next" would pass over a whole turn
    if exchanged := _exchanged(names, idiom, text):
        yield exchanged
        return
    yield from _rolls_of_counters(verbs, idiom, text)
    side, without = _side_first(names, text)
    without = _tidy(without, idiom.turned) if side else without
    yield from _meanings(names, verbs, idiom, f"{without} {side}".strip())
    for meant in _meanings(names, verbs, idiom, without) if side else ():
        sides = {names.game.counters[word].side for word in meant.split() if word in names.game.counters}
        if not sides or side in sides:
            yield meant
    if idiom.result and not re.search(r"\d", text):
        yield f"{idiom.result} {text}"


def _exchanged(names: Names, idiom: Idiom, text: str) -> str:
    """A counter put in the place of its counterpart, in either order; empty for other statements."""
    verb, column = idiom.exchanged
    if not verb:
        return ""
    words = " ".join(_by_ids(names, text.split()))
    said = re.fullmatch(r"(?:swap|replace|exchange) (\S+) (?:for|with|by) (\S+)", words) or re.fullmatch(
        r"(\S+) (?:replaces|is swapped for|is exchanged for) (\S+)(?: (?:in|on|at) \S+)?", words
    )
    for comes, goes in (said.groups(), said.groups()[::-1]) if said else ():
        counter = names.game.counters.get(comes)
        if counter is not None and counter.extra.text(column, "") == goes:
            return f"{verb} {comes} on {goes}"
    return ""


def _rolls_of_counters(verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> Iterator[str]:
    """A roll that is said of its counter, ``uk78 rolls 4 for the swamp``, or as what it does to another one,
    ``Reille rallies Menne with a 3``.
    """
    does = re.fullmatch(r"(.+?) (?:tries to )?(\w+) (.+?)(?: with)?(?: a)? (\d+)", text, re.IGNORECASE)
    for name in (name for name in verbs if name.startswith("roll ")):
        purpose = name.removeprefix("roll ")
        calls = sorted((purpose, *idiom.called.get(name, ())), key=len, reverse=True)
        called = "|".join(map(_either_way, calls))
        rolls = r"rolls? (?:a )?(\d+)"
        for form in (
            rf"(.+) {rolls} (?:for|in) (?:the )?(?:{called})",
            rf"(.+) tests? for (?:the )?(?:{called}) and {rolls}",
            rf"(?:in )?(?:{called}) (.+) {rolls}",
        ):
            if found := re.fullmatch(form, text, re.IGNORECASE):
                yield f"{name} {found[2]} for {found[1]}"
        if does and "PIECES" in verbs[name].slots and purpose in forms_of(does[2].lower()):
            yield f"{name} {does[4]} for {does[3]} {does[1]}"


def _either_way(name: str) -> str:
    """A pattern for a name, with spaces or with hyphens."""
    return "[- ]".join(map(re.escape, re.split("[- ]", name)))


def _alone(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, word: str) -> Iterator[str]:
    """The meaning of a single word: a result, also of the last checked roll; odds; a die of the battle."""
    rolled, battle = names.rolled
    for checked in (idiom.checked.get(name) for name in (verbs[rolled].declared if rolled else ())):
        if checked is not None and checked.result:
            label = f" battle {battle}" if battle else ""
            yield from (f"{checked.result} {one}{label}" for one in forms_of(word))
    if re.fullmatch(r"\d{1,2}[:/]\d{1,2}", word):
        yield f"{idiom.odds} {word}" if idiom.odds else ""
    elif re.fullmatch(r"\d{1,2}", word):
        yield f"{idiom.roll} {word}" if idiom.roll else ""
    elif idiom.result and not word.isdecimal():
        yield f"{idiom.result} {word}"


def is_under_way(names: Names, phase: str) -> bool:
    """Return whether the phase of that name is the one to which the record has come."""
    now, calendar = names.now, names.calendar
    if now is None:
        return False
    before = Clock(now.turn, now.stop - 1) if now.stop else Clock(now.turn - 1, len(calendar.stops) - 1)
    try:
        return calendar.read(phase, before) == now
    except ValueError:
        return False


def _meanings(names: Names, verbs: Mapping[str, Verb], idiom: Idiom, text: str) -> Iterator[str]:
    said = _Said.of(names, text)
    for named, rest in (*_verbs(verbs, idiom, said), *_named(verbs, idiom, names, text)):
        on_map = any(names.placed.get(one) in names.game.map.grid for one in rest.first)
        verb = verbs.get("move", named) if named.name in ENTRIES and on_map else named
        try:
            yield " ".join(filter(None, (verb.name, *_filled(names, verb, idiom, rest))))
        except FormatError:
            continue


@frozen
class _Said:
    """The words of a statement: the counters before its first other word, and the words after them.

    ``passive``: the counters before the verb are the object.
    """

    names: Names
    first: tuple[str, ...]
    words: tuple[str, ...]
    passive: bool = False

    @classmethod
    def of(cls, names: Names, text: str) -> _Said:
        words = _by_ids(names, text.split())
        start = next((at for at, word in enumerate(words) if word not in names.game.counters), len(words))
        return cls(names, tuple(words[:start]), tuple(words[start:]))


def _tidy(text: str, turned: Sequence[tuple[str, str]]) -> str:
    """A text with simple signs: one hyphen for a path, two dots for a drag, digits for numbers in words."""
    text = text.translate(_SIGNS)
    text = re.sub(r"\s*[-=]>\s*|(?<=\w)\s+-\s+(?=\w)", "-", text)
    text = re.sub(r"\s*\.{2,}\s*(?=\w)", "..", text)
    text = re.sub(r"(?<=\w) ?[|/] ?(?=\w)", "|", text) if "result" in text.lower() else text
    text = re.sub(r"\b(\d{1,2}) to (\d{1,2})\b", r"\1:\2", text)
    text = re.sub(r"(?<=\d)\s*,\s*(?=\d)", " ", re.sub(r":(?= |$)|\.$", "", text))
    for said, meant in (*turned, *TURNED):
        text = re.sub(said, meant, text, flags=re.IGNORECASE).strip()
    by_choice = re.sub(r"\bvoluntar(il)?y\b", "", text)
    text = text if by_choice == text else f"{by_choice} by choice"
    text = " ".join(NUMBERS.get(word.lower(), word) for word in text.split())
    return re.sub(r" \d{1,2} hex(es)?,?(?= )", "", text)


def _side_first(names: Names, text: str) -> tuple[str, str]:
    """The id of the side that a statement begins with, also after a "no", and the statement without it."""
    words = [word for word in text.split() if word.lower() != "the"]
    at = 1 if words[:1] == ["no"] else 0
    if len(words) < at + 2:
        return "", text
    called = {
        name.lower(): side for side, one in names.game.sides.items() for name in (one.title, one.adjective)
    }
    side = called.get(words[at].lower(), "")
    rest = words[at + 1 :][words[at + 1 : at + 2] == ["player"] :]
    return (side, " ".join((*words[:at], *rest))) if side else ("", text)


def _by_ids(names: Names, words: list[str]) -> list[str]:
    """Words with ids in place of the names of counters and towns, without brackets and commas."""
    towns = {tuple(place.name.lower().split()): place.hex for place in names.game.map.places.values()}
    found: list[str] = []
    while words:
        if found and found[-1] in names.game.counters and words[0] == "and":
            words.pop(0)
            continue
        names.drop_kind(words)
        begun = [word.lower().rstrip(",") for word in words]
        town = max((one for one in towns if [*one] == begun[: len(one)]), key=len, default=())
        known = "" if town else names.first(words)
        if town:
            del words[: len(town)]
        found.append(towns.get(town) or known or words.pop(0).strip("(),;").removeprefix("+"))
    return [word for word in found if word]


def _verbs(verbs: Mapping[str, Verb], idiom: Idiom, said: _Said) -> Iterator[tuple[Verb, _Said]]:
    """The verbs that a statement may begin with, with the other words."""
    words, small = said.words, [word.lower() for word in said.words]
    for state, (sets, unsets) in (*idiom.states.items(), *idiom.by_hand.items()):
        title = said.names.game.states[state].title.lower()
        joined = _one_word(words, title, state)
        called = {sets.split()[-1]} if state in idiom.states else set()
        meant, small_joined = {state, title, *called}, {word.lower() for word in joined}
        rest = [word for word in joined if word.lower() not in meant | SET | UNSET]
        verb = unsets if UNSET & small_joined else sets
        alone = small_joined <= meant and not {*small} & {*verbs}
        if any(before == "to" and word in said.names.game.map.grid for before, word in pairwise(rest)):
            continue  # it goes there
        if meant & small_joined and (alone or (UNSET | SET) & small_joined) and verb in verbs:
            yield verbs[verb], _Said(said.names, said.first, tuple(rest))
    passive = small[:1] in (["is"], ["are"])
    words = tuple(word for word in words[passive:] if word.lower() not in ARTICLES)
    small = [word.lower() for word in words]
    if small[:1] == [NONE] and not any(f"{' '.join(small)} ".startswith(f"{name} ") for name in verbs):
        words, small = (*words[1:], NONE), [*small[1:], NONE]
    named = _called_so(verbs, idiom)
    for length in range(len(small), 0, -1):
        for first in forms_of(small[0]):
            found = named.get(" ".join((first, *small[1:length])).replace("-", " "), ())
            turned = passive and "by" in small
            yield from ((verb, _Said(said.names, said.first, words[length:], turned)) for verb in found)


def _named(verbs: Mapping[str, Verb], idiom: Idiom, names: Names, text: str) -> Iterator[tuple[Verb, _Said]]:
    """The verbs with whose full names a statement begins, even if a counter has the same name."""
    words = [word.rstrip(",") for word in text.split() if word.lower() not in WITHIN]
    called = _called_so(verbs, idiom)
    for length in range(len(words), 1, -1):
        for verb in called.get(" ".join(words[:length]).lower().replace("-", " "), ()):
            yield verb, _Said(names, (), tuple(_by_ids(names, words[length:])))


def _called_so(verbs: Mapping[str, Verb], idiom: Idiom) -> Mapping[str, Sequence[Verb]]:
    """The verbs by name, and by other words unless a verb has those as its name."""
    called: dict[str, list[Verb]] = {}
    for verb in verbs.values():
        others = _others(verb, idiom)
        if verb.name in idiom.steps and "reveal" in verbs:  # what is flipped there is turned up
            others = [name for name in others if name not in _others(verbs["reveal"], idiom)]
        turned = (" ".join(reversed(name.split())) for name in (verb.name, *others))
        rolls = ROLLS if verb.name == idiom.roll else ()
        short = verb.name.removeprefix("roll ").removesuffix(" result")
        for name in dict.fromkeys((verb.name, short, *others, *turned, *rolls)):
            if name not in verbs or name in (verb.name, short, ROLL.name):
                called.setdefault(name.replace("-", " "), []).append(verb)
    return {name: sorted(found, key=lambda verb: _likely(verb, name)) for name, found in called.items()}


def _others(verb: Verb, idiom: Idiom) -> list[str]:
    known = OTHER_WORDS[verb.name].split(", ") if verb.name in OTHER_WORDS else []
    return [*known, *idiom.called.get(verb.name, ())]


def _likely(verb: Verb, name: str) -> tuple[bool, bool, int]:
    """A sort key: first the verb with that very name, then the verbs for the fewest kinds of counters."""
    return verb.name != name, not verb.kinds, len(verb.kinds)


def _one_word(words: Sequence[str], together: str, word: str) -> list[str]:
    """Words with one in place of several adjacent ones."""
    run = together.split()
    for at in range(len(words) - len(run) + 1):
        if [*map(str.lower, words[at : at + len(run)])] == run:
            return [*words[:at], word, *words[at + len(run) :]]
    return [*words]


def forms_of(word: str) -> Iterator[str]:
    """The verb that a word may be a form of: ``attacks``, ``eliminated``."""
    yield from (word, plural_verb(word))
    if word.endswith("ied"):
        yield f"{word[:-3]}y"
    elif word.endswith("ed"):
        yield from (word[:-1], word[:-2], word[:-3])  # eliminated, attacked, flipped


@frozen
class _Parts:
    """The words of a statement by what they may fill; each is used once."""

    hexes: list[str] = field(factory=list)
    actors: list[str] = field(factory=list)
    others: list[str] = field(factory=list)
    numbers: list[str] = field(factory=list)
    words: list[str] = field(factory=list)


def _filled(names: Names, verb: Verb, idiom: Idiom, said: _Said) -> Iterator[str]:
    """The parts of a verb's form, filled with the words of a statement; FormatError if they do not fit."""
    said = _of_kinds(names, verb, said)
    if verb.name == NEXT.name:
        if said.first:
            raise FormatError("no counter ends a phase")
        now = names.now.turn if names.now else 0
        yield f"turn {now + 1}" if [*said.words] == ["turn"] else " ".join(said.words)
        return
    labels = list(_labels(verb, list(said.words)))
    parts = _sorted(names, verb, idiom, said, _without(said.words, labels))
    if not parts.hexes and len({names.placed.get(one, one) for one in parts.others}) > 1:
        raise FormatError("the counters that it is done to are in several hexes")
    called = {word for name in idiom.called.get(verb.name, ()) for word in name.split()}
    parts.words[:] = [word for word in parts.words if word.lower() not in called]
    if (
        len({*names.attacked}) == 1
        and not (parts.hexes or parts.others)
        and names.attacked[0] in names.game.map.grid
    ):
        overhead = {one for pair in idiom.overhead.values() for one in pair}
        if verb.name == ADVANCE:
            parts.hexes.append(f"..{names.attacked[0]}")
        elif verb.name in overhead and "HEX" in verb.slots:
            parts.hexes.append(names.attacked[0])
    if verb.name in idiom.steps:
        _count_steps(verb, parts)
    if verb.name in (idiom.eliminate, *idiom.steps) and "marker" in [word.lower() for word in parts.words]:
        raise FormatError("a marker is taken off, not the counter that has it")
    for part in verb.parts:
        if part.kind == "literal":
            parts.words[:] = [word for word in parts.words if word.lower() != part.text]
            yield part.text
        elif part.kind == "slot":
            yield _slot(names, verb, part.text, parts)
        elif parts.actors and [one.text for one in part.parts] == ["PIECES"]:
            yield _slot(names, verb, "PIECES", parts)
    yield from (" ".join(label) for label in labels)
    small = SMALL | {*verb.name.split()} | (frozenset() if _has_place(verb) else OF_BATTLES)
    small |= {"defence", "defense"} if verb.name in idiom.helpers else frozenset()
    if parts.hexes or parts.actors or parts.numbers or any(word.lower() not in small for word in parts.words):
        raise FormatError("more is said than the form has room for")


def _of_kinds(names: Names, verb: Verb, said: _Said) -> _Said:
    """The words with names that only one counter of the verb's kinds has."""
    if not verb.kinds or not names.counters.several(said.words)[0]:
        return said
    with names.only(verb.kinds):
        return _Said(names, said.first, tuple(_by_ids(names, [*said.words])), said.passive)


def _has_place(verb: Verb) -> bool:
    return bool({"HEX", "PATH", "WORD"} & {*verb.slots})


def _count_steps(verb: Verb, parts: _Parts) -> None:
    """One step unless a number is given; if the form has no number, the counter is named once
    for each step.
    """
    steps = parts.numbers or ["1"]
    if "NUMBER" in verb.needs:
        parts.numbers[:] = steps
    elif (
        verb.each
        and len(steps) == 1
        and (len(parts.actors) == 1 or "each" in parts.words)
        and steps[0] in NUMBERS.values()
    ):
        parts.actors[:] = parts.actors * int(steps[0])
        parts.numbers.clear()


def _labels(verb: Verb, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The words that fill the groups in brackets: ``battle 2``, ``by the enemy``, ``attack 11``."""
    for part in verb.parts:
        texts = [one.text for one in part.parts if one.kind == "literal"]
        numbered = _is_numbered(part)
        if part.kind != "optional" or not texts or not (numbered or len(texts) == len(part.parts)):
            continue
        length = len(texts) + numbered
        for at in range(len(words) - length + 1):
            here = words[at : at + length]
            if [*map(str.lower, here[: len(texts)])] == texts and (not numbered or here[-1].isdecimal()):
                yield tuple(here)
                break


def _is_numbered(group: Part) -> bool:
    return [one.text for one in group.parts if one.kind == "slot"] == ["NUMBER"]


def _without(words: Sequence[str], labels: Sequence[Sequence[str]]) -> list[str]:
    left = list(words)
    for label in labels:
        at = next(at for at in range(len(left)) if left[at : at + len(label)] == list(label))
        del left[at : at + len(label)]
    return left


def _sorted(names: Names, verb: Verb, idiom: Idiom, said: _Said, words: list[str]) -> _Parts:
    """The words by what they may fill. Counters after ``with`` act against those before it; counters before
    the verb act against those after it.
    """
    grid, parts, first = names.game.map.grid, _Parts(), () if said.passive else said.first
    parts.actors.extend(said.first if said.passive else ())
    against = "HEX" in verb.slots and any(word in ("with", "by", "using") for word in words)
    for before, word in pairwise(("", *words)):
        bits = [bit for bit in re.split(r"-|\.\.", word) if bit]
        is_path = "PATH" in verb.slots or "HEX" in verb.slots
        is_known = (
            _is_in_battle(names, word.upper()) or word in {names.placed.get(one) for one in said.first}
            if not is_path
            else before == "from" and "PATH" not in verb.slots
        )
        if is_known and all(bit.upper() in grid for bit in bits):
            continue  # a hex of the battle, or the one from which a named counter attacks
        if word in ("with", "by", "using") and against:
            parts.others.extend(parts.actors)
            parts.actors.clear()
        elif word in names.game.counters:
            parts.actors.append(word)
        elif is_path and bits and all(bit.upper() in grid for bit in bits):
            begins_there = (
                "PATH" in verb.slots
                and not parts.hexes
                and {*parts.words[-1:]} & {"to", "into", "onto", "via", "through"}
            )
            is_side = "PATH" not in verb.slots and len(bits) > 1
            there = [bit for bit in bits if names.placed.get((*first, "")[0]) != bit]
            parts.hexes.append(
                f"..{word}" if begins_there else there[0] if is_side and len(there) == 1 else word
            )
        elif re.fullmatch(r"-?\d+", word):
            parts.numbers.append(word)
        elif word.lower() == NONE and "NUMBER" in verb.needs:
            parts.numbers.append("0")
        else:
            parts.words.append(word)
    if "PATH" in verb.slots and len(parts.hexes) == 1 and parts.words[-1:] == ["from"]:
        raise FormatError("it is only said where it comes from")
    if first and parts.actors and "HEX" in verb.slots and not parts.others:
        parts.others.extend(parts.actors)
        parts.actors.clear()
    if first and "HEX" in verb.slots and "with" in words:  # those of their own side do it too
        friends = [one for one in parts.others if _side(names, one) == _side(names, first[0])]
        parts.others[:] = [one for one in parts.others if one not in friends]
        first = (*first, *friends)
    parts.actors[:0] = first
    if verb.name in idiom.helpers and first:
        parts.actors[len(first) :] = []  # whom they help follows from where they are
    together = "PATH" in verb.slots and "with" in parts.words
    if first and len(parts.actors) > len(first) and not together:
        raise FormatError("it is not clear who does it to whom")
    return parts


def _side(names: Names, name: str) -> str:
    counter = names.game.counters.get(name)
    return counter.side if counter is not None else ""


def _is_in_battle(names: Names, name: str) -> bool:
    """Return whether a hex is the attacked one, or one next to it, from which the attack may come."""
    grid = names.game.map.grid
    attacked = names.attacked[-1:]
    return name in grid and any(where in grid and grid.distance(name, where) <= 1 for where in attacked)


def _slot(names: Names, verb: Verb, slot: str, parts: _Parts) -> str:
    """The words that fill a slot of the form; they are removed."""
    match slot:
        case "PIECE" | "PIECES" if parts.actors:
            found = " ".join(parts.actors)
            parts.actors.clear()
            return found
        case "HEX" if parts.hexes:
            return parts.hexes.pop(0)
        case "HEX" if parts.others:
            return parts.others.pop(0)
        case "PATH" if parts.hexes:
            found = _path(names, parts.hexes)
            parts.hexes.clear()
            return found
        case "DIE" | "DICE" if any(len(number) > _DIGITS for number in parts.numbers):
            raise FormatError("a hex is no die roll")
        case "NUMBER" if parts.numbers and parts.numbers[0] in names.game.map.grid:
            raise FormatError("a hex is no number")
        case "DIE" | "NUMBER" if parts.numbers:
            return parts.numbers.pop(0)
        case "DICE" if parts.numbers:
            found = " ".join(parts.numbers)
            parts.numbers.clear()
            return found
        case "WORD" if parts.words:
            return _word(verb, parts)
    raise FormatError(f"{slot.lower()} is missing")


def _path(names: Names, said: Sequence[str]) -> str:
    """A path from consecutive hexes: hex by hex if they are neighbours, otherwise a drag."""
    if said[0].startswith(".."):
        return "..".join(said).replace("-", "..")
    if len(said) == 1:
        return said[0] if re.search(r"-|\.\.", said[0]) else f"..{said[0]}"
    bits = [bit for word in said for bit in re.split(r"-|\.\.", word)]
    hexes = [here for before, here in pairwise(("", *bits)) if here != before]
    grid = names.game.map.grid
    near = all(grid.are_neighbours(here, there) for here, there in pairwise(hexes))
    return ("-" if near and not any(".." in word for word in said) else "..").join(hexes)


def _word(verb: Verb, parts: _Parts) -> str:
    """A word of the form: a claim with its level, or the remaining words."""
    words = [word for word in parts.words if word.lower() not in SMALL | {*verb.name.split()}]
    parts.words.clear()
    known = {one.lower() for choice in verb.choices for one in choice.split()}
    for order in (words, [*words[-1:], *words[:-1]]):  # the side may come last
        for joined in forms_of("-".join(order).lower()):
            if joined in known:
                return joined
    return " ".join(words)
