"""The readings of open questions that the data offer and these rules cannot judge by."""

from __future__ import annotations

from collections.abc import Mapping

UNJUDGED: Mapping[str, tuple[str, ...]] = {
    "armour-of-the-side-shown": ("counter",),
    "second-counter": ("fresh",),
    "order-of-the-end": ("free",),
    "chart": ("silent",),
    "flooded-wadis": ("rivers-too",),
    "long-drags": ("shortest",),
    "stacks-move-together": ("barred",),
    "one-hex-always": ("last-step",),
    "letting-pass": ("each",),
    "declining-to-go-on": ("no",),
    "columns": ("half-columns",),
    "ends-of-the-table": ("no-effect",),
    "who-suffers": ("stacks",),
    "too-few-steps": ("rest-on-retreat",),
    "surrendering-units": ("one-counter",),
    "who-moves-losses": ("owner",),
    "order-of-losses": ("strict",),
    "hemmed-in": ("enemies",),
    "retreat-for-stacking": ("any",),
    "who-leads-retreats": ("attacker",),
    "length-of-line": ("mp",),
    "em-face-out-of-supply": ("yes",),
    "supply-at-start": ("yes",),
    "cut-off-defence": ("reduced",),
    "secrecy": ("never",),
    "support-table": ("by-turn",),
    "control-of-a-harbour": ("entered",),
    "withdrawn-aviation": ("german",),
}
"""By ruling. To adopt one of them is refused, so that nobody is judged by another reading unawares."""
