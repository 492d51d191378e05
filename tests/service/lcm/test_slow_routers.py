"""Routers that answer slowly, or never: the worker's threads are for others too."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from django.db import connections

from tests.factories.elements import make_element, make_policy
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.session import MAX_SESSIONS
from vnfm.devices import registry
from vnfm.devices.errors import Busy, Unreachable
from vnfm.devices.ports import Cli
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget
from vnfm.elements.models import NetworkElement
from vnfm.lcm.domain.states import Operation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("devices")]

ROUTERS, THREADS = 30, 16
"""Threads as a worker has them."""


class Stuck(Devices):
    """Elements that take every connection and say nothing."""

    def __init__(self) -> None:
        self.released = threading.Event()

    @asynccontextmanager
    async def _cli(self, target: SshTarget) -> AsyncIterator[Cli]:
        await asyncio.to_thread(self.released.wait)
        raise Unreachable("It said nothing.", address=target.address)
        yield  # never: for the type's sake

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        return self._cli(target)


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    found = Stuck()
    registry.install(found)
    yield found
    found.released.set()


def load(element: NetworkElement) -> str:
    try:
        push.load(element, "configure", timeout=0)
    except (Busy, Unreachable) as error:
        return type(error).__name__
    finally:
        connections.close_all()
    return "loaded"


def test_slow_routers_do_not_stop_operations_of_others(lifecycle: Lifecycle, stuck: Stuck) -> None:
    policy = make_policy(protocol="SSH", settings={"username": "admin"})
    slow = [make_element(kind="VIRTUAL", driver="nokia-sros", ssh_policy=policy) for _ in range(ROUTERS)]
    instance = lifecycle.create()

    def operation() -> str:
        try:
            return str(lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request()).state)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as worker:
        loads = [worker.submit(load, element) for element in slow]
        try:
            assert worker.submit(operation).result(timeout=240) == "COMPLETED"
            assert not stuck.released.is_set()
        finally:
            stuck.released.set()
    came = [one.result() for one in loads]
    assert came.count("Unreachable") == MAX_SESSIONS
    assert came.count("Busy") == ROUTERS - MAX_SESSIONS, "these come again, and hold no thread meanwhile"
