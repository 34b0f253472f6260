"""What is wrong with a user's file, said so that it can be mended."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen


@frozen
class Problem:
    """One fault: the file, the place in it, what is wrong and what would be right.

    ``place`` is whatever a person can find: a line, a key path, a step, an entry of an archive. It may be
    empty, as may ``right`` where nothing useful can be said.
    """

    file: str
    place: str
    wrong: str
    right: str = ""

    def __str__(self) -> str:
        """``file: place: what is wrong: what would be right``, the empty parts left out."""
        return ": ".join(part for part in (self.file, self.place, self.wrong, self.right) if part)


class BadInput(Exception):  # noqa: N818 - reads as what it says: raise BadInput
    """Input that cannot be used, with every problem found in it. Commands end with exit code 2."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class FormatError(BadInput):
    """A text or file that breaks its format: raised by every decoder and by no one else.

    A decoder knows the place inside its own text; callers that know more (the entry, the file, the step) add
    it with :meth:`within`.
    """

    def __init__(self, wrong: str, right: str = "", *, place: str = "", file: str = "") -> None:
        super().__init__(Problem(file, place, wrong, right))

    @property
    def problem(self) -> Problem:
        """The one problem this error is about."""
        return self.problems[0]

    def within(self, place: str = "", *, file: str = "") -> FormatError:
        """Return the same error seen from outside: ``place`` is put in front of the place known so far."""
        inner = self.problem
        places = ", ".join(part for part in (place, inner.place) if part)
        return FormatError(inner.wrong, inner.right, place=places, file=file or inner.file)
