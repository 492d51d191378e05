"""A worker that serves worker requests without a broker."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def serving(task: Callable[[str], None]) -> Iterator[None]:
    """Runs `task` on each worker request that waits, as the Celery worker would."""
    from django.db import connections

    from vnfm.kit.models import WorkerRequest

    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            for request_id in WorkerRequest.objects.filter(state="waiting").values_list("id", flat=True):
                task(str(request_id))
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
