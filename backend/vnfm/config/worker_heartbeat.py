"""The heartbeat of the worker: one of its threads takes up work, and the loop that receives messages turns."""

import time
from concurrent.futures import Future
from threading import Event, Thread
from typing import Any

from celery import bootsteps
from celery.signals import task_postrun

TURN_SECONDS = 1.0
LOOP_SECONDS = 30.0
"""Messages are no longer received when the loop has not turned for this time."""


class WorkerHeartbeat(bootsteps.StartStopStep):
    """A thread only asks for beats: they are made by the pool that runs the tasks, and after each task."""

    requires = ("celery.worker.components:Pool", "celery.worker.components:Timer")

    def start(self, worker: Any) -> None:
        from vnfm.kit.durable import heartbeat  # noqa: PLC0415 - only now are Django's apps loaded

        heartbeat.register("worker")
        task_postrun.connect(_after_task, weak=False)
        self._turned_at, self._stopped = time.monotonic(), Event()
        worker.timer.call_repeatedly(TURN_SECONDS, self._turn)
        Thread(target=self._request_beats, args=(worker,), name="heartbeat requests", daemon=True).start()

    def stop(self, worker: Any) -> None:
        self._stopped.set()

    def _turn(self) -> None:
        self._turned_at = time.monotonic()

    def _request_beats(self, worker: Any) -> None:
        from vnfm.kit.durable import heartbeat  # noqa: PLC0415 - as above

        requested: Future[None] | None = None
        while not self._stopped.wait(heartbeat.BEAT_SECONDS):
            connected = getattr(worker.consumer, "connection", None) is not None
            turns = time.monotonic() - self._turned_at < LOOP_SECONDS
            if (requested is None or requested.done()) and (turns or not connected):
                requested = worker.pool.executor.submit(heartbeat.beat_and_close, "" if connected else "broker")


def _after_task(**_: object) -> None:
    from vnfm.kit.durable import heartbeat  # noqa: PLC0415 - as above

    heartbeat.beat_and_close()
