"""The elements of a build file as they stand there, whether or not anything reads them."""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Element:
    """One element: a tag (a Java class name, mostly), attributes in the order of the file, text and children.

    ``text`` is the element's own text without the blanks around it, which is all that VASSAL looks at
    [build.Builder.getText]; the blanks between children are no text. ``written`` is the document of which it
    was read as the root, if it was.
    """

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    children: tuple[Element, ...] = field(default=(), repr=False)
    written: bytes = field(default=b"", eq=False, repr=False, kw_only=True)

    def get(self, attribute: str, default: str = "") -> str:
        """The value of an attribute, or ``default`` where the element has none of that name."""
        for name, value in self.attributes:
            if name == attribute:
                return value
        return default
