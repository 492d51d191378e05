"""A client of the product's API: alarms with their root causes, and states."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import requests

from tests.service.insync.truth import CloudStates, ElementStates
from tests.support.installation import VIM_TYPE, until

TIMEOUT = 240.0
STAYS = {"MISSING", "UNKNOWN"}
"""Operational states of hardware that its agent does not list: a card that was pulled out, a part without a state."""


@dataclass(frozen=True, order=True)
class AlarmSummary:
    """The attributes of an alarm that are compared."""

    object_name: str
    fault_type: str
    resource: str
    root: str = ""
    """Fault type and resource of its first root cause; "" for none."""


class ApiClient:
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
        answer = self._session.request(method, url, json=body, timeout=TIMEOUT)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text[:1000]}"
        return answer

    def rows(self, path: str) -> Iterator[dict[str, Any]]:
        """All of a list, page by page."""
        while path:
            answer = self._answer("GET", path)
            yield from answer.json()
            path = answer.links.get("next", {}).get("url", "")

    def alarms(self, which: str = "current") -> dict[str, AlarmSummary]:
        """Return them by id."""
        rows = {row["id"]: row for row in self.rows(f"/api/v1/alarms?list={which}")}
        return {alarm_id: _summary(row, rows) for alarm_id, row in rows.items()}

    def wait_for(self, location: str) -> None:
        """Wait until an operation is completed."""

        def look() -> dict[str, Any] | None:
            op: dict[str, Any] = self.get(location)
            assert op["operationState"] not in {"FAILED", "FAILED_TEMP", "ROLLED_BACK"}, op.get("error")
            return op if op["operationState"] == "COMPLETED" else None

        until(look, TIMEOUT, f"{location} is completed", every=0.05)

    def instantiate(self, vnfd_id: str, name: str, vim_id: str, **choices: Any) -> str:
        """The id of a new instance of the package."""
        body = {"vnfdId": vnfd_id, "vnfInstanceName": name}
        instance_id = str(self.post("/vnflcm/v2/vnf_instances", body).json()["id"])
        wanted = {
            "flavourId": "default",
            "vimConnectionInfo": {"vim1": {"vimId": vim_id, "vimType": VIM_TYPE}},
            **choices,
        }
        path = f"/vnflcm/v2/vnf_instances/{instance_id}/instantiate"
        self.wait_for(self.post(path, wanted).headers["Location"])
        return instance_id

    def cloud(self, instances: list[str], vim_id: str) -> CloudStates:
        """The displayed states of these instances and of the hosts."""
        rows = [vnfc for one in instances for vnfc in self.get(f"/api/v1/vnf_instances/{one}")["vnfcs"]]
        vnfcs = [vnfc for vnfc in rows if vnfc["status"] != "MISSING"]
        return CloudStates(
            servers={vnfc["serverId"]: vnfc["status"] for vnfc in vnfcs},
            ports={port["id"]: port["status"] for vnfc in vnfcs for port in vnfc["ports"]},
            hosts={row["name"]: row["state"] for row in self.rows(f"/api/v1/vims/{vim_id}/hosts")},
        )

    def element(self, element_id: str) -> ElementStates:
        """The displayed states of an element and its parts."""
        element = self.get(f"/api/v1/elements/{element_id}")
        if element["conditions"][0]["status"] != "True":
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


def _summary(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> AlarmSummary:
    cause = row
    while (root := cause["rootCauseAlarmId"]) in rows:
        cause = rows[root]
    root_words = "" if cause is row else f"{cause['faultType']} {cause['faultyResourceName']}"
    return AlarmSummary(row["managedObjectName"], row["faultType"], row["faultyResourceName"], root_words)
