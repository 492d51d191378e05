"""What the product's own API shows: alarms with their root causes, and states."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import requests

from tests.installation import VIM_TYPE, until
from tests.service.insync.truth import CloudStates, ElementStates

PATIENCE = 240.0
STAYS = {"EMPTY", "UNKNOWN"}
"""Operational states of hardware that its agent does not list: a card that was pulled out, a part without a state."""


@dataclass(frozen=True, order=True)
class Told:
    """An alarm as far as it must be right."""

    object_name: str
    fault_type: str
    resource: str
    root: str = ""
    """Fault type and resource of the first cause; "" where it is one itself."""


class Ours:
    """A client of the public API."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        return self._answer("GET", path).json()

    def post(self, path: str, body: Mapping[str, Any] | None = None, method: str = "POST") -> requests.Response:
        return self._answer(method, path, body)

    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> requests.Response:
        url = path if path.startswith("http") else self._url + path
        answer = self._session.request(method, url, json=body, timeout=PATIENCE)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text[:1000]}"
        return answer

    def rows(self, path: str) -> Iterator[dict[str, Any]]:
        """All of a list, page by page."""
        while path:
            answer = self._answer("GET", path)
            yield from answer.json()
            path = answer.links.get("next", {}).get("url", "")

    def alarms(self, which: str = "current") -> dict[str, Told]:
        """By id."""
        rows = {row["id"]: row for row in self.rows(f"/api/v1/alarms?list={which}")}
        return {alarm_id: _told(row, rows) for alarm_id, row in rows.items()}

    def over(self, location: str) -> None:
        """Wait until an operation is completed."""

        def look() -> dict[str, Any] | None:
            op: dict[str, Any] = self.get(location)
            assert op["operationState"] not in {"FAILED", "FAILED_TEMP", "ROLLED_BACK"}, op.get("error")
            return op if op["operationState"] == "COMPLETED" else None

        until(look, PATIENCE, f"{location} is completed", every=0.05)

    def instantiated(self, vnfd_id: str, name: str, vim_id: str, **choices: Any) -> str:
        """The id of a new instance of the package."""
        body = {"vnfdId": vnfd_id, "vnfInstanceName": name}
        instance_id = str(self.post("/vnflcm/v2/vnf_instances", body).json()["id"])
        wanted = {
            "flavourId": "default",
            "vimConnectionInfo": {"vim1": {"vimId": vim_id, "vimType": VIM_TYPE}},
            **choices,
        }
        path = f"/vnflcm/v2/vnf_instances/{instance_id}/instantiate"
        self.over(self.post(path, wanted).headers["Location"])
        return instance_id

    def cloud(self, instances: list[str], vim_id: str) -> CloudStates:
        """What is shown of these instances and of the hosts."""
        shown = [vnfc for one in instances for vnfc in self.get(f"/api/v1/vnf_instances/{one}")["vnfcs"]]
        vnfcs = [vnfc for vnfc in shown if vnfc["status"] != "MISSING"]
        return CloudStates(
            servers={vnfc["serverId"]: vnfc["status"] for vnfc in vnfcs},
            ports={port["id"]: port["status"] for vnfc in vnfcs for port in vnfc["ports"]},
            hosts={row["name"]: row["state"] for row in self.rows(f"/api/v1/vims/{vim_id}/hosts")},
        )

    def element(self, element_id: str) -> ElementStates:
        """What is shown of an element and its parts."""
        shown = self.get(f"/api/v1/elements/{element_id}")
        if shown["conditions"][0]["status"] != "True":
            return ElementStates(answers=False)
        path = f"/api/v1/elements/{element_id}"
        hardware = {}
        for row in self.rows(f"{path}/equipment"):
            index = row["extra"].get("hwIndex") or row["extra"].get("entPhysicalIndex")
            if index is not None and row["equipmentClass"] != "CHASSIS" and row["operState"] not in STAYS:
                hardware[index] = row["operState"]
        return ElementStates(
            answers=True,
            hardware=hardware,
            interfaces={row["ifIndex"]: row["operState"] for row in self.rows(f"{path}/interfaces")},
            peers={row["peerAddress"]: row["state"] for row in self.rows(f"{path}/bgp_peers")},
        )


def _told(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Told:
    cause = row
    while (root := cause["rootCauseAlarmId"]) in rows:
        cause = rows[root]
    root_words = "" if cause is row else f"{cause['faultType']} {cause['faultyResourceName']}"
    return Told(row["managedObjectName"], row["faultType"], row["faultyResourceName"], root_words)
