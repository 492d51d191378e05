"""In sync with a real OpenStack and a real router: the faults that can be brought about there.

The VIM is asked through relays, so that its APIs can be cut off. Hosts are seen with the administrator's rights alone,
by a second VIM, where clouds.yaml has `<cloud>-admin`.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.factories.packages import shipped_zip
from tests.service.insync.api_client import AlarmSummary, ApiClient
from tests.service.insync.drill import Injection, drill
from tests.service.insync.testbed import on_the_database, product
from tests.service.insync.truth import Agent, Cloud, CloudStates, ElementStates, states_of
from tests.support.frr import LINK, NEIGHBOUR_V6, FrrRouter, require_router
from tests.support.installation import until
from tests.support.tcp_relay import TcpRelay

if TYPE_CHECKING:
    from pytest_django.plugin import DjangoDbBlocker

pytestmark = [pytest.mark.django_db, pytest.mark.real_cloud, pytest.mark.long, pytest.mark.timeout(900)]
QUICK = {"VNFM_POLL_SECONDS": "1", "VNFM_ELEMENT_POLL_SECONDS": "0.5"}
SERVICES = ("compute", "network", "image", "orchestration")
TIMEOUT = 180.0
ROUTER = "frr-1"
TRAP_PORT = 9
"""No process receives the router's traps here."""


@dataclass
class SyncTestbed:
    api: ApiClient
    cloud: Cloud
    admin: Cloud | None
    router: FrrRouter
    relays: list[TcpRelay]
    vims: Mapping[str, str]
    """Ids by name."""
    vim: str
    """Name of the VIM that the instance is on."""
    instance: str = ""
    element: str = ""
    names: dict[str, str] = field(default_factory=dict)
    """The names of VNFCs by slot."""

    def actual(self) -> tuple[CloudStates, Mapping[str, ElementStates]]:
        seen = self.cloud.states([self.instance], hosts=False)
        if self.admin is not None:
            seen = replace(seen, hosts=self.admin.states([], hosts=True).hosts)
        router = replace(states_of(Agent(self.router.address, 161)), peers=self.router.peer_states())
        return seen, {ROUTER: _settled(router)}

    def displayed(self) -> tuple[CloudStates, Mapping[str, ElementStates]]:
        hosts_of = self.vims.get(f"{self.vim}-admin", self.vims[self.vim])
        return self.api.cloud([self.instance], hosts_of), {ROUTER: _settled(self.api.element(self.element))}


def _settled(states: ElementStates) -> ElementStates:
    """A session that is tried again is now in this state of BGP, now in that; the tree's ports are those of IF-MIB."""
    peers = {peer: state if state == "ESTABLISHED" else "IDLE" for peer, state in states.peers.items()}
    return replace(states, peers=peers, hardware={})


@pytest.fixture(scope="module")
def testbed(
    tmp_path_factory: pytest.TempPathFactory, product_env: dict[str, str], django_db_blocker: "DjangoDbBlocker"
) -> Iterator[SyncTestbed]:
    file, name = os.environ.get("VNFM_TEST_CLOUDS_YAML"), os.environ.get("VNFM_TEST_CLOUD")
    if not file or not name:
        pytest.skip("VNFM_TEST_CLOUDS_YAML and VNFM_TEST_CLOUD name no real OpenStack")
    require_router()
    folder = tmp_path_factory.mktemp("in-sync")
    with ExitStack() as stack:
        router = stack.enter_context(FrrRouter(folder / "frr", TRAP_PORT))
        stack.enter_context(on_the_database(django_db_blocker))
        known = yaml.safe_load(Path(file).read_text())["clouds"]
        cloud = Cloud(file, name)
        relays, behind = _relayed(stack, cloud, known[name])
        admin = f"{name}-admin" if f"{name}-admin" in known else ""
        entries = {name: behind, **({admin: known[admin]} if admin else {})}
        vims = _registered(folder / "clouds.yaml", entries)
        api = stack.enter_context(product({**product_env, **QUICK}))
        for vim_id in vims.values():
            api.post(f"/api/v1/vims/{vim_id}/probe")
        made = SyncTestbed(api, cloud, Cloud(file, admin) if admin else None, router, relays, vims, name)
        try:
            _deploy(made)
            _know_router(made)
            yield made
        finally:
            for relay in relays:
                relay.mend()
            _clean_up(cloud)


