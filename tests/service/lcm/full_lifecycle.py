"""Every package in `catalog/` can do this in any cloud: come, scale out and in, be healed and go without a trace."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from openstack.connection import Connection

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.waiting import until
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Flavour, Vnfd
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds.errors import NotFound
from vnfm.inventory.domain.drift import drift
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.sizing import vnfc_counts
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.selectors.instance_status import instance_status

TINY = "m1.tiny"
"""A flavor that the simulated and the real cloud of the tests have; too small for a VNF, large enough for Nova."""


def small(vnfd: Vnfd) -> dict[str, Any]:
    """Settings that make every VM as small as can be."""
    return {vdu.flavor_parameter: TINY for vdu in vnfd.vdus}


def without_special_hosts(vnfd: Vnfd) -> dict[str, Any]:
    """Settings that make every port one of a virtual switch, let all VMs share a host, and give Nova no files, which it
    no longer takes."""
    chosen = {
        setting.name: value
        for value in ("normal", "user-data")
        for setting in vnfd.settings
        for rule in setting.constraints
        if rule.kind == "allowed_values" and value in rule.spec
    }
    return chosen | {vdu.anti_affinity: False for vdu in vnfd.vdus if vdu.anti_affinity}


def whole_life(life: Lifecycle, name: str = "", **settings: Any) -> dict[str, float]:
    """One instance of the package at the first flavour's default level, from birth to end; seconds by operation."""
    vnfd = vnfd_of(life.package)
    flavour = vnfd.flavours[0]
    instance, took = life.create(name), {}

    def done(operation: Operation, request: Mapping[str, Any], name: str = "") -> None:
        since = time.monotonic()
        life.done(instance, operation, request)
        took[name or operation.value] = round(time.monotonic() - since, 1)

    done(Operation.INSTANTIATE, life.instantiate_request(**settings))
    _assert_well(life, instance, flavour)
    for aspect in flavour.aspects:
        level = instance.scale_levels[aspect.id]
        there_and_back = ["SCALE_OUT", "SCALE_IN"]
        for kind in there_and_back if level < aspect.max_scale_level else reversed(there_and_back):
            done(Operation.SCALE, {"type": kind, "aspectId": aspect.id}, f"{kind} {aspect.id}")
            _assert_well(life, instance, flavour)
        assert instance.scale_levels[aspect.id] == level
    before = _servers(instance)
    target = instance.vnfcs.order_by("vdu_id", "slot").last()
    assert target is not None
    life.cloud.servers.delete(target.server_id)
    done(Operation.HEAL, {"additionalParams": {"vnfcToHeal": [str(target.id)]}})
    _assert_well(life, instance, flavour)
    after = _servers(instance)
    assert {place for place in after if after[place] != before.get(place)} == {(target.vdu_id, target.slot)}
    done(Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert not instance.vnfcs.exists()
    return took


def _servers(instance: VnfInstance) -> dict[tuple[str, str], str]:
    return {(vnfc.vdu_id, vnfc.slot): vnfc.server_id for vnfc in instance.vnfcs.all()}


def _assert_well(life: Lifecycle, instance: VnfInstance, flavour: Flavour) -> None:
    """As many VNFCs of each kind as its levels say, each on record as it is in the cloud, with all of its ports."""
    instance.refresh_from_db()
    vnfd = vnfd_of(life.package)
    servers = {server.id: server for server in life.cloud.servers.list()}
    ours = {ident for ident, server in servers.items() if server.metadata.get("vnf_instance") == str(instance.id)}
    vnfcs, settings = list(instance.vnfcs.prefetch_related("ports")), effective_settings(vnfd, instance.settings)
    assert {vnfc.server_id for vnfc in vnfcs} == ours
    wanted = vnfc_counts(vnfd, flavour, instance.scale_levels)
    assert {vdu.id: sum(v.vdu_id == vdu.id for v in vnfcs) for vdu in vnfd.vdus} == wanted
    for vnfc in vnfcs:
        server = servers[vnfc.server_id]
        assert (server.status, server.metadata["vdu"], server.metadata["slot"]) == ("ACTIVE", vnfc.vdu_id, vnfc.slot)
        points = {point.id for point in vnfd.points_of(vnfd.vdu(vnfc.vdu_id), settings)}
        assert {port.cp_id for port in vnfc.ports.all()} == points, vnfc.name
    assert drift(instance_status(instance_id=instance.id).view) == []


@contextmanager
def leaving_nothing(cloud: Connection, name: str = "") -> Iterator[None]:
    """Everything in the cloud afterwards was there before; where others use the cloud, all that has `name` in its own.

    Heat lists a stack for a moment after it has called it DELETE_COMPLETE.
    """
    before = _everything(cloud)
    yield
    deadline = time.monotonic() + 20
    while (left := _named(cloud, name) - before) and time.monotonic() < deadline:
        pass
    assert left == set()


def _named(cloud: Connection, name: str) -> set[tuple[str, str, str]]:
    return {one for one in _everything(cloud) if name in one[1]}


def _everything(cloud: Connection) -> set[tuple[str, str, str]]:
    """Kind, name and id."""
    found = {
        "stack": cloud.orchestration.stacks(),
        "server": cloud.compute.servers(),
        "server group": cloud.compute.server_groups(),
        "network": cloud.network.networks(),
        "subnet": cloud.network.subnets(),
        "port": cloud.network.ports(),
        "security group": cloud.network.security_groups(),
    }
    return {(kind, one.name or "", one.id) for kind, rows in found.items() for one in rows}


@contextmanager
def swept(life: Lifecycle) -> Iterator[None]:
    """Stacks that come in it go in the end, whatever happened."""
    before = {stack.id for stack in life.cloud.stacks.list()}
    try:
        yield
    finally:
        instances = {str(one)[:8] for one in VnfInstance.objects.values_list("id", flat=True)}
        for stack in life.cloud.stacks.list():
            if stack.id not in before and any(one in stack.name for one in instances):
                life.cloud.stacks.delete(stack.id)
                until(lambda name=stack.name: _gone(life, name), "the stack to go", seconds=300)


def _gone(life: Lifecycle, name: str) -> bool:
    try:
        return life.cloud.stacks.find(name) is None
    except NotFound:
        return True
