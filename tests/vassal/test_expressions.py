from __future__ import annotations

import contextlib
import ctypes
import json
import math
import re
import time
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from vassalgen.problems import FormatError
from vassalgen.vassal import sequences
from vassalgen.vassal.expressions import (
    CannotEvaluate,
    EvaluationFails,
    Properties,
    argument_filter,
    parse,
    parse_filter,
    parse_property,
)
from vassalgen.vassal.expressions.beanshell import BeanShell
from vassalgen.vassal.expressions.patterns import Pattern
from vassalgen.vassal.expressions.values import BLANKS, float32

ANSWERS = Path(__file__).parent / "data" / "expressions.jsonl"
"""Lines of: how it is read, the text, the properties, what VASSAL 3.7.26 answers (null: it fails)."""

UNIT = Properties({"Side": "Axis", "Steps": "2", "Hex": "0403", "Name with blanks": "10 Pz", "Moved": "true"})


def value(text: str, **properties: str) -> str:
    return parse(text).evaluate(Properties(properties))


def outcome(how: str, text: str, properties: Properties) -> str | None:
    """What comes out, in the way the file of answers says it."""
    try:
        match how:
            case "expr":
                return parse(text).evaluate(properties)
            case "disp":
                return parse(text).evaluate(properties, displayed=True)
            case "prop":
                return parse_property(text).evaluate(properties)
            case _:
                source = properties if how == "filter" else None
                return "true" if parse_filter(text).accepts(properties, source) else "false"
    except (FormatError, EvaluationFails):
        return None


def test_every_answer_is_the_one_of_the_real_engine() -> None:
    lines = ANSWERS.read_text(encoding="utf-8").splitlines()
    assert len(lines) > 1000
    for line in lines:
        how, text, properties, answer = json.loads(line)
        assert outcome(how, text, Properties(properties)) == answer, line


class TestFormats:
    def test_names_between_dollars_are_replaced(self) -> None:
        assert parse("$Side$ moves to $Hex$").evaluate(UNIT) == "Axis moves to 0403"

    def test_an_unknown_name_vanishes_where_players_read_it_and_stays_bare_elsewhere(self) -> None:
        assert parse("[$Nobody$]").evaluate(UNIT, displayed=True) == "[]"
        assert parse("[$Nobody$]").evaluate(UNIT) == "[Nobody]"

    def test_an_escaped_dollar_is_a_dollar_and_a_lonely_one_is_nothing(self) -> None:
        assert parse(r"costs 5\$").evaluate(UNIT) == "costs 5$"
        assert parse("costs $5").evaluate(UNIT) == "costs 5"

    def test_braces_count_only_around_the_whole_text(self) -> None:
        assert parse("!{Steps}").evaluate(UNIT) == "!{Steps}"
        assert parse(' {"!" + Steps} ').evaluate(UNIT) == "!2"

    def test_an_integer_is_written_plainly_unless_the_module_keeps_leading_zeros(self) -> None:
        assert parse("007").evaluate(UNIT) == "7"
        assert parse("007").evaluate(Properties(keeps_leading_zeros=True)) == "007"

    def test_text_without_dollars_stays_as_it_is_blanks_included(self) -> None:
        assert parse(" as it is ").evaluate(UNIT) == " as it is "

    @given(st.text(st.characters(exclude_characters="${}", exclude_categories=("Nd", "Cs"))))
    def test_plain_text_stands_for_itself_unless_it_is_blank(self, text: str) -> None:
        assert parse(text).evaluate(UNIT) == (text if set(text) - set(BLANKS) else "")

    def test_a_field_for_a_name_takes_the_property_as_it_is(self) -> None:
        assert parse_property("Name with blanks").evaluate(UNIT) == "10 Pz"
        assert parse_property("{Hex}").evaluate(UNIT) == "0403"
        assert parse("{Hex}").evaluate(UNIT) == "403"
        assert parse_property("{Steps+1}").evaluate(UNIT) == "3"

    def test_a_number_is_taken_from_a_field_as_vassal_takes_it(self) -> None:
        assert parse("{Steps * 3}").as_number(UNIT) == 6
        assert parse("").as_number(UNIT) == 0
        with pytest.raises(EvaluationFails):
            parse("$Side$").as_number(UNIT)


