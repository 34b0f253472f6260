"""The elements of a build file as written, whether or not there is a class for them."""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Element:
    """One element: a tag (a Java class name, mostly), attributes in the order of the file, text and children.

    ``text`` is the element's own text without surrounding blanks, which is all that VASSAL uses
    [build.Builder.getText]; the blanks between children are not text. ``written`` is the document, if the
    element was read as its root.
    """

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    children: tuple[Element, ...] = field(default=(), repr=False)
    written: bytes = field(default=b"", eq=False, repr=False, kw_only=True)

    def get(self, attribute: str, default: str = "") -> str:
        """The value of an attribute, or ``default`` if the element does not have it."""
        for name, value in self.attributes:
            if name == attribute:
                return value
        return default
