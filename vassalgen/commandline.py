"""Shared by both command lines: commands imported on first use, output files, and uniform error messages."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from vassalgen.problems import BadInput, Failure, FormatError, Problem
from vassalgen.vassal.limits import Limits, parse_size

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

FINDINGS = 1
"""Exit code of a command that worked and found problems."""
UNREADABLE = 2
"""Exit code for wrong usage and for input that cannot be used."""
INTERRUPTED = 130
"""Exit code of a command stopped with Ctrl-C, as in shells; 1 would look like a finding."""
CLOSED_PIPE = 141
"""Exit code of a command whose output is read no further, as in ``| head``: that of SIGPIPE in shells."""


_MANY = 1_000_000
"""The number of new objects that triggers garbage collection: commands make many objects and few reference
cycles.
"""


@contextmanager
def closed_pipes() -> Iterator[None]:
    """End the program in silence when the reader of its output has closed it, as ``| head`` does."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno not in _CLOSED:
            raise
        for stream in (sys.stdout, sys.stderr):  # what is still buffered can go nowhere
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise SystemExit(CLOSED_PIPE) from None


class Command(click.Command):
    """A command that ends in silence, with exit code 141, when its output is read no further.

    Click itself would end with 1, which looks like a finding.
    """

    def main(self, *args: Any, **settings: Any) -> Any:
        with closed_pipes():
            return super().main(*args, **settings)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        with closed_pipes():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with closed_pipes():
            return super().invoke(ctx)


class LazyGroup(Command, click.Group):
    """A group whose commands live in modules of their own, imported only when one is used.

    ``commands_at`` gives each command's place, ``package.module:command``, and the line that the help shows.
    """

    def __init__(self, *args: Any, commands_at: dict[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands_at:
            return None
        module, _, name = self.commands_at[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return _with_debug(command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands without importing them."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - for completion only

        found = [
            CompletionItem(name, help=line)
            for name, (_, line) in self.commands_at.items()
            if name.startswith(incomplete)
        ]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.commands_at.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; bad input becomes its problems, a line each, and exit code 2.

        So does an internal error, which must not look like a finding.
        """
        gc.set_threshold(_MANY)
        atexit.register(gc.freeze)  # what a command leaves behind goes with the process, circles and all
        try:
            return super().invoke(ctx)
        except BadInput as error:
            for problem in error.problems:
                click.echo(problem, err=True)
        except OSError as error:
            click.echo(f"{error.filename or 'input'}: {error.strerror or error}", err=True)
        except MemoryError:
            click.echo("there is not enough memory for this", err=True)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            return ctx.exit(INTERRUPTED)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as error:
            show_failure(ctx, Failure.of(error))
        return ctx.exit(UNREADABLE)


_CLOSED = (errno.EPIPE, errno.EINVAL)
"""Errors raised when the reader of the output has closed it; the second is from Windows."""
_DEBUG = "debug"


def _with_debug(command: click.Command) -> click.Command:
    """Give a command the option that shows tracebacks."""

    def note(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        ctx.meta[_DEBUG] = value

    if not any(param.name == _DEBUG for param in command.params):
        words = "Show the traceback of an internal error."
        option = click.Option([f"--{_DEBUG}"], is_flag=True, expose_value=False, callback=note, help=words)
        command.params.append(option)
    return command


def show_failure(ctx: click.Context, failure: Failure, where: str = "") -> None:
    """Report an internal error on stderr, with its traceback if the user asked for it."""
    debug = ctx.meta.get(_DEBUG, False)
    words = f"internal error: {failure.error}"
    right = "" if debug else f"please report it; --{_DEBUG} shows the traceback"
    click.echo(": ".join(filter(None, (where, words, right))), err=True)
    if debug:
        click.echo(failure.trace, err=True, nl=False)


class _Size(click.ParamType[Limits]):
    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Limits:
        if isinstance(value, Limits):
            return value
        try:
            return Limits.trusting(parse_size(value))
        except FormatError as error:
            self.fail(str(error), param, ctx)


def complete_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a game, or the path of its folder."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - for completion only

    from vassalgen.game.finding import game_names  # noqa: PLC0415 - slow to import

    found = [CompletionItem(name) for name in game_names() if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="dir")]


OUTPUT = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
"""A file to write; ``-`` is standard output."""
STDOUT = Path("-")


def json_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the option ``--json FILE``, which it takes as ``json_file``."""
    words = f"Also write {what} as JSON; - prints JSON instead of text."
    return click.option("--json", "json_file", type=OUTPUT, metavar="FILE", help=words)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, or standard output for ``-``; BadInput if it cannot be written.

    It is a report of some kind: a file with the name of a module, save or log is somebody's and is not
    written over.
    """
    from vassalgen.vassal.archives import replace_file  # noqa: PLC0415 - slow to import

    if path.suffix.lower() in (".vmod", ".vsav", ".vlog"):
        wrong = "is the name of a module, a saved game or a log"
        raise BadInput(Problem(str(path), "", wrong, f"choose a name without {path.suffix}"))
    if path == STDOUT:
        click.echo(content, nl=False)
    else:
        replace_file(path, content if isinstance(content, bytes) else content.encode("utf-8", "replace"))


def keep_apart(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise BadInput if an output file is also an input file, or two output files are the same."""
    for place, path in enumerate(outputs):
        if any(_is_same(path, other) for other in inputs):
            raise BadInput(
                Problem(str(path), "", "the output would overwrite an input", "choose another name")
            )
        if any(_is_same(path, other) for other in outputs[:place]):
            raise BadInput(Problem(str(path), "", "two outputs have the same name", "choose a name for each"))


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, existing or not; devices such as /dev/null do not count."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return one.resolve() == other.resolve()


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option ``--data DIR``, which may be given several times; it gets the paths."""
    return click.option(
        "--data",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="A folder of corrections to the game's data.",
    )(command)


def limit_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option that raises how much its files may unpack to."""
    return click.option(
        "--limit",
        type=_Size(),
        default=Limits(),
        metavar="SIZE",
        help="How much the files may unpack to; raise it only for files you trust. [default: 256MB]",
    )(command)


def use_utf8(ctx: click.Context) -> None:
    """Write UTF-8 whatever the console's encoding, and never fail on a character it cannot show.

    Invisible characters that change the display, such as terminal codes, are made visible: much of the output
    was written by strangers.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
        if not isinstance(stream, Visible):
            setattr(sys, name, Visible(stream))
    ctx.color = True  # else codes of colours would be dropped before they could be made visible


class Visible:
    """A text stream that makes invisible characters visible. Text written to ``plain`` is left unchanged."""

    def __init__(self, plain: TextIO) -> None:
        self.plain = plain

    def write(self, text: str) -> int:
        """Write a text."""
        return self.plain.write(visible(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def show_progress(line: str) -> None:
    """Show a line on stderr that replaces the previous one, if stderr is a terminal; an empty text removes
    it.
    """
    plain = sys.stderr.plain if isinstance(sys.stderr, Visible) else sys.stderr
    if plain.isatty():
        click.echo(f"\r\x1b[K{visible(line)}", file=plain, nl=False)


def visible(text: str) -> str:
    r"""Return a text with control characters and direction marks spelt out as in JSON: ``\u001b``.

    >>> print(visible("plain \x1b[31m and \u202ered"))
    plain \u001b[31m and \u202ered
    """
    return _UNSEEN.sub(_spelt, text)


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def _spelt(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
