"""The simulated routers of an installation, registered with it by the public API."""

from collections.abc import Mapping
from typing import Any

import requests

from demo.api import Api, DemoError, wait_for
from demo.screen import Screen

SNMP, SNMPV3, SSH = "simulated-routers-snmp", "simulated-routers-snmpv3", "simulated-routers-ssh"
CREDENTIALS: tuple[Mapping[str, str], ...] = (
    {"name": SNMP, "protocol": "SNMPv2c", "community": "public"},
    {"name": SNMPV3, "protocol": "SNMPv3", "username": "vnfm", "authProtocol": "SHA", "authPassword": "simulated-auth"}
    | {"privProtocol": "AES", "privPassword": "simulated-priv"},
    {"name": SSH, "protocol": "SSH", "username": "admin", "password": "admin"},
)
"""Mediation policies with the credentials of the simulated routers (`routersim/scene.json`)."""
NETWORKS = ["127.0.0.0/8"]
READ_SECONDS = 60.0
HOST_BITS = 200
"""Number of values of an octet to spread addresses over; the rest of the loopback network is for others."""


class Routers:
    """The routers that `./vnfm up` runs beside the simulated cloud; `url` is their control API."""

    def __init__(self, url: str, api: Api, screen: Screen) -> None:
        self._url, self._api, self._screen = url, api, screen

    def manage_all(self) -> None:
        """Create the policies and the physical routers that are missing; wait until each router has been polled."""
        there = wait_for("the simulated routers answer", self._answering, READ_SECONDS)
        self._policies(there[0])
        known = {element["managementAddress"]: element["id"] for element in self._api.get("/api/v1/elements")}
        policies = {name: row["id"] for name, row in self._policy_rows().items()}
        physical = sorted(
            (one for one in there if not one["vnfInstance"]), key=lambda one: (one["system"] != "", one["name"])
        )
        hosts = {one["chassis"]: one["address"] for one in physical if not one["system"]}
        for router in physical:
            if router["address"] not in known:
                body = {"name": router["name"], "kind": "PHYSICAL", "managementAddress": router["address"]}
                snmp = policies[SNMPV3 if router["snmpUser"] else SNMP]
                body |= {"snmpPolicyId": snmp, "sshPolicyId": policies[SSH]}
                body |= {"hostElementId": known[hosts[router["chassis"]]]} if router["system"] else {}
                known[router["address"]] = self._api.post("/api/v1/elements", body).json()["id"]
        for router in physical:
            element = self._read(router["address"])
            self._screen.good(f"{element['name']}: {element['chassisType']}, {element['softwareVersion']}")

    def settings(self, name: str) -> Mapping[str, Any]:
        """Return the settings by which a VNF is one of these routers; `name` must end in hexadecimal digits.

        They are its addresses on the loopback network, where the simulated routers listen, and the policies.
        """
        number = int(name[-6:], 16)
        network = f"127.{40 + number % HOST_BITS}.{number // HOST_BITS % 256}"
        return {
            "management_cidr": f"{network}.0/24",
            "management_gateway": f"{network}.1",
            "management_ip_active": f"{network}.10",
            "management_ip_standby": f"{network}.11",
            "snmpPolicy": SNMP,
            "sshPolicy": SSH,
        }

    def element_of(self, instance_id: str) -> Mapping[str, Any]:
        """Return the network element of the VNF. Raises DemoError unless there is exactly one."""
        rows = self._api.get(f"/api/v1/elements?filter=(eq,vnfInstanceId,{instance_id})")
        if len(rows) != 1:
            raise DemoError(f"The VNF should have one network element, but has {len(rows)}.")
        element: Mapping[str, Any] = rows[0]
        return element

    def cards(self, element: Mapping[str, Any]) -> dict[str, str]:
        """Return the state by slot of the element's cards, as the product shows them."""
        rows = self._api.get(f"/api/v1/elements/{element['id']}/equipment?filter=(in,equipmentClass,CARD,CPM)")
        return {row["slot"]: row["operState"] for row in rows}

    def truth(self, element: Mapping[str, Any]) -> dict[str, str]:
        """Return the state by slot of the element's cards, as the router itself has it."""
        name = next(one["name"] for one in self._there() if one["address"] == element["managementAddress"])
        return {card["slot"]: card["state"] for card in self._control(f"/elements/{name}")["cards"]}

    def _policies(self, router: Mapping[str, Any]) -> None:
        known = self._policy_rows()
        for policy in CREDENTIALS:
            port = router["sshPort" if policy["protocol"] == "SSH" else "snmpPort"]
            body = {**policy, "port": port, "networks": NETWORKS}
            if body["name"] not in known:
                self._api.post("/api/v1/mediation_policies", body)
            elif known[body["name"]]["port"] != body["port"]:  # the routers may get another free port at each start
                self._api.patch(f"/api/v1/mediation_policies/{known[body['name']]['id']}", {"port": body["port"]})

    def _policy_rows(self) -> dict[str, Any]:
        return {row["name"]: row for row in self._api.get("/api/v1/mediation_policies")}

    def _read(self, address: str) -> Mapping[str, Any]:
        def look() -> Mapping[str, Any] | None:
            rows = self._api.get(f"/api/v1/elements?filter=(eq,managementAddress,{address})")
            return rows[0] if rows and rows[0]["resync"]["firstFullAt"] else None

        return wait_for(f"the router at {address} is read", look, READ_SECONDS)

    def _answering(self) -> list[Mapping[str, Any]] | None:
        try:
            return self._there()
        except requests.ConnectionError:
            return None

    def _there(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self._control("/elements")["elements"]
        return found

    def _control(self, path: str) -> Any:
        answer = requests.get(f"{self._url}/control/v1{path}", timeout=30)
        answer.raise_for_status()
        return answer.json()