class TestValuesOfProperties:
    def test_numbers_are_numbers_and_hex_names_lose_their_zeros(self) -> None:
        assert value('{Hex == "0403"}', Hex="0403") == "false"
        assert value("{Hex == 403}", Hex="0403") == "true"
        assert value('{GetString("Hex") == "0403"}', Hex="0403") == "true"

    def test_a_module_may_keep_the_zeros(self) -> None:
        kept = Properties({"Hex": "0403"}, keeps_leading_zeros=True)
        assert parse('{Hex == "0403"}').evaluate(kept) == "true"

    def test_a_missing_property_is_an_empty_text_that_counts_as_zero_beside_an_int(self) -> None:
        assert value('{Nobody == ""}') == "true"
        assert value("{Nobody == 0}") == "true"
        assert value("{Nobody + 1 + 2}") == "3"

    def test_true_and_false_are_no_texts(self) -> None:
        assert value("{Moved && 1 == 1}", Moved="true") == "true"
        assert value("{!Moved}", Moved="false") == "true"

    def test_decimals_are_floats_and_unequal_to_the_same_literal(self) -> None:
        assert value("{x + 1}", x="0.1") == "1.1"
        assert value("{x == 1.1}", x="1.1") == "false"

    def test_a_name_on_which_a_text_method_is_called_is_a_text_everywhere(self) -> None:
        assert value('{x.equals("5") ? x + 1 : 0}', x="5") == "51"

    def test_a_backslash_in_such_a_property_is_read_as_an_escape(self) -> None:
        assert value("{x.length()}", x=r"a\tb") == "3"
        with pytest.raises(EvaluationFails):
            value("{x.length()}", x=r"C:\games")

    def test_an_integer_too_long_for_java_stays_a_text(self) -> None:
        assert value("{id + 1}", id="1563781736346") == "15637817363461"

    def test_letters_beyond_the_first_plane_count_twice(self) -> None:
        assert value("{x.length()}", x="\U0001f600") == "2"
        assert value("{x.substring(0,2) + 1}", x="\U0001f600b") == "\U0001f6001"
        assert value("{x.substring(1)}", x="\U0001f600b") == "?b"


class TestConditions:
    def test_an_empty_filter_lets_everything_pass(self) -> None:
        assert parse_filter("").accepts(UNIT)

    def test_numbers_compare_as_numbers_and_all_else_as_text(self) -> None:
        assert value('{"10" > 9}') == "false"
        assert value("{10 > 9}") == "true"

    def test_the_old_language(self) -> None:
        assert parse_filter("Side = Axis && Steps >= 2").accepts(UNIT)
        assert parse_filter("Side = Allied || Hex =~ 04.*").accepts(UNIT)
        assert not parse_filter("Hex !~ 04.*").accepts(UNIT)
        assert parse_filter("Steps > 1 && Steps < 10 && Side != Allied").accepts(UNIT)

    def test_in_the_old_language_a_missing_property_is_the_word_null(self) -> None:
        assert parse_filter("Nobody = null").accepts(UNIT)
        assert parse_filter("Nobody != 1").accepts(UNIT)

    def test_dollars_are_what_the_searching_piece_knows(self) -> None:
        leader = Properties({"Side": "Axis", "Range left": "3"})
        assert parse_filter('{Side == "$Side$"}').accepts(UNIT, leader)
        assert not parse_filter('{Side == "$Side$"}').accepts(UNIT)
        assert parse_filter("{Steps < $Range left$}").accepts(UNIT, leader)
        assert parse_filter("Side = $Side$").accepts(UNIT, leader)

    def test_a_condition_that_needs_its_searcher_fails_without(self) -> None:
        with pytest.raises(EvaluationFails):
            parse_filter("{Steps < $Range left$}").accepts(UNIT)

    def test_a_condition_that_becomes_a_bare_number_lets_everything_pass(self) -> None:
        assert parse_filter("{$n$}").accepts(UNIT, Properties({"n": "5"}))

    def test_a_replaced_condition_that_cannot_be_read_fails(self) -> None:
        with pytest.raises(EvaluationFails):
            parse_filter("{Steps == $x$}").accepts(UNIT, Properties({"x": ") ("}))

    def test_right_sides_are_not_evaluated_once_the_left_side_decides(self) -> None:
        assert value('{true || Math.max("x", 1)}') == "true"
        assert value('{false && Math.max("x", 1)}') == "false"


