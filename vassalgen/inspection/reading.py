"""Reading files that may be damaged: an error becomes a finding, and the rest of the file is read
nevertheless.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from vassalgen.inspection.facts import FindingKind, Versions
from vassalgen.inspection.findings import Gathering
from vassalgen.problems import FormatError, Problem
from vassalgen.vassal.commands import Command, Unknown
from vassalgen.vassal.metadata import Metadata
from vassalgen.vassal.streams import Node

M = TypeVar("M", bound=Metadata)

AT_START = "at the start"
"""The place of commands that are not in a step."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WORD = re.compile(r"[A-Za-z_]{2,20}(?=[\t:;/])")


def read(node: Node, place: str, findings: Gathering) -> Command | None:
    """The command of a node; None, and a finding, if VASSAL could not read it either."""
    try:
        command = node.command
    except FormatError as error:
        problem = error.problem
        findings.add(FindingKind.BROKEN_COMMAND, wrong(problem), place, right=problem.right)
        return None
    if type(command) is Unknown:
        findings.add(FindingKind.UNKNOWN_COMMAND, _word(command), place, serious=False)
    return command


def wrong(problem: Problem) -> str:
    """What is wrong, and where in the thing being read."""
    return ": ".join(part for part in (problem.place, problem.wrong) if part)


def _word(command: Unknown) -> str:
    """The start of an unknown command; not more, because any part of it may be a password."""
    word = _WORD.match(command.text)
    return word.group() if word else "without a name"


def metadata_of(data: Callable[[], M | None], findings: Gathering) -> M | None:
    """The metadata of a file; None if it has none, or if they are damaged, which is a finding."""
    try:
        return data()
    except FormatError as error:
        findings.add(FindingKind.BROKEN_METADATA, wrong(error.problem), right=error.problem.right)
        return None


def versions(metadata: Metadata | None) -> Versions:
    """Who wrote a file, when, and with which comment."""
    if metadata is None:
        return Versions()
    return Versions(metadata.vassal_version, _time(metadata.date_saved), metadata.description or None)


def _time(milliseconds: int | None) -> str | None:
    if not milliseconds:  # 0 is what writers put who do not know
        return None
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
