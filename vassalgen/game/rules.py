"""The rules in words: clauses, and the rulings on what they leave open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

Judged = Literal["enforced", "scored", "definition", "advisory"]
JUDGED: tuple[Judged, ...] = ("enforced", "scored", "definition", "advisory")


@frozen
class Clause:
    """One rule in our own words. ``judged`` says how the referee treats it.

    enforced: breaches are found; scored: a computed value is compared; definition: used by other clauses;
    advisory: left to the players. ``same`` is the clause that says the same in another place of the rulebook:
    a finding that cites one of them cites the other.
    """

    id: str
    title: str
    judged: Judged
    text: str
    same: str = ""


@frozen
class Reading:
    """One answer to a ruling's question, and where it comes from."""

    id: str
    text: str
    source: str


@frozen
class Ruling:
    """A question that the rules leave open, the readings of it, and the adopted one."""

    id: str
    clauses: tuple[str, ...]
    question: str
    adopted: str
    readings: Mapping[str, Reading] = field(hash=False)

    @property
    def reading(self) -> Reading:
        """The adopted reading."""
        return self.readings[self.adopted]
