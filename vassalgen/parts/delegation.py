"""Commands of counters that are delegated to the clerk, which carries them out for them.

VASSAL writes a counter out at every key, and the length grows with the square of its number of traits.
Therefore counters contain only their data and their look; chains of keys, reports and sums are on the clerk,
once.

A key that is pressed on a counter leaves a note for the clerk: which counter, which command, and the old
values that the report mentions. The clerk carries out the note key by key, and sends the counter the keys
that it handles itself. The properties of counters have no commands of their own: the clerk sets them on the
counters concerned, without a key that each of their traits would receive. [counters.SetPieceProperty] So
their definitions never change, and *Refresh Counters* preserves their contents. For values that only the
counter knows (its place, its factors, whether a condition is true) the clerk asks the counter. The questions
are expressions in properties of the module; the trait of a counter that leaves its notes answers them all, in
the note. When VASSAL sets a property, it evaluates the result of an expression once more if it contains a
``$``. [counters.SetGlobalProperty.myKeyEvent] If several counters contribute to properties of the module
(their factors, their names), each appends to one text, and the clerk splits it when all have been asked.
Notes are on a stack, because one may cause another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import attrs

from vassalgen.announcements import BATTLE, CLERKS_NOTES, STEPS
from vassalgen.parts.lookups import among
from vassalgen.parts.names import OF_CLERK
from vassalgen.parts.restrictions import restricted_commands
from vassalgen.parts.trait_shorthand import Part, call, command, global_, key, on, report
from vassalgen.vassal.components import GlobalProperty
from vassalgen.vassal.compounds import Change, PropertyCommand, SetTo
from vassalgen.vassal.expressions.brackets import without_brackets
from vassalgen.vassal.scalars import Key
from vassalgen.vassal.traits.base import Trait
from vassalgen.vassal.traits.counter_global_key_command import CounterGlobalKeyCommand
from vassalgen.vassal.traits.delete import Delete
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.footprint import Footprint
from vassalgen.vassal.traits.global_hot_key import GlobalHotKey
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.obscurable import Obscurable
from vassalgen.vassal.traits.report_state import ReportState
from vassalgen.vassal.traits.restrict_commands import RestrictCommands
from vassalgen.vassal.traits.send_to_location import REGION, SendToLocation
from vassalgen.vassal.traits.set_global_property import SetGlobalProperty
from vassalgen.vassal.traits.set_piece_property import SetPieceProperty
from vassalgen.vassal.traits.sub_menu import SubMenu
from vassalgen.vassal.traits.translate import Translate
from vassalgen.vassal.traits.trigger_action import TriggerAction

HEAR, ANSWER = "h", "a"
"""The keys with which the clerk takes a note, and a counter answers a question."""
_NOTE, _NOTES, _WHO, _DO, _ASK, _SAID, _SOUGHT, *_WAS = CLERKS_NOTES
_END, _PAGE = "#", 8
_BY_ID = "PieceUID"
_GO = "go"
"""The key that sends a counter to the place among the boxes that is in the note."""
_WAS_NOTHING = ("",) * len(_WAS)
_OLD = re.compile(rf"\bold({STEPS}|{BATTLE}|LocationName|state_\w+)\b")
_DONE_BY_CLERK = (TriggerAction, ReportState, CounterGlobalKeyCommand, SetGlobalProperty, GlobalHotKey)


def quickly_parsed(parts: Iterable[Part]) -> Iterator[Part]:
    """The clerk's traits, with values of properties of the module in a form that VASSAL parses quickly."""
    for part in parts:
        if isinstance(part, SetGlobalProperty):
            yield attrs.evolve(part, commands=tuple(map(_quickly_set, part.commands)))
        else:
            yield part


def _quickly_set(one: PropertyCommand) -> PropertyCommand:
    if not isinstance(one.change, SetTo) or not one.change.value.startswith("{"):
        return one
    return attrs.evolve(one, change=SetTo(_quickly_parsed(one.change.value[1:-1])))


def _quickly_parsed(expression: str) -> str:
    return f"{{{without_brackets(expression)}}}"