@frozen
class Table:
    """A piece among others."""

    values: dict[str, str]
    stack: tuple[Table, ...] = ()
    keeps_leading_zeros: bool = False
    asked: list[tuple[str, ...]] = field(factory=list)

    def property(self, name: str) -> str | None:
        return self.values.get(name)

    def function(self, name: str, arguments: tuple[str, ...]) -> str | int | bool:
        self.asked.append((name, *arguments))
        if name == "GetMapProperty":
            return "7"
        if name != "SumStack":
            raise CannotEvaluate(name)
        chosen = argument_filter(arguments[1], self) if len(arguments) > 1 else None
        pieces = [one for one in self.stack if chosen is None or chosen.accepts(one, self)]
        return sum(int(one.values.get(arguments[0], 0)) for one in pieces)


class TestFunctionsThatAskTheTable:
    STACK = (
        Table({"Side": "Axis", "AF": "3"}),
        Table({"Side": "Allied", "AF": "4"}),
        Table({"Side": "Axis", "AF": "5"}),
    )

    def test_a_sum_is_a_number_in_the_expression(self) -> None:
        assert parse('{SumStack("AF") * 2}').evaluate(Table({}, self.STACK)) == "24"

    def test_a_filter_may_name_what_the_counting_piece_knows(self) -> None:
        text = r'{SumStack("AF", "{Side==\"$Side$\"}")}'
        assert parse(text).evaluate(Table({"Side": "Axis"}, self.STACK)) == "8"
        assert parse(text).evaluate(Table({}, self.STACK)) == "0"

    def test_a_property_found_elsewhere_is_wrapped_like_any_other(self) -> None:
        assert parse('{GetMapProperty("Turn", "Main Map") + 1}').evaluate(Table({})) == "8"

    def test_without_a_table_nothing_is_guessed(self) -> None:
        for text in ('{SumStack("AF")}', "{Random(6)}", '{CountMap("{Side==1}")}'):
            with pytest.raises(CannotEvaluate):
                parse(text).evaluate(UNIT)

    def test_arguments_arrive_as_texts(self) -> None:
        table = Table({"x": "5"})
        with pytest.raises(CannotEvaluate):
            parse("{SumRange(1, x + 1, 'c')}").evaluate(table)
        assert table.asked == [("SumRange", "1", "6", "c")]

    def test_an_unknown_function_or_a_wrong_count_of_arguments_fails(self) -> None:
        for text in ("{Foo(1)}", "{SumStack()}", "{If(true, 1)}"):
            with pytest.raises(EvaluationFails):
                parse(text).evaluate(Table({}))

    def test_what_only_speaks_gives_nothing(self) -> None:
        assert value('{"a" + Alert("hello")}') == "a"


