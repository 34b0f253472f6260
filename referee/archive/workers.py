"""Tasks carried out in separate processes, each with limits of time and memory.

A worker is a Python process that reads tasks from its standard input and writes outcomes to its standard
output. If a worker breaks, its current task is to blame; a task that fails in a worker that has carried out
others is tried again in a new one.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import IO, Any

from attrs import define, field, frozen

from referee.archive.tasks import Task
from vassalgen.problems import BadInput, Failure

_LENGTH = 8
_MANY = 1_000_000
"""As on the command line: garbage is collected after so many new objects."""


@frozen
class Limit:
    """The time limit of a task in seconds, and its memory limit in bytes; 0 for no limit."""

    seconds: float = 600.0
    memory: int = 2 * 2**30


@frozen
class Outcome:
    """The outcome of a task: a ``value``, or what is ``wrong``.

    ``passing``: another attempt may succeed, so the outcome is not stored. ``broke``: the process ended or
    ran out of memory.
    """

    value: Any = None
    wrong: str = ""
    passing: bool = False
    broke: bool = False


@define
class Worker:
    """A process that carries out one task at a time."""

    limit: Limit
    done: int = 0
    closed: bool = False
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def run(self, task: Task) -> Outcome:
        """Carry out a task."""
        has_worked = self.done > 0
        outcome = self._run(task)
        if outcome.broke and has_worked and not self.closed:
            self.end()
            outcome = self._run(task)
        return outcome

    def _run(self, task: Task) -> Outcome:
        process = self._started()
        assert process.stdin and process.stdout
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self.limit.seconds, stop) if self.limit.seconds else None
        if timer:
            timer.daemon = True
            timer.start()
        outcome = None
        try:
            _send(process.stdin, task)
            outcome = _receive(process.stdout)
        except (OSError, EOFError, ValueError):
            pass
        finally:
            if timer:
                timer.cancel()
        self.done += 1
        if outcome is None:
            code = process.wait()
            self.end()
            if late.is_set():
                return Outcome(wrong=f"took longer than {self.limit.seconds:g} s")
            return Outcome(wrong=_how_it_ended(code), broke=True)
        assert isinstance(outcome, Outcome)
        if outcome.broke:
            self.end()
        return outcome

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self.done = 0
            command = [sys.executable, "-m", "referee.archive.workers", str(self.limit.memory)]
            self._process = subprocess.Popen(  # noqa: S603 - this Python and this module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        return self._process

    def __del__(self) -> None:
        """End the process when its thread ends, as threads of a cluster do."""
        self.end()

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    if stream:
                        stream.close()


def _how_it_ended(code: int) -> str:
    if code < 0:
        with suppress(ValueError):
            name = signal.Signals(-code).name
            likely = ", likely because there was not enough memory" if name == "SIGKILL" else ""
            return f"the process that judged it was ended by {name}{likely}"
    return f"the process that judged it ended with code {code}"


@define
class LocalWorkers:
    """Workers on this machine, one for each job."""

    jobs: int
    limit: Limit
    _workers: list[Worker] = field(factory=list)
    _own: threading.local = field(factory=threading.local)
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.jobs, thread_name_prefix="worker")

    @property
    def size(self) -> int:
        """The number of tasks carried out at once."""
        return self.jobs

    def submit(self, task: Task) -> Future[Outcome]:
        """Submit a task to the next free worker."""
        return self._pool.submit(self._run, task)

    def _run(self, task: Task) -> Outcome:
        worker = getattr(self._own, "worker", None)
        if worker is None:
            worker = self._own.worker = Worker(self.limit)
            self._workers.append(worker)
        outcome: Outcome = worker.run(task)
        return outcome

    def end(self) -> None:
        """Stop all workers; unfinished tasks are lost."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.closed = True
            worker.end()
        self._pool.shutdown()


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _send(stream: IO[bytes], value: object) -> None:
    data = pickle.dumps(value)
    stream.write(len(data).to_bytes(_LENGTH, "big"))
    stream.write(data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    """Receive a value from the other side. Both sides are this program."""
    return pickle.loads(_read(stream, int.from_bytes(_read(stream, _LENGTH), "big")))  # noqa: S301


def _read(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def attempt(task: Task) -> Outcome:
    """Carry out a task in this process."""
    from referee.archive.judging import carry_out  # noqa: PLC0415 - the parent does without the rules

    try:
        return Outcome(carry_out(task))
    except BadInput as error:
        return Outcome(wrong=str(error), passing=error.passing)
    except OSError as error:
        return Outcome(wrong=f"{error.filename or task.name}: {error.strerror or error}", passing=True)
    except MemoryError:
        return Outcome(wrong="not enough memory", broke=True)
    except Exception as error:
        return Outcome(wrong=f"internal error: {Failure.of(error).error}: please report it")


@contextmanager
def _own_output() -> Iterator[IO[bytes]]:
    """Reserves standard output for outcomes: everything else that is printed goes to standard error."""
    with os.fdopen(os.dup(1), "wb") as stream:
        os.dup2(2, 1)
        yield stream


def work(memory: int) -> None:
    """Carry out tasks as they arrive, within a memory limit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(_MANY)
    if memory:
        with suppress(ImportError, OSError, ValueError):
            import resource  # noqa: PLC0415 - not on Windows

            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with _own_output() as out, suppress(EOFError, BrokenPipeError):
        while True:
            _send(out, attempt(_receive(sys.stdin.buffer)))


if __name__ == "__main__":
    # Values that are sent must be named by this module and not by __main__.
    import_module("referee.archive.workers").work(int(sys.argv[1]))