def one_voice(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The traits with one report instead of all.

    VASSAL asks a piece for its name at every key, once for each report. [counters.ReportState.myKeyEvent]
    """
    lines = [part for part in parts if isinstance(part, ReportState)]
    others = tuple(part for part in parts if not isinstance(part, ReportState))
    said = tuple(on(pressed, line.report_format) for line in lines for pressed in line.keys)
    keys_said = tuple(pressed for line in lines for pressed in line.keys)
    return (
        report("say", f"{{{_SAID}}}"),
        command("", None, "say", also=keys_said),
        *others,
        global_(_SAID, *said, numeric=False),
    )


@attrs.define
class Delegation:
    """Splits the abilities of counters into what they keep and what the clerk does for them.

    ``called`` are the keys that other pieces send to counters: the clerk, the module, maps. At those that are
    ``gathered``, counters only add to properties of the module.
    """

    called: frozenset[Key]
    gathered: frozenset[Key] = frozenset()
    _questions: dict[str, str] = attrs.field(factory=dict, init=False)
    _asked: dict[str, str] = attrs.field(factory=dict, init=False)
    _announced: dict[str, str] = attrs.field(factory=dict, init=False)
    _sent: dict[Key, str] = attrs.field(factory=dict, init=False)
    _done: dict[tuple[object, ...], str] = attrs.field(factory=dict, init=False)
    _set: dict[str, list[PropertyCommand]] = attrs.field(factory=dict, init=False)
    _traits: list[Part] = attrs.field(factory=list, init=False)
    _notes: dict[tuple[str, ...], int] = attrs.field(factory=dict, init=False)
    _values: dict[str, dict[Key, Change]] = attrs.field(factory=dict, init=False)
    _answered: set[Key] = attrs.field(factory=set, init=False)
    _short: dict[Key, Key] = attrs.field(factory=dict, init=False)
    _added: dict[Key, dict[str, dict[str, str]]] = attrs.field(factory=dict, init=False)
    _texts: set[str] = attrs.field(factory=set, init=False)

    def keep(self, kind: str, parts: Sequence[Part], inner: Iterable[Part]) -> tuple[Part, ...]:
        """Return the traits of a kind that stay; ``inner`` are traits further in, which stay as well."""
        inner = tuple(inner)
        for trait in parts:
            if isinstance(trait, SetGlobalProperty):
                self._add(kind, trait)
        for trait in _traits((*parts, *inner)):
            if isinstance(trait, DynamicProperty):
                self._set_by_clerk(trait)
        counter = _Counter(self, tuple(parts), frozenset(_followed((*parts, *inner))))
        self._answered |= set(counter.called_by) | set(_followed(without_commands((*parts, *inner))))
        return counter.light()

    def _add(self, kind: str, trait: SetGlobalProperty) -> None:
        for one in trait.commands:
            if one.key in self.gathered and one.key and isinstance(one.change, SetTo):
                by_kind = self._added.setdefault(one.key, {}).setdefault(trait.name, {})
                by_kind[kind] = one.change.value.removeprefix("{").removesuffix("}")
                if not trait.constraints.numeric:
                    self._texts.add(trait.name)

    def _gathering(self, sent: Key) -> str:
        """The question at which a counter contributes to all the properties of a key."""
        parts = []
        all_kinds = {kind for by_kind in self._added[sent].values() for kind in by_kind}
        for place, (name, by_kind) in enumerate(self._added[sent].items()):
            so_far = _field(_NOTE, place)
            so_far = f"({so_far})" if name in self._texts else f"Integer.parseInt({so_far})"
            kinds: dict[str, list[str]] = {}
            for kind, value in by_kind.items():
                kinds.setdefault(re.sub(rf"\b{name}\b", lambda _: so_far, value), []).append(kind)  # noqa: B023
            values = tuple(kinds)
            expression = values[0]
            for value in values[1:]:
                expression = f"({among(kinds[value], 'Kind')}?({value}):({expression}))"
            if len(by_kind) < len(all_kinds):
                expression = f"({among(by_kind, 'Kind')}?({expression}):{so_far})"
            parts.append(f'"+({expression})+"')
        return _fields(parts, '"', '"')

    def _gather(self, trait: CounterGlobalKeyCommand) -> tuple[Part, ...]:
        """Asks all counters to which a key was sent, and sets the properties when all have answered.

        Among traits that answer one key, VASSAL executes triggers last, the others from the outer to the
        inner.
        """
        assert trait.sent_key is not None
        assert trait.key is not None
        called, names = trait.key.name, tuple(self._added[trait.sent_key])
        asks = attrs.evolve(trait, sent_key=key(ANSWER))
        if not self._once("gather", trait.key)[1]:
            return (asks,)
        for place, name in enumerate(names):
            value = f"{{{_field(_NOTE, place)}}}"
            self._set.setdefault(name, []).append(on(f"{called}All", value))
        return (
            command("", called, f"{called}All"),
            global_(_NOTE, on(called, _fields([f"${name}$" for name in names])), numeric=False),
            global_(_ASK, on(called, self.question(self._gathering(trait.sent_key))), numeric=False),
            asks,
        )

    def _set_by_clerk(self, trait: DynamicProperty) -> None:
        known = self._values.setdefault(trait.name, {})
        for one in trait.commands:
            if one.key and known.setdefault(one.key, one.change) != one.change:
                raise ValueError(f"{trait.name} is set in different ways at {one.key.name}")

    def reaching(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """The clerk's traits, with direct setting of counters' properties instead of keys sent to them."""
        found: list[Part] = []
        to_one: dict[str, int] = {}
        for part in parts:
            if not isinstance(part, CounterGlobalKeyCommand) or part.sent_key is None:
                found.append(part)
                continue
            if part.sent_key in self._added:
                found += self._gather(part)
                continue
            names = self._set_at(part)
            if not names or part.sent_key in self._answered:
                found.append(part)
            for name in names:
                change = PropertyCommand(key=part.key, change=self._values[name][part.sent_key])
                setter = SetPieceProperty(name=name, commands=(change,), target=part.target, match=part.match)
                if part.target.property != _BY_ID:
                    found.append(setter)
                elif name not in to_one:
                    to_one[name] = len(found)
                    found.append(setter)
                else:
                    earlier = found[to_one[name]]
                    assert isinstance(earlier, SetPieceProperty)
                    found[to_one[name]] = attrs.evolve(earlier, commands=(*earlier.commands, change))
        return tuple(found)

    def _set_at(self, trait: CounterGlobalKeyCommand) -> tuple[str, ...]:
        """The properties to set where a key is sent, ending with the one by which the counters are found."""
        names = [name for name, known in self._values.items() if trait.sent_key in known]
        sought = f"{trait.match} {trait.target.property if trait.target.by_property else ''}"
        last = [name for name in names if re.search(rf"\b{name}\b", sought)]
        if len(last) > 1:
            raise ValueError(f"{trait.sent_key} changes by what the counters are found: {last}")
        return (*(name for name in names if name not in last), *last)

    def short(self, pressed: Key) -> Key:
        """A short name for a key without letters that only a menu sends, because it is in every counter."""
        if pressed.code != key("").code or not pressed.name or pressed in self.called:
            return pressed
        return self._short.setdefault(pressed, key(f"k{len(self._short) + 1}"))

    def clerk(self) -> tuple[Part, ...]:
        """What the clerk needs, outermost first."""
        asked = (*self._asked.values(),)
        return (
            command("", HEAR, "noted"),
            *(
                command("", HEAR, f"hear{page}", when=f"{_DO}/{_PAGE}=={page}")
                for page in range(len(self._notes) // _PAGE + 1)
            ),
            *(
                command("", f"hear{number // _PAGE}", *sent, when=f"{_DO}=={number}")
                for sent, number in self._notes.items()
            ),
            *self._traits,
            report("heard", f"${_NOTE}$"),
            command("", None, "ask", also=asked),
            call("ask", ANSWER, where=(_BY_ID, f"{{{_WHO}}}")),
            *(call(name, sent, where=(_BY_ID, f"{{{_WHO}}}")) for sent, name in self._sent.items()),
            global_(
                _NOTES,
                on(HEAR, f'{{{_NOTE}+"{_END}"+{_NOTES}}}'),
                on("noted", f'{{{_NOTES}.substring({_NOTES}.indexOf("{_END}")+1)}}'),
                numeric=False,
            ),
            *(
                global_(
                    name, *(on(one, f"{{{_field(_NOTES, place)}}}") for one in (HEAR, "noted")), numeric=False
                )
                for place, name in enumerate((_WHO, _DO, *_WAS))
            ),
            global_(
                _ASK, *(on(name, self._questions[text]) for text, name in self._asked.items()), numeric=False
            ),
            *(global_(name, *commands, numeric=False) for name, commands in self._set.items()),
        )

    def properties(self) -> tuple[GlobalProperty, ...]:
        """The properties of the module: the questions, and the notes for the clerk."""
        for sent in self._added:
            self.question(self._gathering(sent))
        empty = (_NOTE, _WHO, _DO, *_WAS, _ASK, _SAID, _SOUGHT)
        return (
            GlobalProperty(name=_NOTES, initial_value=_fields(["-", "0", *_WAS_NOTHING]) + _END),
            *(GlobalProperty(name=name, initial_value="") for name in empty),
            *(
                GlobalProperty(name=name, initial_value=_quickly_parsed(f'({text})+"$CID$".substring(0,0)'))
                for text, name in self._questions.items()
            ),
        )

    def question(self, text: str) -> str:
        """The property with a question."""
        return self._questions.setdefault(text, f"Question{len(self._questions) + 1}")

    def ask(self, text: str) -> str:
        """The key at which the counter notes the value of an expression."""
        self.question(text)
        return self._asked.setdefault(text, f"ask{len(self._asked) + 1}")

    def say(self, text: str) -> tuple[str, ...]:
        """The keys that announce a line made by the counter."""
        return self.ask(text), "heard"

    def send(self, sent: Key) -> str:
        """The key with which a key is sent to the counter."""
        return self._sent.setdefault(sent, f"send{len(self._sent) + 1}")

    def note(self, sent: tuple[str, ...]) -> int:
        """The number of a note at which the clerk sends itself these keys."""
        return self._notes.setdefault(sent, len(self._notes) + 1)

    def put(self, name: str, value: str) -> str:
        """The key that sets a property of the module."""
        done = self._once("put", name, value)
        if done[1]:
            self._set.setdefault(name, []).append(on(done[0], value))
        return done[0]

    def when(self, condition: str, sent: tuple[str, ...]) -> str:
        """The key that sends keys if a condition is true of the counter."""
        asked = self.ask(condition)
        name, new = self._once("when", condition, sent)
        if new:
            self._traits.append(command("", f"{name}if", *sent, when=f"{_NOTE}==true"))
            self._traits.append(command("", name, asked, f"{name}if"))
        return name

    def several(self, values: tuple[tuple[str, str], ...]) -> str:
        """The key that sets several properties to the counter's values, all at once."""
        asked = self.ask(_fields([f'"+({value})+"' for _, value in values], '"', '"'))
        name, new = self._once("several", values)
        if new:
            self._traits.append(command("", name, asked, f"{name}set"))
            for place, (set_, _) in enumerate(values):
                self._set.setdefault(set_, []).append(on(f"{name}set", f"{{{_field(_NOTE, place)}}}"))
        return name

    def calls(self, trait: CounterGlobalKeyCommand) -> tuple[str, ...]:
        """The keys with which the clerk calls other counters, as the counter would.

        The value by which they are found is stored separately: called counters may leave notes before all are
        reached.
        """
        assert trait.sent_key is not None
        target = trait.target
        if target.by_property and (target.property, target.value) == OF_CLERK:
            return (_name(trait.sent_key),)
        where: tuple[str, str] | None = (target.property, target.value) if target.by_property else None
        asked: tuple[str, ...] = ()
        if target.by_place:
            asked = (self.ask('GetString("LocationName")'), self.put(_SOUGHT, f"${_NOTE}$"))
            where = ("LocationName", f"${_SOUGHT}$")
        elif where and where[1] == "{CID}":
            asked = (self.ask("CID"), self.put(_SOUGHT, f"${_NOTE}$"))
            where = (where[0], f"{{{_SOUGHT}}}")
        name, new = self._once("call", trait.sent_key, trait.match, where)
        if new:
            self._traits.append(call(name, _name(trait.sent_key), when=trait.match[1:-1], where=where))
        return (*asked, name)

    def hotkey(self, trait: GlobalHotKey) -> str:
        """The key that presses a button of the module."""
        name, new = self._once("hotkey", trait.sent_key)
        if new:
            self._traits.append(GlobalHotKey(text="", key=key(name), sent_key=trait.sent_key))
        return name

    def _once(self, *what: object) -> tuple[str, bool]:
        new = what not in self._done
        return self._done.setdefault(what, f"do{len(self._done) + 1}"), new


@attrs.frozen(slots=False)
class _Counter:
    """The traits of a kind of counter, outermost first, and the keys that the remaining traits answer."""

    delegation: Delegation
    parts: tuple[Part, ...]
    followed: frozenset[Key]

    def light(self) -> tuple[Part, ...]:
        """What stays: menus and restrictions outermost, then the call to the clerk."""
        kept = tuple(
            part
            for part in self.parts
            if not (isinstance(part, _DONE_BY_CLERK) or part in self._goals.values())
        )
        notes = tuple(self._note(one) for one in self.called_by)
        return (
            *(part for part in kept if isinstance(part, SubMenu)),
            *restricted_commands(self.parts, self.delegation.short),
            command("", None, HEAR, also=tuple(one.key for one in notes if one.key)),
            global_(
                _NOTE,
                *notes,
                on(HEAR, _fields(["$PieceUID$", f"${_NOTE}$", *_WAS_NOTHING])),
                on(ANSWER, f"{{GetString({_ASK})}}"),
                numeric=False,
            ),
            call(HEAR, HEAR, where=OF_CLERK),
            *without_commands(part for part in kept if not isinstance(part, SubMenu | RestrictCommands)),
            *self._going(),
        )

    @cached_property
    def _goals(self) -> dict[Key, SendToLocation]:
        """The traits that send the counter to a place among the boxes, by key."""
        return {
            part.key: part
            for part in self.parts
            if isinstance(part, SendToLocation) and part.destination == REGION and part.key
        }

    def _going(self) -> Iterator[SendToLocation]:
        """One trait that replaces all of these: the clerk first asks for the place, which is stored in a
        note.
        """
        goals = tuple(self._goals.values())
        if goals:
            back = next((one.back_key for one in goals if one.back_key), None)
            yield attrs.evolve(goals[0], key=key(_GO), region=f"{{{_NOTE}}}", back_key=back)

    @cached_property
    def called_by(self) -> tuple[Key, ...]:
        """The keys at which the clerk is called: those of players, and those that other pieces send."""
        found: dict[Key, None] = {}
        for trait in self.parts:
            match trait:
                case TriggerAction():
                    pressed = (trait.key, *trait.watch_keys)
                    own = [one for one in pressed if one and (trait.text or one.name == "")]
                    found |= dict.fromkeys(own)
                    found |= {one: None for one in pressed if one in self.delegation.called}
                case ReportState():
                    found |= {one: None for one in trait.keys if one in self.delegation.called}
                case CounterGlobalKeyCommand() | GlobalHotKey():
                    found |= {one: None for one in (trait.key,) if one in self.delegation.called}
                case SetGlobalProperty():
                    found |= {one.key: None for one in trait.commands if one.key in self.delegation.called}
        return tuple(one for one in found if one)

    def _note(self, pressed: Key) -> PropertyCommand:
        was: list[str] = []
        number = self.delegation.note(self._answers(pressed, was))
        menu = next(
            (
                one.text
                for one in self.parts
                if isinstance(one, TriggerAction) and one.key == pressed and one.text
            ),
            "",
        )
        value = f"{number}{_fields([f'${name}$' for name in was], first=2)}" if was else str(number)
        return PropertyCommand(text=menu, key=self.delegation.short(pressed), change=SetTo(value))

    def _answers(self, pressed: Key, was: list[str]) -> tuple[str, ...]:
        """The keys that the clerk sends itself in response to a key of the counter."""
        at_once: list[str] = []
        afterwards: list[tuple[str, ...]] = []
        values: list[tuple[str, str]] = []
        for trait in self.parts:
            match trait:
                case SetGlobalProperty():
                    values += [
                        (trait.name, one.change.value)
                        for one in trait.commands
                        if one.key == pressed and isinstance(one.change, SetTo)
                    ]
                case GlobalHotKey() if trait.key == pressed:
                    at_once.append(self.delegation.hotkey(trait))
                case TriggerAction() if pressed in (trait.key, *trait.watch_keys):
                    sent = tuple(name for one in trait.action_keys for name in self._sends(one, was))
                    when = trait.match[1:-1]
                    afterwards.append((self.delegation.when(when, sent),) if when else sent)
                case ReportState() if pressed in trait.keys:
                    afterwards.append(self.delegation.say(_as_was(trait.report_format[1:-1], was)))
                case CounterGlobalKeyCommand() if trait.key == pressed:
                    at_once += self.delegation.calls(trait)
        return (*self._sets(values), *at_once, *(name for one in reversed(afterwards) for name in one))

    def _sets(self, values: list[tuple[str, str]]) -> tuple[str, ...]:
        plain = [(name, value) for name, value in values if not value.startswith("{")]
        asked = tuple((name, value[1:-1]) for name, value in values if value.startswith("{"))
        found = [self.delegation.put(name, value) for name, value in plain]
        if len(asked) == 1:
            found += (self.delegation.ask(asked[0][1]), self.delegation.put(asked[0][0], f"${_NOTE}$"))
        elif asked:
            found.append(self.delegation.several(asked))
        return tuple(found)

    def _sends(self, sent: Key, was: list[str]) -> tuple[str, ...]:
        """The keys that the clerk sends itself where the counter would have sent itself one."""
        if sent in self.called_by:
            return (self.delegation.send(sent),)
        if goal := self._goals.get(sent):
            return (self.delegation.ask(goal.region[1:-1]), self.delegation.send(key(_GO)))
        own = (self.delegation.send(sent),) if sent in self.followed else ()
        return (*own, *self._answers(sent, was))


def _fields(values: Sequence[str], before: str = "", after: str = "", first: int = 0) -> str:
    """Several texts in one: each is between a mark with its number and the next mark."""
    marked = "".join(f"~{place}={value}" for place, value in enumerate(values, first))
    return f"{before}{marked}~{first + len(values)}={after}"


def _field(text: str, place: int) -> str:
    """The expression for one of them; if several such texts are in a row, from the first."""
    begins, ends = f"~{place}=", f"~{place + 1}="
    return f'{text}.substring({text}.indexOf("{begins}")+{len(begins)},{text}.indexOf("{ends}"))'


def _as_was(text: str, was: list[str]) -> str:
    """The expression of a line, with earlier values inserted from the note."""

    def from_note(match: re.Match[str]) -> str:
        if match[1] not in was:
            was.append(match[1])
        return _WAS[was.index(match[1])]

    return _OLD.sub(from_note, text)


def _name(pressed: Key) -> str:
    return pressed.name


def without_commands(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The traits of a counter with properties that only the clerk sets."""
    return tuple(
        (attrs.evolve(part[0], commands=()), part[1])
        if isinstance(part, tuple) and isinstance(part[0], DynamicProperty)
        else part
        for part in parts
    )


def _traits(parts: Iterable[Part]) -> Iterator[Trait]:
    for part in parts:
        yield part[0] if isinstance(part, tuple) else part


def _followed(parts: Iterable[Part]) -> Iterable[Key]:
    """The keys that the traits kept by a counter answer."""
    for trait in _traits(parts):
        match trait:
            case DynamicProperty():
                yield from (one.key for one in trait.commands if one.key)
            case SendToLocation():
                yield from (one for one in (trait.key, trait.back_key) if one)
            case Obscurable() | Delete() | Translate():
                yield from (one for one in (trait.key,) if isinstance(one, Key))
            case MovementMarkable():
                yield from (one for one in (trait.key, trait.mark_key, trait.unmark_key) if one)
            case Footprint():
                yield from (one for one in (trait.key, trait.on_key, trait.off_key, trait.clear_key) if one)