class TestNames:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("$Side$ at $LocationName$", {"Side", "LocationName"}),
            ('{Steps > 1 ? Name.trim() : GetProperty("Old name")}', {"Steps", "Name", "Old name"}),
            ("{$Steps$ + Math.max(a, Math.PI)}", {"Steps", "a"}),
            (r'{SumStack("AF", "{Side==\"$Mine$\" && Moved}")}', {"AF", "Side", "Mine", "Moved"}),
            ('{GetProperty(Side + "_VP")}', {"Side"}),
            ("7", set()),
        ],
    )
    def test_the_properties_of_an_expression(self, text: str, names: set[str]) -> None:
        assert parse(text).names() == names

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("Side = Axis && Steps > 1 || x y =~ .*", {"Side", "Steps", "x y"}),
            ("Side = $Enemy$", {"Side", "Enemy"}),
            ('{Side == "$Enemy$"}', {"Side", "Enemy"}),
            ("{Steps < $Range left$ + $n$_x}", {"Steps", "Range left", "n"}),
        ],
    )
    def test_the_properties_of_a_condition(self, text: str, names: set[str]) -> None:
        assert parse_filter(text).names() == names

    def test_a_layer_follows_a_name(self) -> None:
        assert parse_property("Name with blanks").names() == {"Name with blanks"}


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "place", "wrong"),
        [
            ("{Steps = 2}", "character 8", "= sets a value"),
            (" {a + }", "character 7", "a value is missing"),
            ("{(a}", "character 4", "needs a )"),
            ("{Main Map}", "character 7", "'Map' is left over"),
            ("{'Axis'}", "character 2", "single character"),
            ('{"Axis}', "character 2", "without its closing quote"),
            (r'{a + "x\y"}', "character 8", "is not an escape"),
            ("{default}", "character 2", "a word of Java"),
            ("{a // b}", "character 4", "comment of the rest"),
            ("{~a}", "character 2", "read as =~"),
            ("{99999999999999}", "character 2", "too big"),
            ("{a ? b}", "character 7", "needs a :"),
            ("{a @ b}", "character 4", "no meaning"),
        ],
    )
    def test_a_broken_expression_is_reported_with_its_place(self, text: str, place: str, wrong: str) -> None:
        with pytest.raises(FormatError) as caught:
            parse(text)
        assert caught.value.problem.place == place
        assert wrong in caught.value.problem.wrong

    def test_a_condition_in_empty_braces_is_a_mistake(self) -> None:
        with pytest.raises(FormatError, match="lets nothing pass"):
            parse_filter("{}")

    @pytest.mark.parametrize(
        "text",
        ["{1/0}", "{!Nobody}", '{-"a"}', "{null}", "{Side && true}", '{(int) "5"}', '{"a".substring(2)}'],
    )
    def test_what_vassal_cannot_do_fails(self, text: str) -> None:
        with pytest.raises(EvaluationFails):
            parse(text).evaluate(UNIT)

    @pytest.mark.parametrize("text", ["{a++}", "{new Foo(1)}", '{"a,b".split(",")[0]}', "{Math.random()}"])
    def test_rare_java_is_read_and_not_guessed(self, text: str) -> None:
        with pytest.raises(CannotEvaluate) as caught:
            parse(text).evaluate(UNIT)
        assert not isinstance(caught.value, EvaluationFails)


class TestHostileTexts:
    @pytest.mark.parametrize(
        "text",
        [
            "{" + "(" * 5000 + "a" + ")" * 5000 + "}",
            "{" + "(int)" * 5000 + "a}",
            "{" + "!" * 40_000 + "a}",
            "{" + "a?1:" * 10_000 + "2}",
            "{" + "+".join(["a"] * 20_000) + "}",
            "{" + "a" * 60_000 + "}",
            "{a" + '.replace("a","aaaaaaaaaa")' * 1500 + "}",
            '{"' + "a" * 40 + 'b" =~ "(a+)+$"}',
            '{"' + "a" * 20_000 + '".replaceAll("(a|aa)+c","")}',
            '{"x".repeat(2000000000)}',
            '{"x" =~ "(((x{100}){100}){100}){100}"}',
            '{"x" =~ "' + "(" * 2000 + '"}',
            '{SumStack("x", "{' + "$" * 30_000 + '}")}',
        ],
    )
    def test_cost_little(self, text: str) -> None:
        started = time.process_time()
        try:
            expression = parse(text)
            expression.names()
            expression.evaluate(Properties({"a": "a"}))
        except (FormatError, CannotEvaluate):
            pass
        assert time.process_time() - started < 5

    def test_the_deepest_expression_fits_on_the_stack(self) -> None:
        level = "(0|0^-1&1<<0+1*-"
        text = "{" + level * 28 + "1" + ")" * 28 + "}"
        expression = parse(text)
        assert isinstance(expression, BeanShell)
        assert expression.depth == 28
        assert expression.evaluate(UNIT)

    def test_chains_do_not_nest(self) -> None:
        expression = parse("{" + "".join(f"Steps == {n} ? {n} : " for n in range(300)) + "0}")
        assert isinstance(expression, BeanShell)
        assert expression.evaluate(UNIT) == "2"
        assert expression.depth == 1


