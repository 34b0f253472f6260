"""Running a case, in this process or in one of its own; not on Windows, which has no fork."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import frozen

from vassalgen.problems import BadInput

LONGEST = 60
"""The CPU time in seconds after which a case is stopped."""
MB = 1024
"""Kilobytes, the unit of memory of the operating system, in an MB."""

Trial = Callable[[random.Random], None]
"""Runs one case; the exception that it raises is its outcome."""


@frozen
class Outcome:
    """The outcome of a case: read, refused, or the unexpected error; seconds, and MB more than before."""

    refused: bool = False
    error: str = ""
    seconds: float = 0.0
    memory: int = 0


class UnjudgedError(Exception):
    """Something could not be judged, because a rule or a reader failed; its text is the traceback."""


class _TooLongError(Exception):
    """A case takes longer than allowed."""


def tried(trial: Trial, kind: str, seed: int) -> Outcome:
    """Try a case in this process."""
    rng = random.Random(f"{kind} {seed}")  # noqa: S311 - the same cases every time
    started, before = time.process_time(), _memory()
    refused, error = False, ""
    try:
        with _stopped_after(LONGEST):
            trial(rng)
    except BadInput:
        refused = True
    except UnjudgedError as caught:
        error = f"{seed}: {_last(str(caught))}"
    except Exception as caught:
        error = f"{seed}: {_last(''.join(traceback.format_exception(caught)))}"
    return Outcome(refused, error, time.process_time() - started, _memory() - before)


def tried_apart(trial: Trial, kind: str, seed: int) -> Outcome:
    """Run a case in a forked process."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        found = tried(trial, kind, seed)
        with os.fdopen(writes, "w") as stream:
            json.dump([found.refused, found.error, found.seconds, found.memory], stream)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as stream:
        said = stream.read()
    _, status = os.waitpid(child, 0)
    if said:
        return Outcome(*json.loads(said))
    return Outcome(error=f"{seed}: the process ended with {os.waitstatus_to_exitcode(status)}")


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLongError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _memory() -> int:
    """The peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // MB


def _last(trace: str) -> str:
    """Where an error was raised, and its type."""
    lines = [line.strip() for line in trace.strip().splitlines()]
    where = [line for line in lines if line.startswith("File ")]
    return f"{lines[-1][:200]} ({where[-1][:200] if where else 'nowhere'})"
