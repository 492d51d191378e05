"""The flow with FRR routers that forward packets: deploy, scale, lose a VM, heal; measured in lost packets."""

import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

import asyncssh

from demo.api import Api, DemoError, wait_for
from demo.cloud import CloudSide
from demo.operation import run_operation
from demo.screen import Screen
from demo.surroundings import (
    COMMUNITY,
    CUSTOMER_1,
    CUSTOMER_2,
    NEIGHBOURS,
    PASSWORD,
    USER,
    Neighbour,
    Surroundings,
)
from demo.traffic import RATE, TrafficProbe

VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3"
PRODUCT, FLAVOR = "FRR router", "m1.small"
SNMP, SSH = "guests-snmp", "guests-ssh"
STEPS = 8
READ_SECONDS = OPERATION_SECONDS = 1200.0
REPORTED_SECONDS, QUIET_SECONDS = 3.0, 5.0
"""Seconds by which a report may be late, and seconds without loss after which traffic counts as flowing."""
FLOW_SECONDS, ALARM_SECONDS = 180.0, 90.0


class GuestFlow:
    """One run; `name` is the VNF instance's name and ends in hexadecimal digits. `trap_port`: see Surroundings."""

    def __init__(self, api: Api, cloud: CloudSide, screen: Screen, name: str, trap_port: str = "") -> None:
        self.api, self.cloud, self.screen, self.name = api, cloud, screen, name
        self.instance_id = ""
        self._around = Surroundings(cloud.connection, name, int(name[-2:], 16), trap_port)
        self._key = asyncssh.generate_private_key("ssh-ed25519")
        self._probe = TrafficProbe(USER, self._key, self._report)
        self._elements: list[str] = []

    def run(self, *, image: str, keep: bool) -> None:
        self.deploy(image)
        self._scale()
        self._lose_a_vm()
        if keep:
            self.screen.note(f"{self.name} is left running: {self.instance_id}")
            return
        self._terminate()
        self._clean_up()

    def close(self) -> None:
        self._probe.stop()

    def deploy(self, image: str) -> None:
        """Run all steps up to the customers' traffic."""
        self._prepare(image)
        self._neighbours()
        self._deploy()
        self._traffic()

    def _prepare(self, image: str) -> None:
        self.screen.heading(1, STEPS, "Upload the image and create the networks")
        self.screen.good(f"image {self._around.image(image)}")
        self._around.make_networks()
        self._policies()
        self.screen.good("networks for management, the customer and the provider; access policies")

    def _policies(self) -> None:
        known = {row["name"] for row in self.api.get("/api/v1/mediation_policies")}
        networks = {"networks": ["10.64.0.0/10"]}
        snmp = {"name": SNMP, "protocol": "SNMPv2c", "port": 161, "community": COMMUNITY}
        ssh = {"name": SSH, "protocol": "SSH", "port": 22, "username": USER, "password": PASSWORD}
        for body in (snmp, ssh):
            if body["name"] not in known:
                self.api.post("/api/v1/mediation_policies", {**body, **networks})

    def _neighbours(self) -> None:
        self.screen.heading(2, STEPS, "Add two customers and a peer as physical routers")
        public = self._key.export_public_key().decode().strip()
        policies = {row["name"]: row["id"] for row in self.api.get("/api/v1/mediation_policies")}
        for neighbour in NEIGHBOURS:
            self._around.boot(neighbour, FLAVOR, public)
            body = {"name": f"{self.name}-{neighbour.name}", "kind": "PHYSICAL", "snmpPolicyId": policies[SNMP]}
            body |= {"managementAddress": self._around.management_address(neighbour), "sshPolicyId": policies[SSH]}
            self._elements.append(self.api.post("/api/v1/elements", body).json()["id"])
        for neighbour, ident in zip(NEIGHBOURS, self._elements, strict=True):
            wait_for(f"{neighbour.name} is read by SNMP", partial(self._read, ident), READ_SECONDS)
            self.screen.good(f"{neighbour.name} answers SNMP at {self._around.management_address(neighbour)}")

    def _read(self, ident: str) -> bool | None:
        return bool(self.api.get(f"/api/v1/elements/{ident}")["resync"]["firstFullAt"]) or None

    def _deploy(self) -> None:
        self.screen.heading(3, STEPS, f"Deploy {self.name} between them")
        found = [one for one in self.api.get("/api/v1/vnfds") if one["productName"] == PRODUCT]
        if not found:
            raise DemoError(f"{PRODUCT} is not in the catalog: onboard its package.")
        vim = next(one for one in self.api.get("/api/v1/vims") if one["name"] == self.cloud.name)
        body = {"vnfdId": found[0]["vnfdId"], "vnfInstanceName": self.name}
        self.instance_id = self.api.post("/vnflcm/v2/vnf_instances", body).json()["id"]
        settings = {**self._around.settings(), "router_flavor": FLAVOR, "snmpPolicy": SNMP, "sshPolicy": SSH}
        connection = {"vim1": {"vimId": vim["id"], "vimType": VIM_TYPE}}
        request = {"flavourId": "default", "vimConnectionInfo": connection, "additionalParams": settings}
        self._operation("instantiate", request)

    def _traffic(self) -> None:
        self.screen.heading(4, STEPS, f"Send customer traffic through it: {RATE:,} packets a second, both ways")
        for one, other in ((CUSTOMER_1, CUSTOMER_2), (CUSTOMER_2, CUSTOMER_1)):
            self._run_probe(one, other)
        paths = wait_for("traffic flows both ways without loss", self._flowing, FLOW_SECONDS)
        self.screen.good("; ".join(f"{path}: {RATE:,} packets a second, none lost" for path in paths))

    def _run_probe(self, at: Neighbour, other: Neighbour) -> None:
        login = self._around.management_address(at)
        self._probe.run(login, at.loopback, other.loopback, f"{other.name} → {at.name}")

    def _report(self, sample: Mapping[str, Any]) -> None:
        """Report a sample to the product; a failed report is a gap in the chart and does not stop the probe."""
        total = {key: value for key, value in sample.items() if key != "flows"}
        with contextlib.suppress(DemoError):
            self.api.post(f"/api/v1/vnf_instances/{self.instance_id}/traffic", {"samples": [total]})

    def _flowing(self) -> list[str] | None:
        """Return both paths if they lost no packet in the last QUIET_SECONDS, else None."""
        end = datetime.now(UTC) - timedelta(seconds=REPORTED_SECONDS)
        begin = end - timedelta(seconds=QUIET_SECONDS)
        span = urlencode({"from": begin.isoformat(), "to": end.isoformat(), "step": 1})
        paths = self.api.get(f"/api/v1/vnf_instances/{self.instance_id}/traffic?{span}")["paths"]
        recent = {path["path"]: [step for step in path["steps"] if step["seconds"] > 0] for path in paths}
        good = [name for name, steps in recent.items() if steps and not any(step["lost"] for step in steps)]
        return sorted(good) if len(good) == 2 else None  # noqa: PLR2004 - both ways

    def _scale(self) -> None:
        self.screen.heading(5, STEPS, "Scale out and in again, with traffic")
        for kind in ("SCALE_OUT", "SCALE_IN"):
            self._operation("scale", {"type": kind, "aspectId": "routers", "numberOfSteps": 1})
            wait_for("traffic flows without loss", self._flowing, FLOW_SECONDS)

    def _lose_a_vm(self) -> None:
        victim = self.api.get(f"/api/v1/vnf_instances/{self.instance_id}")["vnfcs"][0]
        self.screen.heading(6, STEPS, f"Stop {victim['name']} behind the manager's back, and heal it")
        stopped_at = datetime.now(UTC)
        self.cloud.stop(victim["serverId"])
        wait_for("an alarm for the stopped VM", lambda: self._has_alarm(victim), ALARM_SECONDS)
        self.screen.good("an alarm reports it")
        self._operation("heal", {"vnfcInstanceId": [victim["id"]]})
        wait_for("traffic flows without loss", self._flowing, FLOW_SECONDS)
        span = urlencode({"from": stopped_at.isoformat()})
        for path in self.api.get(f"/api/v1/vnf_instances/{self.instance_id}/traffic?{span}")["paths"]:
            lost, gap = f"{path['lost']:,} of {path['sent']:,}", f"{path['gap'] * 1000:.0f} ms"
            self.screen.good(f"since the VM was stopped, {path['path']}: {lost} packets lost, {gap} at the longest")

    def _has_alarm(self, victim: Mapping[str, Any]) -> bool | None:
        alarms = self.api.get(f"/vnffm/v1/alarms?filter=(eq,managedObjectId,{self.instance_id})")
        resources = [one.get("rootCauseFaultyResource", {}).get("faultyResource", {}) for one in alarms]
        return any(one.get("resourceId") == victim["serverId"] for one in resources) or None

    def _terminate(self) -> None:
        self.screen.heading(7, STEPS, "Terminate")
        self._operation("terminate", {"terminationType": "FORCEFUL"})
        self.api.delete(f"/vnflcm/v2/vnf_instances/{self.instance_id}")

    def _clean_up(self) -> None:
        self.screen.heading(8, STEPS, "Remove its neighbours and networks")
        self._probe.stop()
        for ident in self._elements:
            self.api.delete(f"/api/v1/elements/{ident}")
        self._around.remove()
        self.screen.good("nothing is left")

    def _operation(self, task: str, request: Mapping[str, Any]) -> None:
        """Start a task, follow its steps, then show its effect on the traffic. Raises DemoError unless COMPLETED."""
        op_id = run_operation(self.api, self.screen, self.instance_id, task, request, seconds=OPERATION_SECONDS)
        for sentence in self.api.get(f"/api/v1/vnf_lcm_op_occs/{op_id}/story")["sentences"]:
            if sentence["text"].startswith("Traffic "):
                self.screen.good(sentence["text"])