WORDS = """
    a b Side ( ) + - * / % ! ~ ? : == != < > <= >= && || & | ^ "x" 'c' 5 1.5 08 0x1F . , ; { } [ ] null true
    int (int) new class instanceof GetProperty( If( Math.max( .trim() .contains( .substring(1)
    .replaceAll("[a-c]","") =~ !~ ++ -- << >>> 1L 2f $x$ "\\n" "{a==1}" @gt // /*c*/ = é
"""
SOUP = st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join)
ANYTHING = st.one_of(st.text(max_size=40), SOUP, SOUP.map(lambda text: "{" + text + "}"))
VALUES = st.dictionaries(
    st.sampled_from(["a", "b", "Side", "x"]), st.one_of(st.text(max_size=8), st.integers().map(str))
)


@given(ANYTHING, VALUES)
def test_only_declared_errors_come_out(text: str, values: dict[str, str]) -> None:
    piece = Properties(values)
    for read in (parse, parse_filter, parse_property):
        try:
            expression = read(text)
            expression.names()
            assert expression.evaluate(piece).encode() is not None
            expression.accepts(piece, piece)
            expression.as_number(piece)
        except (FormatError, CannotEvaluate):
            pass


@given(
    st.text(max_size=10),
    st.sampled_from(["{x.trim()}", "{x + 1}", '{GetProperty("x")}', "{x.toUpperCase()}"]),
)
def test_any_value_of_a_property_is_bearable(text: str, expression: str) -> None:
    with contextlib.suppress(EvaluationFails):
        parse(expression).evaluate(Properties({"x": text}))


@frozen
class Sum:
    """An arithmetic expression and what it is worth in 32 bits; None after a division by zero."""

    text: str
    worth: int | None


def _combined(parts: tuple[Sum, str, Sum]) -> Sum:
    left, operator, right = parts
    text = f"({left.text} {operator} {right.text})"
    if left.worth is None or right.worth is None or (operator in "/%" and right.worth == 0):
        return Sum(text, None)
    one, other = left.worth, right.worth
    exact = {
        "+": one + other,
        "-": one - other,
        "*": one * other,
        "/": int(math.copysign(abs(one) // abs(other or 1), one * other)) if other else 0,
        "%": int(math.copysign(abs(one) % abs(other or 1), one)),
        "&": one & other,
        "|": one | other,
        "^": one ^ other,
    }[operator]
    return Sum(text, ctypes.c_int32(exact).value)


NUMBERS = st.one_of(st.integers(-10, 10), st.integers(-(2**31), 2**31 - 1)).map(
    lambda number: Sum(f"({number})" if number < 0 else str(number), number)
)
SUMS = st.recursive(
    NUMBERS,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "%", "&", "|", "^"]), inner).map(
        _combined
    ),
    max_leaves=8,
)


