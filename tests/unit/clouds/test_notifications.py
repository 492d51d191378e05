"""Messages of the bus, as oslo.messaging writes them."""

import json
from typing import Any

import pytest

from vnfm.clouds.openstack.bus import read_notification
from vnfm.clouds.types import OsloNotification


def wrapped(message: Any) -> dict[str, str]:
    return {"oslo.version": "2.0", "oslo.message": json.dumps(message)}


NOVA = {"event_type": "compute.instance.update", "payload": {"tenant_id": "p1", "state": "stopped"}}
NEUTRON = {"event_type": "port.update.end", "payload": {"port": {"id": "x", "tenant_id": "p2"}}}
GONE = {"event_type": "port.delete.end", "payload": {"port_id": "x"}, "_context_tenant": "admin"}


@pytest.mark.parametrize(
    ("message", "project"), [(NOVA, "p1"), (NEUTRON, "p2"), (GONE, ""), ({**NOVA, "payload": None}, "")]
)
def test_a_notification_has_its_event_type_and_project(message: dict[str, Any], project: str) -> None:
    expected = OsloNotification(message["event_type"], project)
    assert read_notification(wrapped(message)) == expected
    assert read_notification(message) == expected, "older services send no envelope"


@pytest.mark.parametrize(
    "body",
    [None, "text", [], {}, {"oslo.message": "{half"}, {"oslo.message": None}, wrapped([]), wrapped({"method": "x"})],
)
def test_anything_else_is_none(body: Any) -> None:
    assert read_notification(body) is None
