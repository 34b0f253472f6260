"""The images of a module, found by the names that components and pieces use for them."""

from __future__ import annotations

import unicodedata

from vassalgen.inspection.facts import FindingKind, Size
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.reading import wrong
from vassalgen.problems import FormatError
from vassalgen.vassal.archives import Archive

FOLDER = "images/"
_LOCALIZED = "images_"
_RESOURCE = "/images/"

OWN = frozenset((
    "Edit16.gif", "Help16.gif", "Save16.gif", "SaveAs16.gif", "Splash.gif", "Splash.png",
    "StepForward16.gif", "Undo16.gif", "VASSAL-256x256.png", "black.jpg", "camera.gif", "chart.gif",
    "chess_clock.png", "connect.gif", "counter.gif", "die.gif", "disconnect.gif", "getMessages.gif",
    "globe_selected.gif", "globe_unselected.gif", "inventory.gif", "keyCommand.gif", "lockedRoom.gif",
    "map.gif", "mm-extension-active.png", "mm-extension-inactive.png", "mm-file.png",
    "mm-gamefolder-closed.png", "mm-gamefolder-open.png", "mm-module.png", "moved.gif", "notes.gif",
    "overview.gif", "playerAway.gif", "playerLooking.gif", "postMessage.gif", "recenter.gif", "status.gif",
    "thread.gif", "unmoved.gif", "zoom.png", "zoomIn.gif", "zoomIn.png", "zoomOut.gif", "zoomOut.png",
))  # fmt: skip
"""The images that come with VASSAL 3.7; modules call them ``/images/die.gif``, or just ``die.gif``."""


class Pictures:
    """The images of one archive. [tools.DataArchive.getInputStream, i18n.I18nResourcePathFinder]"""

    def __init__(self, archive: Archive, findings: Gathering) -> None:
        self._archive = archive
        self._findings = findings
        self._sizes: dict[str, Size | None] = {}
        self.entries: dict[str, str] = {}
        """The entry of each image by its name within ``images/`` or a folder of translations."""
        for entry in archive.names:
            name = name_of(entry)
            if name and (name not in self.entries or entry.startswith(FOLDER)):
                self.entries[name] = entry
        self._by_lower_case = {name.lower(): name for name in self.entries}

    def find(self, name: str) -> str | None:
        """The name within ``images/`` of the image that VASSAL shows for a name; None if there is none.

        For an image of VASSAL's own the name is returned unchanged.
        """
        if name.startswith("/"):
            known = name.removeprefix(_RESOURCE) in OWN or not name.startswith(_RESOURCE)
            return name if known else None
        for spelling in (name, unicodedata.normalize("NFD", name)):
            if spelling in self.entries:
                return spelling
        if name in OWN:
            return name
        if f"{name}.gif" in self.entries:
            return f"{name}.gif"
        return name if f"{name}.gif" in OWN else None

    def nearly(self, name: str) -> str | None:
        """An image whose name differs from a missing one's only in case."""
        return self._by_lower_case.get(name.lower())

    def size(self, name: str) -> Size | None:
        """The size of an image; None, and a finding, if it has none. Missing images are not reported here."""
        if name not in self._sizes:
            self._sizes[name] = self._read_size(name)
        return self._sizes[name]

    def _read_size(self, name: str) -> Size | None:
        from vassalgen.vassal import images  # noqa: PLC0415 - modules without boards do without it

        found = self.find(name)
        if found is None or found not in self.entries:
            return None
        try:
            return images.image_size(self._archive, self.entries[found])
        except FormatError as error:
            problem = error.problem
            self._findings.add(FindingKind.UNREADABLE_IMAGE, name, wrong(problem), right=problem.right)
            return None


def name_of(entry: str) -> str:
    """The module's name for the image in an entry; empty if the entry is not an image.

    Entries of ``images_de/`` are translations of those in ``images/``.
    """
    if entry.startswith(FOLDER):
        return entry.removeprefix(FOLDER)
    return entry.partition("/")[2] if entry.startswith(_LOCALIZED) else ""
