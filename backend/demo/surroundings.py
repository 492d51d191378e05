"""The surroundings of the VNF: networks, two customers and a peer, each an FRR router on a server of its own.

    customer-1 ── data 1 ── routers of the VNF ── data 2 ── customer-2, peer

They have BGP sessions with each router of the VNF, and are managed as physical network elements.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openstack.connection import Connection

from demo.api import DemoError, wait_for

USER, PASSWORD, COMMUNITY = "vnfm", "vnfm-lab", "public"
PASSWORD_HASH = "$6$vnfmlab$pP175dArKQss5zVk4ye4jiZFrilyptXzH8xW1fTlvDCqslh5ACTCLGwL9yS7Www5sY.JiJNkIUhMVVyNB7twE/"  # noqa: S105 - of a lab
"""The hash of PASSWORD, which is public: these routers exist in a lab only."""
IMAGE = "frr-router"
VNF_AS = 64512
BFD_INTERVAL = 200
"""The BFD interval in milliseconds, the same as in the VNF's package."""
VNF_PLACES = (11, 12, 13, 14)
"""The last octets of the addresses of the VNF's routers in each network."""
BOOT_SECONDS = 300.0
DELETE_SECONDS = 60.0


@dataclass(frozen=True)
class Neighbour:
    """A router beside the VNF: its AS, its data network (1 or 2), its last octet there and its loopback address."""

    name: str
    local_as: int
    network: int
    place: int
    loopback: str


CUSTOMER_1 = Neighbour("customer-1", 64601, 1, 101, "198.18.1.1")
CUSTOMER_2 = Neighbour("customer-2", 64602, 2, 102, "198.18.2.1")
PEER = Neighbour("peer", 64701, 2, 103, "198.18.9.1")
NEIGHBOURS = (CUSTOMER_1, CUSTOMER_2, PEER)

_FRR = """\
frr defaults traditional
hostname {name}
agentx
interface lo
 ip address {loopback}/32
exit
bfd
 profile vnfm
  transmit-interval {bfd_interval}
  receive-interval {bfd_interval}
 exit
exit
router bgp {local_as}
 bgp router-id {loopback}
 no bgp ebgp-requires-policy
 bgp bestpath as-path multipath-relax
{sessions}
 address-family ipv4 unicast
  network {loopback}/32
  maximum-paths 8
 exit-address-family
exit
"""
_SESSION = """\
 neighbor {address} remote-as {remote_as}
 neighbor {address} timers 3 9
 neighbor {address} timers connect 5
 neighbor {address} bfd
 neighbor {address} bfd profile vnfm"""


