"""Where data come from: the rulebook, the printed game, or our own reconstruction."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Kind = Literal["reconstruction", "rulebook", "printed"]
KINDS: tuple[Kind, ...] = ("reconstruction", "rulebook", "printed")


@frozen
class Provenance:
    """The kind of source, the place in it, and a remark.

    Written as one text: ``printed``, ``rulebook Supply``, ``reconstruction; named in rulebook Setup``. The
    first word is the kind, the text up to a semicolon the reference, the rest a remark.
    """

    kind: Kind
    reference: str = ""
    remark: str = ""

    @classmethod
    def parse(cls, text: str) -> Provenance:
        """Parse the text form; ValueError explains the form of a provenance."""
        source, _, remark = text.partition(";")
        word, _, reference = source.strip().partition(" ")
        for kind in KINDS:
            if word == kind:
                if kind == "rulebook" and not reference.strip():
                    raise ValueError("'rulebook' needs the section it is found in, as in 'rulebook 7.3'")
                return cls(kind, reference.strip(), remark.strip())
        raise ValueError(f"{text!r} does not begin with 'rulebook', 'printed' or 'reconstruction'")

    def __str__(self) -> str:
        source = f"{self.kind} {self.reference}".strip()
        return f"{source}; {self.remark}" if self.remark else source


RECONSTRUCTION = Provenance("reconstruction")
PRINTED = Provenance("printed")


def weakest(*provenances: Provenance) -> Provenance:
    """Return the least certain of several: a verdict is only as certain as the weakest data it relies on."""
    return min(provenances, key=lambda provenance: KINDS.index(provenance.kind), default=RECONSTRUCTION)
