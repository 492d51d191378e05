"""The actual state is read by others' means: OpenStack's own client, and SNMP by a client that the product's adapter is
not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gufo.snmp import SnmpVersion
from gufo.snmp.sync import SnmpSession
from openstack.config import OpenStackConfig
from openstack.connection import Connection

NOKIA_CHASSIS = 3
"""First octet of a tmnxHwIndex: the chassis has no state worth comparing."""
IF_OPER = "1.3.6.1.2.1.2.2.1.8"
BGP_STATE = "1.3.6.1.2.1.15.3.1.2"
SYS_OBJECT_ID = "1.3.6.1.2.1.1.2.0"
NOKIA, NOKIA_HW = "1.3.6.1.4.1.6527.", "1.3.6.1.4.1.6527.3.1.2.2.1.8.1.16"
HUAWEI, HUAWEI_OPER = "1.3.6.1.4.1.2011.", "1.3.6.1.4.1.2011.5.25.31.1.1.1.1.2"

NOKIA_WORDS = {
    2: "IN_SERVICE",
    3: "OUT_OF_SERVICE",
    4: "DIAGNOSING",
    5: "FAILED",
    6: "BOOTING",
    7: "EMPTY",
    8: "PROVISIONED",
}
HUAWEI_WORDS = {2: "OUT_OF_SERVICE", 3: "IN_SERVICE", 4: "BOOTING"}
STATUS_WORDS = {1: "UP", 2: "DOWN", 5: "DORMANT", 7: "LOWER_LAYER_DOWN"}
BGP_WORDS = {1: "IDLE", 2: "CONNECT", 3: "ACTIVE", 4: "OPEN_SENT", 5: "OPEN_CONFIRM", 6: "ESTABLISHED"}
HARDWARE = {NOKIA: (NOKIA_HW, NOKIA_WORDS), HUAWEI: (HUAWEI_OPER, HUAWEI_WORDS)}
"""Column of the operational states of hardware, and its words in the product's language."""


@dataclass(frozen=True)
class ElementStates:
    """Nothing at all where it does not answer."""

    answers: bool
    hardware: Mapping[int, str] = field(default_factory=dict)
    """The states by the index of their row."""
    interfaces: Mapping[int, str] = field(default_factory=dict)
    peers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CloudStates:
    servers: Mapping[str, str]
    """Status by id."""
    ports: Mapping[str, str]
    """Status by id, of ports that a server of this VNFM holds."""
    hosts: Mapping[str, str] = field(default_factory=dict)
    """up or down by name, where our rights let us see them."""


@dataclass(frozen=True)
class Agent:
    """The address at which an element answers."""

    address: str
    port: int
    community: str = "public"


def states_of(agent: Agent) -> ElementStates:
    """Return the values as snmpget and snmpwalk show them."""
    try:
        with SnmpSession(
            addr=agent.address, port=agent.port, community=agent.community, version=SnmpVersion.v2c, timeout=1.0
        ) as session:
            product = str(session.get(SYS_OBJECT_ID))
            known = next((way for prefix, way in HARDWARE.items() if product.startswith(prefix)), None)
            return ElementStates(
                answers=True,
                hardware=_column(session, known[0], known[1]) if known is not None else {},
                interfaces=_column(session, IF_OPER, STATUS_WORDS),
                peers={
                    oid.removeprefix(f"{BGP_STATE}."): BGP_WORDS[int(value)]  # type: ignore[arg-type]
                    for oid, value in session.getbulk(BGP_STATE)
                },
            )
    except (TimeoutError, ConnectionError):
        return ElementStates(answers=False)


def _column(session: SnmpSession, column: str, words: Mapping[int, str]) -> dict[int, str]:
    """Return the values by the last arc of the row's index."""
    found = {}
    for oid, value in session.getbulk(column):
        word = words.get(int(value))  # type: ignore[arg-type]
        index = int(oid.rpartition(".")[2])
        if word is not None and index >> 24 != NOKIA_CHASSIS:
            found[index] = word
    return found


class Cloud:
    """As the `openstack` command line sees it, with the rights that a clouds.yaml gives."""

    def __init__(self, clouds_yaml: str, name: str) -> None:
        config = OpenStackConfig(config_files=[clouds_yaml])
        self.client = Connection(config=config.get_one(name))

    def servers(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("compute", "/servers/detail")["servers"]
        return found

    def server(self, instance_id: str, slot: str) -> dict[str, Any]:
        """The one that says of itself that it is that slot of the instance."""
        wanted = (instance_id, slot)
        return next(
            one
            for one in self.servers()
            if (one["metadata"].get("vnf_instance"), one["metadata"].get("slot")) == wanted
        )

    def ports_of(self, server_id: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._get("network", f"/ports?device_id={server_id}")["ports"]
        return found

    def states(self, instances: Iterable[str], *, hosts: bool) -> CloudStates:
        servers = {
            one["id"]: one["status"] for one in self.servers() if one["metadata"].get("vnf_instance") in instances
        }
        ports = {
            one["id"]: one["status"] for one in self._get("network", "/ports")["ports"] if one["device_id"] in servers
        }
        there = self._get("compute", "/os-hypervisors")["hypervisors"] if hosts else []
        return CloudStates(servers, ports, {one["hypervisor_hostname"]: one["state"] for one in there})

    def _get(self, service: str, path: str) -> Any:
        answer = getattr(self.client, service).get(path)
        answer.raise_for_status()
        return answer.json()