class Surroundings:
    """Creates the surroundings with names that begin with `name`; `number` (0 to 255) keeps the addresses unique.

    Traps go to `trap_port` of this machine at the gateway's address; "" means no traps.
    """

    def __init__(self, connection: Connection, name: str, number: int, trap_port: str = "") -> None:
        self._cloud, self._name, self._trap_port = connection, name, trap_port
        self._prefixes = {"mgmt": f"10.{64 + number % 64}.{number}", "data1": "172.16.1", "data2": "172.16.2"}
        self._servers: list[str] = []

    @property
    def _gateway(self) -> str:
        return f"{self._prefixes['mgmt']}.1"

    def _snmp_lines(self) -> list[str]:
        """Return lines of snmpd.conf: the community that may read, and the target of traps."""
        traps = [f"trap2sink {self._gateway}:{self._trap_port} {COMMUNITY}"] if self._trap_port else []
        return [f"rocommunity {COMMUNITY}", *traps]

    def management_address(self, neighbour: Neighbour) -> str:
        return f"{self._prefixes['mgmt']}.{neighbour.place}"

    def image(self, file: str) -> str:
        """Upload the image file unless Glance has the image; return the image's name. Raises DemoError."""
        if self._cloud.image.find_image(IMAGE) is None:
            if not Path(file).is_file():
                raise DemoError(f"The image file {file!r} is missing: build it by catalog/open/frr-router/image/build.")
            self._cloud.create_image(
                IMAGE, filename=file, disk_format="qcow2", container_format="bare", wait=True, os_shutdown_timeout="10"
            )
        return IMAGE

    def make_networks(self) -> None:
        for key, prefix in self._prefixes.items():
            network = self._cloud.network.create_network(name=self._network(key))
            gateway = {"gateway_ip": self._gateway if key == "mgmt" else None}
            self._cloud.network.create_subnet(
                network_id=network.id, name=network.name, ip_version=4, cidr=f"{prefix}.0/24", enable_dhcp=False,
                **gateway,
            )  # fmt: skip

    def settings(self) -> dict[str, Any]:
        """Return the VNF's settings that connect it to these networks and routers."""
        found: dict[str, Any] = {
            "image": IMAGE,
            "local_as": VNF_AS,
            "peers": " ".join(f"peer/{one.local_as}={self._address(one)}" for one in NEIGHBOURS),
            "admin_user": USER,
            "admin_password": PASSWORD_HASH,
            "snmp_lines": ";".join(self._snmp_lines()),
            "management_gateway": self._gateway,
        }
        for key, setting in (("mgmt", "management"), ("data1", "data1"), ("data2", "data2")):
            found[f"{setting}_network"] = self._network(key)
            found[f"{setting}_cidr"] = f"{self._prefixes[key]}.0/24"
            found |= {f"{setting}_ip_{n}": f"{self._prefixes[key]}.{place}" for n, place in enumerate(VNF_PLACES, 1)}
        return found

    def boot(self, neighbour: Neighbour, flavor: str, key: str) -> None:
        """Create the router's server; `key` is the public SSH key that may log in."""
        ports = [
            self._port("mgmt", self.management_address(neighbour)),
            self._port(f"data{neighbour.network}", self._address(neighbour)),
        ]
        server = self._cloud.compute.create_server(
            name=f"{self._name}-{neighbour.name}", image_id=_id(self._cloud.image.find_image(IMAGE)),
            flavor_id=_id(self._cloud.compute.find_flavor(flavor)), networks=[{"port": port} for port in ports],
            user_data=base64.b64encode(self._user_data(neighbour, key).encode()).decode(), config_drive=True,
        )  # fmt: skip
        self._servers.append(server.id)

        def status() -> str | None:
            found = self._cloud.compute.get_server(server.id)
            return None if found.status == "BUILD" else str(found.status)

        if (state := wait_for(f"{neighbour.name} has booted", status, BOOT_SECONDS)) != "ACTIVE":
            raise DemoError(f"{neighbour.name} is {state}.")

    def remove(self) -> None:
        """Delete everything that was created; the VNF must no longer use the networks."""
        for server in self._servers:
            self._cloud.compute.delete_server(server)
        wait_for("the servers are deleted", lambda: not any(map(self._is_there, self._servers)) or None, DELETE_SECONDS)
        for key in self._prefixes:
            network = self._cloud.network.find_network(self._network(key))
            if network:
                for port in self._cloud.network.ports(network_id=network.id):
                    self._cloud.network.delete_port(port)
                self._cloud.network.delete_network(network)

    def _is_there(self, server: str) -> bool:
        return self._cloud.compute.find_server(server, ignore_missing=True) is not None

    def _network(self, key: str) -> str:
        return f"{self._name}-{key}"

    def _address(self, neighbour: Neighbour) -> str:
        return f"{self._prefixes[f'data{neighbour.network}']}.{neighbour.place}"

    def _port(self, key: str, address: str) -> str:
        network = self._cloud.network.find_network(self._network(key))
        port = self._cloud.network.create_port(
            network_id=_id(network), fixed_ips=[{"ip_address": address}], port_security_enabled=False
        )
        return str(port.id)

    def _user_data(self, neighbour: Neighbour, key: str) -> str:
        prefix = self._prefixes[f"data{neighbour.network}"]
        routers = [f"{prefix}.{place}" for place in VNF_PLACES]
        sessions = "\n".join(_SESSION.format(address=one, remote_as=VNF_AS) for one in routers)
        return cloud_config(
            _FRR.format(
                name=neighbour.name,
                loopback=neighbour.loopback,
                local_as=neighbour.local_as,
                sessions=sessions,
                bfd_interval=BFD_INTERVAL,
            ),
            self._snmp_lines(),
            key,
        )


def _id(found: Any) -> str:
    """Return the id of a result of a search by name. Raises DemoError if nothing was found."""
    if found is None:
        raise DemoError("The cloud lacks an image, a flavor or a network that was there before.")
    return str(found.id)


def cloud_config(frr: str, snmp_lines: Sequence[str], key: str) -> str:
    """Return cloud-init user data that configure the image as a router; JSON is valid YAML."""
    files: Sequence[Mapping[str, str]] = (
        {"path": "/etc/frr/frr.conf", "content": frr},
        {"path": "/etc/snmp/snmpd.conf.d/day0.conf", "content": "".join(f"{line}\n" for line in snmp_lines)},
    )
    user = {
        "name": USER,
        "groups": ["sudo", "frr", "frrvty"],
        "shell": "/bin/bash",
        "sudo": "ALL=(ALL) NOPASSWD:ALL",
        "lock_passwd": False,
        "hashed_passwd": PASSWORD_HASH,
        "ssh_authorized_keys": [key],
    }
    services = [["systemctl", "restart", name] for name in ("frr", "snmpd")]
    document = {"users": [user], "ssh_pwauth": True, "write_files": files, "runcmd": services}
    return "#cloud-config\n" + json.dumps(document, indent=1) + "\n"
