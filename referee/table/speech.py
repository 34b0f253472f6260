"""Events in plain words, with the marks of HTML and of VASSAL's chat taken out."""

from __future__ import annotations

import html
import re

from referee.table.events import Chatted, Event, Reported

_QUICK_COLOUR = re.compile(r"^([*-] ?)[|!?~`]")
_TAG = re.compile(
    r"</?(b|i|u|s|em|strong|big|small|font|span|div|p|br|hr|img|a|sub|sup|table|tr|td|th)\b[^<>]*>", re.I
)
_SPEAKER = re.compile(r"^(<.*?>|&lt;.*?&gt;) - ")


def plain(text: str) -> str:
    """A report as it reads: no entities, no tags, no colour sign. [module.Chatter, tools.QuickColors]"""
    return html.unescape(_TAG.sub("", _QUICK_COLOUR.sub(r"\1", text))).strip()


def words(text: str) -> str:
    """What a player said, without the name that VASSAL puts in front."""
    return html.unescape(_SPEAKER.sub("", text)).strip()


def spoken(event: Event) -> str:
    """An event as a line."""
    match event:
        case Chatted():
            return str(Chatted(text=words(event.text)))
        case Reported():
            return str(Reported(text=plain(event.text)))
    return str(event)
