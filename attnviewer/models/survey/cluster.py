"""Batches that are computed by a cluster."""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from socket import create_connection
from typing import Any

from attnviewer.models.optional_libraries import distributed_for
from attnviewer.models.survey.workers import MOST_LOSSES, WorkersError

TIMEOUT = 10
"""Seconds to wait for the scheduler."""


class Cluster:
    """The workers of a scheduler of ``dask.distributed``, as `Workers`.

    A batch whose worker is lost is computed by another one. The workers need the same
    version of this package, and the model under the same path.

    Parameters
    ----------
    address : str
        The scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises
    ------
    ImportError
        If distributed is not installed.
    WorkersError
        If no scheduler answers in time, or it has no workers.
    """

    def __init__(self, address: str) -> None:
        self._library = distributed_for("survey")
        try:
            self._knock(address)
            self._client = self._library.Client(
                address, timeout=TIMEOUT, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise WorkersError(
                f"No scheduler answers at '{address}': {error}"
            ) from None
        threads = sum(self._client.nthreads().values())
        if not threads:
            self._client.close()
            raise WorkersError(f"The scheduler at {address} has no workers yet.")
        self.at_once = 2 * threads

    def _knock(self, address: str) -> None:
        """Connect to a scheduler and hang up, which a client would do for long.

        Raises
        ------
        OSError
            If nothing answers.
        ValueError
            If it is no address.
        """
        if not address.startswith("inproc:"):  # in this process
            place = self._library.comm.get_address_host_port(address, strict=True)
            create_connection(place, TIMEOUT).close()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def share(self, content: object) -> Any:
        """Send something to all workers; return its future, for `submit`.

        Raises
        ------
        WorkersError
            If workers are lost again and again meanwhile.
        """
        for _ in range(1 + MOST_LOSSES):
            try:
                return self._client.scatter(content, broadcast=True, hash=False)
            except (KeyError, OSError) as error:  # a worker was lost on the way
                reason = str(error)
        raise WorkersError(f"The workers of the cluster ended: {reason}")

    def submit(self, compute: Callable[..., Any], *given: Any) -> Any:
        """Hand over a call and return its future; futures are given as their result."""
        return self._client.submit(compute, *given, pure=False)

    def finished(self, futures: Sequence[Any]) -> Sequence[Any]:
        try:
            with self._client.as_current():
                found = self._library.wait(futures, return_when="FIRST_COMPLETED")
        except OSError as error:
            raise WorkersError(f"The scheduler does not answer: {error}") from None
        except CancelledError:  # what some needed was lost with a worker
            return [future for future in futures if future.done()]
        return list(found.done)

    def result(self, future: Any) -> Any:
        try:
            return future.result()
        except CancelledError:  # what it needed was lost with a worker
            return None
        except self._library.scheduler.KilledWorker as error:
            raise WorkersError(f"The workers of the cluster ended: {error}") from None
