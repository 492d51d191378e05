"""The message bus of a cloud, on a real broker: a notification requests a poll; errors of the bus are reported."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.service.watching import deploy, poll, vim_of, vnfc
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.rabbitmq import RabbitMq
from tests.support.tcp_relay import TcpRelay
from tests.support.waiting import until
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimNotifications, VimPollState, VnfInstance
from vnfm.inventory.reconcilers.vim_watcher import VimWatcher
from vnfm.inventory.services.notifications import bus_delete, bus_set
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
NEVER = 600.0
"""Polling so rarely that a poll must have been requested."""


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory, rabbitmq: RabbitMq) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(Path(tmp_path_factory.mktemp("noisy")), notify_url=rabbitmq.url) as process:
        yield process


@pytest.fixture
def connect(noisy: CloudsimProcess) -> Callable[[Vim], Cloud]:
    provider = OpenStackProvider()
    credentials = connection_named(noisy.clouds_yaml.read_text(), "cloudsim")
    return lambda _: provider.connect(credentials)


@pytest.fixture
def instance(noisy: CloudsimProcess, connect: Callable[[Vim], Cloud]) -> VnfInstance:
    noisy.control("POST", "/reset")
    vim = vim_of(noisy)
    row = deploy(connect(vim), vim, "iom-1", "iom-2")
    poll(vim, connect(vim))
    VimPollState.objects.update(changed_at=None)
    return row


@pytest.fixture
def watching(instance: VnfInstance, connect: Callable[[Vim], Cloud]) -> Iterator[None]:
    stop = threading.Event()
    watcher = VimWatcher(
        period_seconds=NEVER,
        connect=connect,
        open_bus=OpenStackProvider().bus,
        after_poll=lambda *_: None,
        operation_runs=lambda _: False,
    )
    thread = threading.Thread(target=watcher.run, args=(stop,), daemon=True)
    thread.start()
    yield
    stop.set()
    thread.join(20)
    assert not thread.is_alive()


def listen(vim: Vim, url: str, *, exchanges: tuple[str, ...] = ("nova", "neutron", "heat"), queue: str = "") -> None:
    settings = VimNotifications.objects.filter(vim=vim).first() or VimNotifications(vim=vim)
    bus_set(settings=settings, url=url, exchanges=exchanges, topic="notifications", queue=queue)


def wait_for_status(vim: Vim, listening: str, reason: str) -> VimNotifications:
    """Wait until this is the status of the bus."""
    known = VimNotifications.objects.filter(vim=vim, listening=listening, listening_reason=reason)
    return until(known.first, f"{listening} {reason}", seconds=40)


@pytest.mark.usefixtures("watching")
def test_notifications_request_polls(instance: VnfInstance, noisy: CloudsimProcess, rabbitmq: RabbitMq) -> None:
    vim = Vim.objects.get()
    listen(vim, rabbitmq.url)
    settings = wait_for_status(vim, "True", "Listening")
    assert settings.listening_since is not None
    for action, status in (("stop", "SHUTOFF"), ("start", "ACTIVE"), ("delete", "MISSING")):
        noisy.control("POST", f"/servers/{vnfc('iom-1').server_id}/{action}")
        until(lambda status=status: vnfc("iom-1").status == status, f"the VM to be {status}", seconds=10)
    received_at = VimNotifications.objects.get(vim=vim).received_at
    assert received_at is not None
    bus_delete(settings=VimNotifications.objects.get(vim=vim))
    assert VimNotifications.objects.get(vim=vim).listening == "Unknown"


@pytest.mark.usefixtures("watching", "instance")
def test_a_lost_connection_is_reported_and_restored(noisy: CloudsimProcess, rabbitmq: RabbitMq) -> None:
    vim = Vim.objects.get()
    with TcpRelay(rabbitmq.port) as relay:
        listen(vim, f"rabbit://guest:guest@127.0.0.1:{relay.port}/")
        since = wait_for_status(vim, "True", "Listening").listening_since
        relay.cut()
        assert wait_for_status(vim, "False", "Unreachable").listening_message
        relay.mend()
        again = wait_for_status(vim, "True", "Listening").listening_since
        assert since is not None
        assert again is not None
        assert again > since
        noisy.control("POST", f"/servers/{vnfc('iom-1').server_id}/stop")
        until(lambda: vnfc("iom-1").status == "SHUTOFF", "the VM to be down", seconds=10)


@pytest.mark.usefixtures("watching", "instance")
def test_errors_of_a_bus_are_reported(rabbitmq: RabbitMq) -> None:
    vim = Vim.objects.get()
    listen(vim, f"rabbit://guest:wrong@127.0.0.1:{rabbitmq.port}/")
    assert "wrong" not in wait_for_status(vim, "False", "Refused").listening_message
    listen(vim, "rabbit://guest:guest@127.0.0.1:1/")
    wait_for_status(vim, "False", "Unreachable")
    listen(vim, rabbitmq.url, queue="no-such-queue")
    assert "no-such-queue" in wait_for_status(vim, "False", "NothingToListenTo").listening_message
    listen(vim, rabbitmq.url, exchanges=("zaqar",))
    assert "zaqar" in wait_for_status(vim, "False", "NothingToListenTo").listening_message
    listen(vim, rabbitmq.url, exchanges=("nova", "zaqar"))
    assert "no exchange zaqar" in wait_for_status(vim, "True", "Listening").listening_message
    one_down = f"rabbit://guest:guest@127.0.0.1:1,guest:guest@127.0.0.1:{rabbitmq.port}/"
    listen(vim, one_down)
    wait_for_status(vim, "True", "Listening")
