"""A poller of network elements, in a thread of the test's process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from vnfm.devices.provider import Devices
from vnfm.elements.reconcilers.poller import Poller


@contextmanager
def polling(period_seconds: float = 0.3) -> Iterator[None]:
    """Elements are polled for the length of the block."""
    stop = threading.Event()
    thread = threading.Thread(target=Poller(devices=Devices(), period_seconds=period_seconds).run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(20)
        assert not thread.is_alive()
