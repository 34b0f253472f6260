"""Tasks carried out on a Dask cluster, each in a process of its own with the same limits.

Each task includes its files, so that the machines need no shared folder. The loss of a worker needs no
handling here: Dask gives its tasks to another one.
"""

from __future__ import annotations

import threading
from concurrent.futures import Executor, Future
from typing import Any

from attrs import frozen

from referee.archive.tasks import Task
from referee.archive.workers import Limit, Outcome, Worker
from vassalgen.problems import BadInput, Problem

_OWN = threading.local()
_WAIT = 30


@frozen
class Cluster:
    """The workers of a cluster."""

    client: Any
    executor: Executor
    limit: Limit

    @classmethod
    def at(cls, address: str, limit: Limit) -> Cluster:
        """Connect to the cluster of a scheduler; BadInput if there is none."""
        try:
            from distributed import Client  # noqa: PLC0415 - an extra
        except ImportError:
            right = "pip install 'vassalgen[cluster]'"
            raise BadInput(Problem("--scheduler", "", "Dask is not installed", right)) from None
        try:
            client = Client(address, timeout=_WAIT)
        except (OSError, ValueError) as error:
            raise BadInput(
                Problem(
                    "--scheduler",
                    "",
                    f"no scheduler answers at {address}: {error}",
                    "the address that dask scheduler prints",
                )
            ) from None
        return cls(client, client.get_executor(pure=False), limit)

    @property
    def size(self) -> int:
        """The number of tasks carried out at once."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, task: Task) -> Future[Outcome]:
        """Submit a task to the cluster."""
        return self.executor.submit(carry_out_apart, task.packed(), self.limit)

    def end(self) -> None:
        """Disconnect from the cluster; unfinished tasks are cancelled."""
        self.executor.shutdown(wait=False)
        self.client.close()


def carry_out_apart(task: Task, limit: Limit) -> Outcome:
    """Carry out a task in a process that belongs to this thread."""
    worker = getattr(_OWN, "worker", None)
    if worker is None or worker.limit != limit:
        worker = _OWN.worker = Worker(limit)
    outcome: Outcome = worker.run(task)
    return outcome
