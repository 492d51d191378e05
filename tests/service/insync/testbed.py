"""The testbed of the EANTC report: a cloud with a VMG and a VSR, a 7750 and an NE9000, and the product.

The product runs as the launcher starts it, on the tests' database, from which it is removed at the end.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.service.insync.api_client import ApiClient
from tests.service.insync.truth import Agent, Cloud, CloudStates, ElementStates, states_of
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.installation import until
from tests.support.product import running, web, worker_of
from tests.support.routersim_process import RoutersimProcess, free_udp_port
from tests.support.tcp_relay import TcpRelay

if TYPE_CHECKING:
    from tests.support.rabbitmq import RabbitMq

TIMEOUT = 240.0
CLOUD = "cloudsim-admin"
"""A login with rights to see hosts."""
WORKER = worker_of(4)
BEAT = ("manage.py", "beat")
PROCESSES = (
    (WORKER, r" ready\."),
    (("manage.py", "watch"), r"watch\.ready"),
    (("manage.py", "elements"), r"elements\.ready"),
)
NETWORK = "127.66.0"
SR12_PEER, SR12_LINK_PEER = "198.51.100.3", "198.51.100.1"
VSR_PEER, VMG_PEER, NE9000_PEER = "198.51.100.0", "198.51.100.5", "198.51.100.7"


@dataclass
class SyncTestbed:
    """`instances` and `elements` are ids by name, `agents` where elements answer."""

    api: ApiClient
    cloud: Cloud
    sim: CloudsimProcess
    routers: RoutersimProcess
    relay: TcpRelay
    vim_id: str
    vim_name: str
    instances: dict[str, str] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    agents: dict[str, Agent] = field(default_factory=dict)

    def actual(self) -> tuple[CloudStates, Mapping[str, ElementStates]]:
        states = {name: states_of(agent) for name, agent in self.agents.items()}
        return self.cloud.states(self.instances.values(), hosts=True), states

    def displayed(self) -> tuple[CloudStates, Mapping[str, ElementStates]]:
        states = {name: self.api.element(element_id) for name, element_id in self.elements.items()}
        return self.api.cloud([*self.instances.values()], self.vim_id), states

    def server(self, instance: str, slot: str) -> dict[str, Any]:
        return self.cloud.server(self.instances[instance], slot)


@contextmanager
def running_testbed(
    folder: Path, env: Mapping[str, str], *, settings: Mapping[str, str], rabbitmq: "RabbitMq | None" = None
) -> Iterator[SyncTestbed]:
    """The testbed, without faults and completely polled. Needs a database that Django may use; see `on_the_database`.

    With a message bus all changes are pushed: those of the cloud by the bus, those of elements by traps.
    """
    traps = f"127.0.0.1:{free_udp_port()}"
    cloud_options: dict[str, Any] = {"notify_url": rabbitmq.url} if rabbitmq is not None else {}
    router_options: dict[str, Any] = {"trap_to": traps} if rabbitmq is not None else {}
    with ExitStack() as stack:
        sim = stack.enter_context(CloudsimProcess(folder / "cloud", **cloud_options))
        routers = stack.enter_context(RoutersimProcess(folder / "routers", snmp_port=free_udp_port(), **router_options))
        relay = stack.enter_context(TcpRelay(int(sim.base_url.rpartition(":")[2])))
        vim_id = _registered(sim, relay)
        if rabbitmq is not None:
            traps_process = stack.enter_context(running("manage.py", "traps", env={**env, "VNFM_TRAP_LISTEN": traps}))
            traps_process.expect(r"traps\.ready")
        api = stack.enter_context(product({**env, **settings}))
        api.post(f"/api/v1/vims/{vim_id}/probe")
        testbed = SyncTestbed(api, Cloud(str(sim.clouds_yaml), CLOUD), sim, routers, relay, vim_id, CLOUD)
        if rabbitmq is not None:
            _listen(testbed, rabbitmq)
        _deploy(testbed)
        _wire(testbed)
        yield testbed


@contextmanager
def product(env: Mapping[str, str]) -> Iterator[ApiClient]:
    """Its processes, and a client of theirs. One after the other: on a busy machine, all at once take their time."""
    with ExitStack() as stack:
        url = stack.enter_context(web(env))
        for command, ready in (*PROCESSES, (BEAT, "beat: Starting")):
            stack.enter_context(running(*command, env=env)).expect(ready)
        yield ApiClient(url, _token())


@contextmanager
def on_the_database(blocker: Any) -> Iterator[None]:
    """Django's database for a whole module of tests; emptied afterwards, with telemetry."""
    from django.core.management import call_command
    from django.db import connections

    from vnfm.history.database import pool
    from vnfm.history.names import PARTITIONED

    with blocker.unblock():
        try:
            yield
        finally:
            connections.close_all()
            call_command("flush", verbosity=0, interactive=False, allow_cascade=True)
            with pool.connection() as connection:
                for table in (*PARTITIONED, "quarantine"):
                    connection.execute(f"TRUNCATE telemetry.{table}")
            connections.close_all()


