"""The global options and the preferences of a module."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component


@frozen(kw_only=True, repr=False)
class GlobalOptions(Component):
    """The options of the whole module. Its children are options and preferences."""

    JAVA = "VASSAL.build.module.GlobalOptions"
    description: str = attribute.optional_text()
    non_owner_unmaskable: str = attribute.word("Always", "Never", "Use Preferences Setting", default="Never")
    prompt_string: str = attribute.text("Opponents can unmask my pieces")
    auto_report: str = attribute.word("Always", "Never", "Use Preferences Setting")
    player_id_format: str = attribute.text("$PlayerName$")
    chatter_html_support: str = attribute.word("Always", "Never", default="Never", xml="chatterHTMLSupport")
    hot_keys_on_closed_windows: str = attribute.word("Always", "Never", default="Never")
    inventory_for_all: str = attribute.word("Always", "Never")
    send_to_location_move_trails: str = attribute.word("Always", "Never", default="Never")
    store_leading_zero_integers_as_strings: bool = attribute.boolean()
    purge_blank_property_prompts: bool = attribute.boolean(True)
    disable_piece_indexing: bool = attribute.boolean()
    min_max_heap: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class Option(Component):
    """A setting by name, such as the key that steps through a log; the value is the content."""

    JAVA = "option"

    name: str = attribute.text()


@frozen(kw_only=True, repr=False)
class Preference(Component):
    """A preference of the player, readable as a property. [preferences.BasicPreference]"""

    NAMED_BY = "description"

    name: str = attribute.text()
    tab: str = attribute.text()
    description: str = attribute.optional_text("desc")
    note: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class StringPreference(Preference):
    """A preference that is a text."""

    JAVA = "VASSAL.preferences.StringPreference"

    default: str = attribute.text()


@frozen(kw_only=True, repr=False)
class TextPreference(Preference):
    """A preference that is several lines of text."""

    JAVA = "VASSAL.preferences.TextPreference"

    default: str = attribute.text()


@frozen(kw_only=True, repr=False)
class IntegerPreference(Preference):
    """A preference that is an integer."""

    JAVA = "VASSAL.preferences.IntegerPreference"

    default: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class DoublePreference(Preference):
    """A preference that is a number."""

    JAVA = "VASSAL.preferences.DoublePreference"

    default: float = attribute.double(0.0)


@frozen(kw_only=True, repr=False)
class BooleanPreference(Preference):
    """A preference that is on or off."""

    JAVA = "VASSAL.preferences.BooleanPreference"

    default: bool = attribute.boolean()


@frozen(kw_only=True, repr=False)
class EnumPreference(Preference):
    """A preference chosen from a list."""

    JAVA = "VASSAL.preferences.EnumPreference"

    default: str = attribute.text()
    list: tuple[str, ...] = attribute.texts()
