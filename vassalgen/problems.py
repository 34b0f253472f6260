"""Problems in users' files, reported so that they can be fixed."""

from __future__ import annotations

import traceback
from collections.abc import Iterable

from attrs import field, frozen


@frozen
class Problem:
    """One problem: the file, the place in it, what is wrong and what would be right.

    ``place`` is something that a person can find: a line, a key path, a step, an entry of an archive. It may
    be empty, as may ``right`` where nothing useful can be said.
    """

    file: str
    place: str
    wrong: str
    right: str = ""

    def __str__(self) -> str:
        """``file: place: what is wrong: what would be right``, the empty parts left out."""
        return ": ".join(part for part in (self.file, self.place, self.wrong, self.right) if part)


class BadInput(Exception):  # noqa: N818 - reads as what it says: raise BadInput
    """Input that cannot be used, with every problem found in it. Commands end with exit code 2.

    ``passing``: the reason is temporary, such as a full disk, and another attempt may succeed.
    """

    def __init__(self, problems: Problem | Iterable[Problem], *, passing: bool = False) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.passing = passing
        super().__init__("\n".join(str(problem) for problem in self.problems))


class FormatError(BadInput):
    """A text or file that violates its format: raised by decoders only.

    A decoder knows the place inside its own text; callers that know more (the entry, the file, the step) add
    it with :meth:`within`.
    """

    def __init__(
        self, wrong: str, right: str = "", *, place: str = "", file: str = "", passing: bool = False
    ) -> None:
        super().__init__(Problem(file, place, wrong, right), passing=passing)

    @property
    def problem(self) -> Problem:
        """The one problem that this error reports."""
        return self.problems[0]

    def within(self, place: str = "", *, file: str = "") -> FormatError:
        """Return the same error as seen from the caller: ``place`` is put in front of the known place."""
        inner = self.problem
        places = ", ".join(part for part in (place, inner.place) if part)
        file = file or inner.file
        return FormatError(inner.wrong, inner.right, place=places, file=file, passing=self.passing)


@frozen
class Failure:
    """A fault of this program, not of the user's file: the exception, and its traceback."""

    error: str
    trace: str = field(eq=False, repr=False)

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Record an unexpected exception. Its frames are released."""
        words = " ".join(f"{type(error).__name__}: {error}".split())
        trace = "".join(traceback.format_exception(error))
        return cls(words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}...", trace)


_LONGEST = 200
"""How many characters of an exception are shown in a line."""