@given(SUMS)
def test_integers_calculate_as_in_32_bits(total: Sum) -> None:
    expression = parse("{" + total.text + " }")
    if total.worth is None:
        with pytest.raises(EvaluationFails):
            expression.evaluate(UNIT)
    else:
        assert expression.evaluate(UNIT) == str(total.worth)


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_operators_bind_as_in_any_language(a: int, b: int, c: int) -> None:
    piece = Properties({"a": str(a), "b": str(b), "c": str(c)})
    assert parse("{a + b * c - a * b}").evaluate(piece) == str(a + b * c - a * b)
    expected = a < b or (b < c and a != c)
    assert parse("{a < b || b < c && a != c}").evaluate(piece) == str(expected).lower()
    assert parse("{a < b ? a : b < c ? b : c}").evaluate(piece) == str(a if a < b else b if b < c else c)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_is_its_own_nearest(number: float) -> None:
    assert float32(number) == number


def test_rounding_to_a_float_happens_once() -> None:
    halfway = Fraction(1) + Fraction(1, 2**24)
    assert float32(halfway) == 1
    assert float32(halfway + Fraction(1, 2**80)) == 1 + 2**-23
    assert float32(Fraction(10) ** 60) == math.inf


ATOMS = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", "[a-c]", r"\d", r"\w", r"\.", "^", "$", "x"])
REGEXES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?", "??"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
    ),
    max_leaves=6,
)


@given(REGEXES, st.text(alphabet="abcx1.", max_size=8))
def test_regular_expressions_match_as_in_python(regex: str, text: str) -> None:
    assert Pattern.read(regex).matches(text) == bool(re.fullmatch(regex, text))


@given(REGEXES, st.text(alphabet="abcx1.", max_size=8))
def test_a_regular_expression_is_found_where_python_finds_it(regex: str, text: str) -> None:
    found = re.search(regex, text)
    pattern = Pattern.read(regex)
    if not pattern.repeats_nothing:
        assert pattern.find(text) == (found.span() if found else None)


def test_repetitions_are_greedy_unless_marked_lazy() -> None:
    assert Pattern.read("a+").find("xaaa") == (1, 4)
    assert Pattern.read("a+?").find("xaaa") == (1, 2)
    assert Pattern.read("a|ab").find("ab") == (0, 1)
    assert Pattern.read("x*").replace("abxd", "-") == "-a-b--d-"
    assert Pattern.read("[^0-9]").replace("Turn 12", "") == "12"
    assert Pattern.read("(?i)axis").matches("AXIS")


def test_where_it_is_unclear_how_much_is_taken_nothing_is_guessed() -> None:
    assert Pattern.read("(a*)*").matches("aaa")
    with pytest.raises(CannotEvaluate):
        Pattern.read("(a*)*").find("aaa")


@pytest.mark.parametrize("regex", ["(", ")", "a**", "[a", "a{x}", "*", "a\\", "[b-a]"])
def test_a_regular_expression_that_java_rejects_fails(regex: str) -> None:
    with pytest.raises(EvaluationFails):
        Pattern.read(regex)


@pytest.mark.parametrize("regex", [r"(a)\1", "(?=a)", "a*+", "[a&&b]", r"\p{L}"])
def test_a_regular_expression_with_rarities_is_not_guessed(regex: str) -> None:
    with pytest.raises(CannotEvaluate):
        Pattern.read(regex)


def _fields(archive: Path) -> Iterator[str]:
    """All attributes and all fields of traits in a module."""
    with zipfile.ZipFile(archive) as module:
        root = etree.fromstring(module.read("buildFile.xml"), etree.XMLParser(huge_tree=True))
    for element in root.iter():
        yield from map(str, element.attrib.values())
        if element.text and element.text.startswith("+/"):
            kind = sequences.decode(element.text[2:], "/")[1]
            for trait in sequences.unnest(kind, "\t"):
                yield from sequences.decode(trait, ";")


def test_every_expression_of_a_large_module_can_be_read(shared: Path) -> None:
    texts = {text.strip() for text in _fields(shared / "corpus/vmod/Cattlesquat__Nevsky__Nevsky.packed.vmod")}
    expressions = {text for text in texts if text.startswith("{") and text.endswith("}")}
    assert len(expressions) > 100
    for text in expressions:
        parse(text)
        assert parse_filter(text).names() >= parse(text).names()
    for text in texts:
        if "$" in text:
            parse(text)
