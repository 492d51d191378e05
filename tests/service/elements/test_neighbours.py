"""Neighbours that disappear: lost, replaced, or removed by an operation of ours. No poller runs."""

from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection

from tests.factories.elements import make_card, make_element
from tests.factories.inventory import make_instance
from vnfm.elements.domain.snapshot import ObservedAdjacency, Snapshot, SystemGroup
from vnfm.elements.models import Adjacency, Interface, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.poll_records import record_poll
from vnfm.elements.services.registration import (
    element_deregister,
    element_release,
    slots_clear_leaving,
    slots_mark_leaving,
)
from vnfm.kit import clock

pytestmark = pytest.mark.django_db

ROUTER = ObservedAdjacency("OSPF", "1/1/1", "192.0.2.1", remote_address="10.0.0.1", if_index=1, state="FULL")
LLDP = ObservedAdjacency("LLDP", "1/1/1", "02:00:5e:00:53:01", "2/1/1", "vsr", if_index=1, state="FULL")
OTHER = ObservedAdjacency("OSPF", "1/1/2", "192.0.2.3", remote_address="10.0.0.9", if_index=2, state="FULL")


@pytest.fixture
def near() -> NetworkElement:
    """It has the virtual router and another one as neighbours."""
    element = make_element(name="core")
    poll(element, ROUTER, LLDP, OTHER)
    return element


@pytest.fixture
def router() -> NetworkElement:
    """Its slot 2 has the port towards the neighbour."""
    element = make_element(kind="VIRTUAL", sys_name="vsr", vnf_instance=make_instance())
    port(element, "2/1/1", 21, "10.0.0.1/29")
    port(element, "3/1/1", 31, "10.0.1.1/29")
    return element


def port(element: NetworkElement, name: str, if_index: int, *addresses: str) -> None:
    now = clock.now()
    make_card(element, name[:3], fdn=f"port-{name}", equipment_class="PORT", if_index=if_index)
    Interface.objects.create(element=element, if_index=if_index, name=name, admin="UP", oper="UP", since=now)
    Interface.objects.create(
        element=element, if_index=if_index + 500, port_if_index=if_index, addresses=list(addresses), since=now
    )


def poll(
    element: NetworkElement, *listed: ObservedAdjacency, parts: frozenset[str] = frozenset({"NEIGHBOURS"})
) -> None:
    system = SystemGroup(element.sys_name, "", "", "", uptime=60)
    result = PollResult("generic", system, parts, Snapshot(adjacencies=listed), b"")
    record_poll(element.id, result, requested_at=None, now=clock.now())


def rows(element: NetworkElement) -> set[tuple[str, str, str]]:
    return set(Adjacency.objects.filter(element=element).values_list("protocol", "remote_id", "state"))


def row(adjacency: ObservedAdjacency, state: str = "FULL") -> tuple[str, str, str]:
    return adjacency.protocol, adjacency.remote_id, state


def test_a_poll_counts_although_the_clock_was_set_back_since_the_last(near: NetworkElement) -> None:
    NetworkElement.objects.update(observed_at=clock.now() + timedelta(hours=1))
    poll(near, ROUTER)
    assert rows(near)


def test_a_lost_router_of_a_network_is_lost_while_others_are_there(near: NetworkElement) -> None:
    third = replace(ROUTER, remote_id="192.0.2.4", remote_address="10.0.0.3")
    poll(near, ROUTER, third, LLDP, OTHER)
    poll(near, third, LLDP, OTHER)
    assert rows(near) == {row(ROUTER, "LOST"), row(third), row(LLDP), row(OTHER)}


def test_another_neighbour_in_its_place_replaces_a_lost_one(near: NetworkElement) -> None:
    """By LLDP on its port, by OSPF at its address."""
    renamed, replaced = replace(ROUTER, remote_id="192.0.2.5"), replace(LLDP, remote_id="02:00:5e:00:53:02")
    poll(near, renamed, replaced, OTHER)
    assert rows(near) == {row(renamed), row(replaced), row(OTHER)}


@pytest.mark.parametrize("remove", [element_release, element_deregister])
def test_a_released_router_is_no_lost_neighbour(near: NetworkElement, router: NetworkElement, remove: Any) -> None:
    remove(element_id=router.id)
    assert rows(near) == {row(ROUTER), row(LLDP), row(OTHER)}, "its VMs still run"
    poll(near)
    assert rows(near) == {row(OTHER, "LOST")}


def test_a_loss_from_before_the_release_is_forgotten_at_once(near: NetworkElement, router: NetworkElement) -> None:
    """A scale-in deregisters the elements of components after their VMs are gone."""
    poll(near)
    before = NetworkElement.objects.get(id=near.id).version
    element_deregister(element_id=router.id)
    assert rows(near) == {row(OTHER, "LOST")}
    assert NetworkElement.objects.get(id=near.id).version == before + 1, "its alarms are evaluated again"


def test_a_value_of_two_elements_identifies_neither(near: NetworkElement, router: NetworkElement) -> None:
    port(make_element(sys_name="vsr"), "1/1/1", 11, "10.0.0.1/29")
    element_release(element_id=router.id)
    poll(near)
    assert rows(near) == {row(ROUTER, "LOST"), row(LLDP, "LOST"), row(OTHER, "LOST")}


def test_a_router_that_is_managed_again_can_be_lost(near: NetworkElement, router: NetworkElement) -> None:
    element_release(element_id=router.id)
    NetworkElement.objects.filter(id=router.id).update(state="MANAGED")
    port(router, "2/1/1", 21, "10.0.0.1/29")
    poll(router, parts=frozenset({"EQUIPMENT", "INTERFACES", "BGP", "FACTS", "NEIGHBOURS"}))
    poll(near)
    assert rows(near) == {row(ROUTER, "LOST"), row(LLDP, "LOST"), row(OTHER, "LOST")}


def test_neighbours_of_removed_cards_are_forgotten(near: NetworkElement, router: NetworkElement) -> None:
    own = ObservedAdjacency("OSPF", "2/1/1", "192.0.2.7", remote_address="10.0.0.2", if_index=521, state="FULL")
    kept = ObservedAdjacency("OSPF", "3/1/1", "192.0.2.8", remote_address="10.0.1.2", if_index=531, state="FULL")
    poll(router, own, kept)
    slots_mark_leaving(element_id=router.id, slots=["2"])
    poll(near)
    poll(router)
    assert rows(near) == {row(OTHER, "LOST")}
    assert rows(router) == {row(kept, "LOST")}


def test_neighbours_of_cards_that_stay_after_all_can_be_lost(near: NetworkElement, router: NetworkElement) -> None:
    slots_mark_leaving(element_id=router.id, slots=["2"])
    slots_clear_leaving(element_id=router.id)
    poll(near)
    assert rows(near) == {row(ROUTER, "LOST"), row(LLDP, "LOST"), row(OTHER, "LOST")}


def test_the_migration_forgets_lost_neighbours_that_are_no_element(
    near: NetworkElement, router: NetworkElement
) -> None:
    poll(near)
    migration = import_module("vnfm.elements.migrations.0003_adjacency_loss_expected")
    with connection.cursor() as cursor:
        cursor.execute(migration.FORGET)
    assert rows(near) == {row(ROUTER, "LOST"), row(LLDP, "LOST")}