def _relayed(stack: ExitStack, cloud: Cloud, entry: Mapping[str, Any]) -> tuple[list[TcpRelay], dict[str, Any]]:
    """Relays before each service, and the entry of a clouds.yaml that goes through them."""
    relays = []

    def through(url: str) -> str:
        place = urlsplit(url)
        assert place.port is not None
        relays.append(stack.enter_context(TcpRelay(place.port)))
        return place._replace(netloc=f"127.0.0.1:{relays[-1].port}").geturl()

    auth = {**entry["auth"], "auth_url": through(entry["auth"]["auth_url"])}
    overrides = {
        f"{service}_endpoint_override": through(getattr(cloud.client, service).get_endpoint()) for service in SERVICES
    }
    return relays, {**entry, "auth": auth, **overrides}


def _registered(path: Path, entries: Mapping[str, Any]) -> dict[str, str]:
    from vnfm.vims.services import vim_register_from_clouds_yaml

    path.write_text(yaml.safe_dump({"clouds": dict(entries)}))
    return {name: str(vim_register_from_clouds_yaml(path=path, name=name).id) for name in entries}


def _deploy(testbed: SyncTestbed) -> None:
    """A VSR of two control VMs and one data path VM, as small as the cloud has them."""
    from tests.factories.catalog import onboarded

    small = {
        "control_flavor": "m1.tiny",
        "data_path_flavor": "m1.tiny",
        "image": testbed.cloud.client.image.find_image("tiny").id,
    }
    loose = {"anti_affinity": False, "data_vnic_type": "normal", "fabric_mtu": 1500}
    vnfd = str(onboarded(shipped_zip()).vnfd_id)
    testbed.instance = testbed.api.instantiate(
        vnfd, "vsr-1", testbed.vims[testbed.vim], additionalParams={**small, **loose}
    )
    vnfcs = testbed.api.get(f"/api/v1/vnf_instances/{testbed.instance}")["vnfcs"]
    testbed.names = {vnfc["slot"]: vnfc["name"] for vnfc in vnfcs}


def _know_router(testbed: SyncTestbed) -> None:
    policy = {"name": "frr", "protocol": "SNMPv2c", "community": "public", "timeoutSeconds": 1}
    policy |= {"networks": [f"{testbed.router.address}/32"]}
    body = {
        "name": ROUTER,
        "kind": "PHYSICAL",
        "managementAddress": testbed.router.address,
        "snmpPolicyId": testbed.api.post("/api/v1/mediation_policies", policy).json()["id"],
    }
    testbed.element = str(testbed.api.post("/api/v1/elements", body).json()["id"])
    until(
        lambda: (testbed.displayed() == testbed.actual() and not testbed.api.alarms()) or None,
        TIMEOUT,
        "all is well and known",
    )


def _clean_up(cloud: Cloud) -> None:
    """Whatever a broken-off run has left."""
    for stack in cloud.client.orchestration.stacks():
        if "vsr-1" in stack.name:
            with suppress(Exception):  # it may be going already
                cloud.client.orchestration.delete_stack(stack)
                cloud.client.orchestration.wait_for_delete(stack, interval=1, wait=TIMEOUT)


def _vm_stopped(testbed: SyncTestbed) -> Injection:
    compute, server = testbed.cloud.client.compute, testbed.cloud.server(testbed.instance, "1")
    compute.stop_server(server["id"])
    return Injection(
        frozenset({AlarmSummary("vsr-1", "VmDown", testbed.names["1"])}), partial(compute.start_server, server["id"])
    )


