"""The message bus of a cloud, on a real broker: news brings the look forward; what is wrong with the bus is told."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cloudsim_process import CloudsimProcess
from tests.rabbitmq import RabbitMq
from tests.service.watching import deploy, look, until, vim_of, vnfc
from tests.tcp_relay import TcpRelay
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimLook, VimPush, VnfInstance
from vnfm.inventory.push_services import bus_drop, bus_set
from vnfm.inventory.reconcilers.watch import Watcher
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
NEVER = 600.0
"""Polling so seldom that what is seen was rung for."""


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
    made = deploy(connect(vim), vim, "iom-1", "iom-2")
    look(vim, connect(vim))
    VimLook.objects.update(changed_at=None)
    return made


@pytest.fixture
def watching(instance: VnfInstance, connect: Callable[[Vim], Cloud]) -> Iterator[None]:
    stop = threading.Event()
    watcher = Watcher(
        period_seconds=NEVER,
        connect=connect,
        open_bus=OpenStackProvider().bus,
        after_look=lambda *_: None,
        operation_runs=lambda _: False,
    )
    thread = threading.Thread(target=watcher.run, args=(stop,), daemon=True)
    thread.start()
    yield
    stop.set()
    thread.join(20)
    assert not thread.is_alive()


def listen(vim: Vim, url: str, *, exchanges: tuple[str, ...] = ("nova", "neutron", "heat"), queue: str = "") -> None:
    push = VimPush.objects.filter(vim=vim).first() or VimPush(vim=vim)
    bus_set(push=push, url=url, exchanges=exchanges, topic="notifications", queue=queue)


def told(vim: Vim, listening: str, reason: str) -> VimPush:
    """Wait until that is what is said of the bus."""
    known = VimPush.objects.filter(vim=vim, listening=listening, listening_reason=reason)
    return until(known.first, f"{listening} {reason}", seconds=40)


@pytest.mark.usefixtures("watching")
def test_a_vm_that_is_stopped_is_seen_without_polling(
    instance: VnfInstance, noisy: CloudsimProcess, rabbitmq: RabbitMq
) -> None:
    vim = Vim.objects.get()
    listen(vim, rabbitmq.url)
    push = told(vim, "True", "Listening")
    assert push.listening_since is not None
    for action, status in (("stop", "SHUTOFF"), ("start", "ACTIVE"), ("delete", "MISSING")):
        noisy.control("POST", f"/servers/{vnfc('iom-1').server_id}/{action}")
        until(lambda status=status: vnfc("iom-1").status == status, f"the VM to be {status}", seconds=10)
    heard_at = VimPush.objects.get(vim=vim).heard_at
    assert heard_at is not None
    bus_drop(push=VimPush.objects.get(vim=vim))
    assert VimPush.objects.get(vim=vim).listening == "Unknown"


@pytest.mark.usefixtures("watching", "instance")
def test_a_network_that_breaks_is_told_and_listening_goes_on_after_it(
    noisy: CloudsimProcess, rabbitmq: RabbitMq
) -> None:
    vim = Vim.objects.get()
    with TcpRelay(rabbitmq.port) as relay:
        listen(vim, f"rabbit://guest:guest@127.0.0.1:{relay.port}/")
        since = told(vim, "True", "Listening").listening_since
        relay.cut()
        assert told(vim, "False", "Unreachable").listening_message
        relay.mend()
        again = told(vim, "True", "Listening").listening_since
        assert since is not None
        assert again is not None
        assert again > since
        noisy.control("POST", f"/servers/{vnfc('iom-1').server_id}/stop")
        until(lambda: vnfc("iom-1").status == "SHUTOFF", "the VM to be seen down", seconds=10)


@pytest.mark.usefixtures("watching", "instance")
def test_what_is_wrong_with_a_bus_is_told(rabbitmq: RabbitMq) -> None:
    vim = Vim.objects.get()
    listen(vim, f"rabbit://guest:wrong@127.0.0.1:{rabbitmq.port}/")
    assert "wrong" not in told(vim, "False", "Refused").listening_message
    listen(vim, "rabbit://guest:guest@127.0.0.1:1/")
    told(vim, "False", "Unreachable")
    listen(vim, rabbitmq.url, queue="nobody-made-it")
    assert "nobody-made-it" in told(vim, "False", "NothingToHear").listening_message
    listen(vim, rabbitmq.url, exchanges=("zaqar",))
    assert "zaqar" in told(vim, "False", "NothingToHear").listening_message
    listen(vim, rabbitmq.url, exchanges=("nova", "zaqar"))
    assert "no exchange zaqar" in told(vim, "True", "Listening").listening_message
    one_down = f"rabbit://guest:guest@127.0.0.1:1,guest:guest@127.0.0.1:{rabbitmq.port}/"
    listen(vim, one_down)
    told(vim, "True", "Listening")
