"""Tasks carried out on a Dask cluster, each in a process of its own with the same limits.

Each task takes its files with it, so that the machines need no folder in common. A worker that is lost is
none of our business: Dask hands what it had to another one.
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
        """Find the cluster of a scheduler; BadInput if there is none."""
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
        """How many tasks are carried out at once."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, task: Task) -> Future[Outcome]:
        """Hand a task to the cluster."""
        return self.executor.submit(carry_out_apart, task.packed(), self.limit)

    def end(self) -> None:
        """Leave the cluster; what is not finished is given up."""
        self.executor.shutdown(wait=False)
        self.client.close()


def carry_out_apart(task: Task, limit: Limit) -> Outcome:
    """Carry out a task in a process of this thread's own."""
    worker = getattr(_OWN, "worker", None)
    if worker is None or worker.limit != limit:
        worker = _OWN.worker = Worker(limit)
    outcome: Outcome = worker.run(task)
    return outcome
