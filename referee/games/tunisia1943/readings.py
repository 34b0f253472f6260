"""Interpretations of open questions that the data offer and these rules do not support, with the reason."""

from __future__ import annotations

from collections.abc import Mapping

NOT_RECORDED = "neither a log nor a record shows {}"
UNSAID = "it does not say {}"
WANTING = "the data do not contain {}; --data can add them"

UNJUDGED: Mapping[str, Mapping[str, str]] = {
    "chart": {"silent": "four rulings in five depend on terrain costs: the game would not be judged at all"},
    "flooded-wadis": {"rivers-too": WANTING.format("values of rivers in flood")},
    "long-drags": {"shortest": "it would accuse players of a path that they may not have taken"},
    "stacks-move-together": {
        "barred": NOT_RECORDED.format("whether units dragged together moved one after another")
    },
    "letting-pass": {"each": NOT_RECORDED.format("which of several units let the armour pass")},
    "columns": {"half-columns": WANTING.format("results for a column 5/2")},
    "who-suffers": {"stacks": UNSAID.format("what an EM, which has no steps, would lose")},
    "too-few-steps": {
        "rest-on-retreat": UNSAID.format("which units take the loss when all that could retreat are gone")
    },
    "who-moves-losses": {"owner": NOT_RECORDED.format("which side acted when one player moves for both")},
    "order-of-losses": {
        "strict": NOT_RECORDED.format("when a loss was decided, only when it was carried out")
    },
    "hemmed-in": {"enemies": UNSAID.format("where a unit retreats between enemies and the sea")},
    "retreat-for-stacking": {"any": UNSAID.format("how far units that did not retreat must go")},
    "who-leads-retreats": {"attacker": NOT_RECORDED.format("who chose the path")},
    "length-of-line": {
        "mp": UNSAID.format("which of an EM's possible paths is measured, or by whose supply")
    },
    "supply-at-start": {"yes": UNSAID.format("whose supply check helps units that begin out of supply")},
    "support-table": {"by-turn": WANTING.format("a table of support by turn")},
    "control-of-a-harbour": {
        "entered": NOT_RECORDED.format("who was last in a harbour before the log began")
    },
}
"""By question and interpretation. Choosing one is refused, so that no player is judged by another
interpretation than the chosen one.
"""