def _lost(testbed: SyncTestbed, *protocols: str, root: str = "") -> frozenset[AlarmSummary]:
    """Alarms of both BGP sessions with the neighbour, and of its adjacencies by these protocols."""
    peers = [f"peer {peer}" for peer in (testbed.router.neighbour, NEIGHBOUR_V6)]
    adjacencies = [f"{protocol} neighbour on {LINK}" for protocol in protocols]
    return frozenset(
        AlarmSummary(ROUTER, fault, f"{ROUTER} {part}", root)
        for fault, parts in (("BgpPeerDown", peers), ("NeighbourLost", adjacencies))
        for part in parts
    )


def _peer_lost(testbed: SyncTestbed) -> Injection:
    """The neighbour's BGP daemon is killed, and its BFD session with it."""
    testbed.router.drop_neighbour()
    return Injection(_lost(testbed, "BFD"), testbed.router.bring_back_neighbour)


def _link_down(testbed: SyncTestbed) -> Injection:
    port = AlarmSummary(ROUTER, "PortDown", f"{ROUTER} {LINK}")
    testbed.router.cut_link()
    lost = _lost(testbed, "BFD", "OSPF", root=f"PortDown {port.resource}")
    return Injection(lost | {port}, testbed.router.mend_link)


def _api_down(testbed: SyncTestbed) -> Injection:
    root = f"VimUnreachable {testbed.vim}"
    for relay in testbed.relays:
        relay.cut()

    def undo() -> None:
        for relay in testbed.relays:
            relay.mend()

    alarms = {
        AlarmSummary(testbed.vim, "VimUnreachable", testbed.vim),
        AlarmSummary("vsr-1", "VimUnreachable", testbed.vim, root),
    }
    return Injection(frozenset(alarms), undo, _all_unknown)


def _all_unknown(truth: CloudStates) -> CloudStates:
    return replace(
        truth,
        servers=dict.fromkeys(truth.servers, "UNKNOWN"),
        ports=dict.fromkeys(truth.ports, "UNKNOWN"),
    )


def _host_forced_down(testbed: SyncTestbed) -> Injection:
    """A host without a VM of this VNFM: what an administrator does before an evacuation."""
    if testbed.admin is None:
        pytest.skip(f"there is no {testbed.vim}-admin in clouds.yaml, which alone may force a host down")
    compute = testbed.admin.client.compute
    taken = {one["OS-EXT-SRV-ATTR:host"] for one in testbed.admin.servers()}
    service = next(one for one in compute.services(binary="nova-compute") if one.host not in taken)
    compute.update_service_forced_down(service, forced=True)
    alarm = AlarmSummary(f"{testbed.vim}-admin", "ForcedDown", service.host)
    return Injection(frozenset({alarm}), partial(compute.update_service_forced_down, service, forced=False))


def _vm_deleted(testbed: SyncTestbed) -> Injection:
    """Undone by terminating the instance: healing has tests of its own."""
    compute, server = testbed.cloud.client.compute, testbed.cloud.server(testbed.instance, "1")
    compute.delete_server(server["id"])

    def undo() -> None:
        path = f"/vnflcm/v2/vnf_instances/{testbed.instance}/terminate"
        testbed.api.wait_for(testbed.api.post(path, {"terminationType": "FORCEFUL"}).headers["Location"])

    return Injection(frozenset({AlarmSummary("vsr-1", "VmMissing", testbed.names["1"])}), undo)


FAULTS: tuple[tuple[str, Callable[[SyncTestbed], Injection]], ...] = (
    ("nova stop", _vm_stopped),
    ("BGP peer lost", _peer_lost),
    ("link down", _link_down),
    ("host forced down", _host_forced_down),
    ("API of the cloud down", _api_down),
    ("VM deleted", _vm_deleted),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[0])
def test_each_fault_raises_its_alarms_and_no_others(
    testbed: SyncTestbed,
    fault: tuple[str, Callable[[SyncTestbed], Injection]],
    record_property: Callable[[str, object], None],
) -> None:
    """The last fault deletes the VM of the instance."""
    times = drill(testbed, lambda: fault[1](testbed))
    record_property("seconds_to_raise", round(times.raised, 2))
    record_property("seconds_to_clear", round(times.cleared, 2))