def _registered(sim: CloudsimProcess, relay: TcpRelay) -> str:
    """The cloud behind a relay that can be cut: its catalog names the host that it was asked by."""
    from vnfm.vims.services import vim_register_from_clouds_yaml

    direct = sim.base_url.rpartition(":")[2]
    behind = sim.state_dir / "relayed" / "clouds.yaml"
    behind.parent.mkdir()
    behind.write_text(sim.clouds_yaml.read_text().replace(f":{direct}/", f":{relay.port}/"))
    return str(vim_register_from_clouds_yaml(path=behind, name=CLOUD).id)


def _token() -> str:
    from tests.factories.accounts import make_user
    from vnfm.accounts.tokens import token_issue

    return token_issue(user=make_user(role="admin"), name="in sync")[1]


def _listen(testbed: SyncTestbed, rabbitmq: "RabbitMq") -> None:
    path = f"/api/v1/vims/{testbed.vim_id}/notifications"
    testbed.api.post(path, {"transportUrl": rabbitmq.url}, method="PUT")

    def listening() -> bool | None:
        return testbed.api.get(path)["listening"]["status"] == "True" or None

    until(listening, TIMEOUT, "the connection to the message bus")


def _deploy(testbed: SyncTestbed) -> None:
    """A VMG of two OAM, two LB and two MG VMs, and a VSR of two control and one data path VM."""
    from tests.factories.catalog import onboarded
    from tests.factories.packages import VMG, shipped_zip

    def probed() -> bool | None:
        return testbed.api.get(f"/api/v1/vims/{testbed.vim_id}/watch")["mayListHosts"] or None

    vmg, vsr = (str(onboarded(shipped_zip(*folder)).vnfd_id) for folder in ((VMG,), ()))
    until(probed, TIMEOUT, "the cloud is probed")
    made = {"additionalParams": {"createFlavors": True}}
    testbed.instances["vmg-1"] = testbed.api.instantiate(vmg, "vmg-1", testbed.vim_id, **made)
    testbed.instances["vsr-1"] = testbed.api.instantiate(vsr, "vsr-1", testbed.vim_id)


def _wire(testbed: SyncTestbed) -> None:
    """The elements, known to the product and read by it."""
    follow = {"cloudsYaml": str(testbed.sim.clouds_yaml), "cloud": CLOUD, "seconds": 0.1}
    testbed.routers.control("PUT", "/clouds/sim", follow)
    elements = (
        _element("vmg", "VMG", 1, vnfInstance=testbed.instances["vmg-1"], ports=2, peers=[_peer(VMG_PEER, "1/1/1")]),
        _element("vsr", "VSR", 2, vnfInstance=testbed.instances["vsr-1"], ports=2, peers=[_peer(VSR_PEER, "1/1/1")]),
        _element(
            "sr12",
            "7750-SR-12",
            3,
            ports=4,
            peers=[_peer(SR12_LINK_PEER, "1/1/1"), _peer(SR12_PEER, "2/1/1")],
            links=[{"port": "1/1/1", "neighbour": "vsr", "neighbourPort": "1/1/1"}],
        ),
        _element(
            "ne9000",
            "NE9000",
            4,
            ports=2,
            virtualSystems=[
                {"name": "core", "address": f"{NETWORK}.5", "peers": [_peer(NE9000_PEER, "100GE1/0/0")]},
                {"name": "edge", "address": f"{NETWORK}.6"},
            ],
        ),
    )
    policy = testbed.api.post(
        "/api/v1/mediation_policies",
        {
            "name": "simulated",
            "protocol": "SNMPv2c",
            "community": "public",
            "networks": ["127.0.0.0/8"],
            "port": (port := testbed.routers.add(**elements[0])["snmpPort"]),
            "timeoutSeconds": 0.5,
        },
    ).json()["id"]
    for element in elements[1:]:
        testbed.routers.add(**element)
    for row in testbed.routers.control("GET", "/elements")["elements"]:
        name = row["name"]
        testbed.agents[name] = Agent(row["address"], port)
        body = {
            "name": name,
            "kind": "VIRTUAL" if row["vnfInstance"] else "PHYSICAL",
            "managementAddress": row["address"],
            "snmpPolicyId": policy,
            "vnfInstanceId": row["vnfInstance"] or None,
            "hostElementId": testbed.elements["ne9000"] if row["system"] else None,
        }
        testbed.elements[name] = str(testbed.api.post("/api/v1/elements", body).json()["id"])
    until(lambda: testbed.routers.element("vsr")["ports"] or None, TIMEOUT, "the VSR has ports")
    testbed.routers.fault("sr12", "load")  # nothing new, but it finds the port at the other end of its cable
    until(
        lambda: testbed.displayed() == testbed.actual() or None, TIMEOUT, "the displayed states to be the actual ones"
    )
    until(lambda: not testbed.api.alarms() or None, TIMEOUT, "no alarm is open")


def _element(name: str, kind: str, number: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": kind, "address": f"{NETWORK}.{number}", "bootSeconds": 0.3, **more}


def _peer(address: str, port: str) -> dict[str, Any]:
    return {"address": address, "remoteAs": 65010, "port": port}
