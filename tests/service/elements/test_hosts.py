"""Virtual Systems get the chassis that they show as their host. No poller runs."""

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_card, make_element
from vnfm.elements.models import NetworkElement
from vnfm.elements.reconcilers.hosts import link_virtual_systems

pytestmark = pytest.mark.django_db


def on_chassis(sys_name: str) -> NetworkElement:
    element = make_element(driver="huawei-vrp", sys_name=sys_name)
    make_card(element, equipment_class="CHASSIS", serial_number="2102350")
    return element


def test_a_host_that_a_user_removed_stays_removed(operator_api: APIClient) -> None:
    chassis, system, other = (on_chassis(name) for name in ("ne9000", "ne9000-vs1", "ne9000-vs2"))
    link_virtual_systems(chassis.id)
    for element in (system, other):
        element.refresh_from_db()
        assert element.host_element == chassis
    removal = operator_api.patch(f"/api/v1/elements/{system.id}", {"hostElementId": None}, format="json")
    assert removal.json()["hostElementId"] is None
    same = {"hostElementId": str(chassis.id), "name": "renamed"}
    assert operator_api.patch(f"/api/v1/elements/{other.id}", same, format="json").status_code == 200
    NetworkElement.objects.filter(id=other.id).update(host_element=None)
    link_virtual_systems(chassis.id)
    system.refresh_from_db()
    other.refresh_from_db()
    assert system.host_element is None
    assert other.host_element == chassis, "its host was sent unchanged"
