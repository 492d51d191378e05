"""Notifications of the simulated services on a real message bus, read with kombu."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from kombu import Connection, Consumer, Exchange, Queue

from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.rabbitmq import RabbitMq


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory, rabbitmq: RabbitMq) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(tmp_path_factory.mktemp("noisy"), notify_url=rabbitmq.url) as process:
        yield process


class NotificationListener:
    """Notifications of Nova, Neutron and Heat, in order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.received: list[dict[str, Any]] = []
        queues = [
            Queue(uuid4().hex, Exchange(name, "topic", durable=False), "notifications.*", exclusive=True)
            for name in ("nova", "neutron", "heat")
        ]
        self.consumer = Consumer(connection.channel(), queues, callbacks=[self._take], no_ack=True, accept=["json"])

    def _take(self, body: Any, _message: object) -> None:
        assert body["oslo.version"] == "2.0"
        self.received.append(json.loads(body["oslo.message"]))

    def until(self, event_type: str) -> dict[str, Any]:
        for _ in range(600):
            for notification in self.received:
                if notification["event_type"] == event_type:
                    return notification
            with suppress(TimeoutError):
                self._connection.drain_events(timeout=0.1)
        raise AssertionError(f"{event_type} was not sent: {[each['event_type'] for each in self.received]}")


@pytest.fixture
def listener(rabbitmq: RabbitMq) -> Iterator[NotificationListener]:
    with Connection(rabbitmq.url) as connection:
        listener = NotificationListener(connection)
        with listener.consumer:
            yield listener


def test_notifications_of_a_servers_life(noisy: CloudsimProcess, listener: NotificationListener) -> None:
    noisy.control("POST", "/reset")
    user = connect(noisy)
    server = user.compute.create_server(
        name="vm",
        image_id=user.image.find_image("tiny").id,
        flavor_id=user.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": user.network.find_network("public").id}],
    )
    listener.until("port.create.end")
    assert listener.until("compute.instance.create.end")["payload"]["state"] == "active"
    user.compute.stop_server(server)
    sent = listener.until("compute.instance.power_off.end")
    assert sent["payload"]["instance_id"] == server.id
    assert sent["payload"]["tenant_id"] == user.current_project_id
    assert (sent["payload"]["old_task_state"], sent["payload"]["state"]) == ("powering-off", "stopped")
    assert sent["priority"] == "INFO"
    user.compute.delete_server(server)
    assert listener.until("compute.instance.delete.end")["payload"]["state"] == "deleted"
    order = [sent["event_type"] for sent in listener.received]
    assert order.index("compute.instance.power_off.start") < order.index("compute.instance.power_off.end")


def test_notifications_of_a_stacks_life(noisy: CloudsimProcess, listener: NotificationListener) -> None:
    template = {"heat_template_version": "2015-10-15", "resources": {"net": {"type": "OS::Neutron::Net"}}}
    user = connect(noisy)
    user.orchestration.post("/stacks", json={"stack_name": "sent", "template": template})
    payload = listener.until("orchestration.stack.create.end")["payload"]
    assert (payload["stack_name"], payload["state"]) == ("sent", "CREATE_COMPLETE")
    assert listener.until("orchestration.stack.create.start")["payload"]["tenant_id"] == user.current_project_id


def test_agent_reports_send_no_notification(noisy: CloudsimProcess, listener: NotificationListener) -> None:
    user = connect(noisy)
    network = user.network.create_network(name="quiet")
    port = user.network.create_port(network_id=network.id)
    listener.until("port.create.end")
    noisy.control("POST", f"/ports/{port.id}/down")
    user.network.delete_port(port)
    listener.until("port.delete.end")
    assert [sent for sent in listener.received if sent["event_type"] == "port.update.end"] == []


def test_a_broker_that_is_away_holds_nothing_up(tmp_path_factory: pytest.TempPathFactory) -> None:
    with CloudsimProcess(tmp_path_factory.mktemp("deaf"), notify_url="amqp://guest:guest@127.0.0.1:1//") as process:
        user = connect(process)
        assert user.network.create_network(name="untold").id
