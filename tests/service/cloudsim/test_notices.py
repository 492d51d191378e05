"""The simulated services on a real message bus, heard by kombu alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from kombu import Connection, Consumer, Exchange, Queue

from tests.cloudsim_process import CloudsimProcess
from tests.rabbitmq import RabbitMq
from tests.service.cloudsim.conftest import connect


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory, rabbitmq: RabbitMq) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(tmp_path_factory.mktemp("noisy"), notify_url=rabbitmq.url) as process:
        yield process


class Ears:
    """What Nova, Neutron and Heat tell, in order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.heard: list[dict[str, Any]] = []
        queues = [
            Queue(uuid4().hex, Exchange(name, "topic", durable=False), "notifications.*", exclusive=True)
            for name in ("nova", "neutron", "heat")
        ]
        self.consumer = Consumer(connection.channel(), queues, callbacks=[self._take], no_ack=True, accept=["json"])

    def _take(self, body: Any, _message: object) -> None:
        assert body["oslo.version"] == "2.0"
        self.heard.append(json.loads(body["oslo.message"]))

    def until(self, event_type: str) -> dict[str, Any]:
        for _ in range(600):
            for notification in self.heard:
                if notification["event_type"] == event_type:
                    return notification
            with suppress(TimeoutError):
                self._connection.drain_events(timeout=0.1)
        raise AssertionError(f"{event_type} was not told: {[told['event_type'] for told in self.heard]}")


@pytest.fixture
def ears(rabbitmq: RabbitMq) -> Iterator[Ears]:
    with Connection(rabbitmq.url) as connection:
        ears = Ears(connection)
        with ears.consumer:
            yield ears


def test_notifications_of_a_servers_life(noisy: CloudsimProcess, ears: Ears) -> None:
    noisy.control("POST", "/reset")
    user = connect(noisy)
    server = user.compute.create_server(
        name="vm",
        image_id=user.image.find_image("tiny").id,
        flavor_id=user.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": user.network.find_network("public").id}],
    )
    ears.until("port.create.end")
    assert ears.until("compute.instance.create.end")["payload"]["state"] == "active"
    user.compute.stop_server(server)
    told = ears.until("compute.instance.power_off.end")
    assert told["payload"]["instance_id"] == server.id
    assert told["payload"]["tenant_id"] == user.current_project_id
    assert (told["payload"]["old_task_state"], told["payload"]["state"]) == ("powering-off", "stopped")
    assert told["priority"] == "INFO"
    user.compute.delete_server(server)
    assert ears.until("compute.instance.delete.end")["payload"]["state"] == "deleted"
    order = [told["event_type"] for told in ears.heard]
    assert order.index("compute.instance.power_off.start") < order.index("compute.instance.power_off.end")


def test_notifications_of_a_stacks_life(noisy: CloudsimProcess, ears: Ears) -> None:
    template = {"heat_template_version": "2015-10-15", "resources": {"net": {"type": "OS::Neutron::Net"}}}
    user = connect(noisy)
    user.orchestration.post("/stacks", json={"stack_name": "told", "template": template})
    payload = ears.until("orchestration.stack.create.end")["payload"]
    assert (payload["stack_name"], payload["state"]) == ("told", "CREATE_COMPLETE")
    assert ears.until("orchestration.stack.create.start")["payload"]["tenant_id"] == user.current_project_id


def test_agent_reports_send_no_notification(noisy: CloudsimProcess, ears: Ears) -> None:
    user = connect(noisy)
    network = user.network.create_network(name="quiet")
    port = user.network.create_port(network_id=network.id)
    ears.until("port.create.end")
    noisy.control("POST", f"/ports/{port.id}/down")
    user.network.delete_port(port)
    ears.until("port.delete.end")
    assert [told for told in ears.heard if told["event_type"] == "port.update.end"] == []


def test_a_broker_that_is_away_holds_nothing_up(tmp_path_factory: pytest.TempPathFactory) -> None:
    with CloudsimProcess(tmp_path_factory.mktemp("deaf"), notify_url="amqp://guest:guest@127.0.0.1:1//") as process:
        user = connect(process)
        assert user.network.create_network(name="untold").id
