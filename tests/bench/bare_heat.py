"""The same work with Heat alone: send the same stack and poll ten times a second until it is done."""

import time
import uuid
from pathlib import Path
from typing import Any

import yaml
from openstack.connection import Connection

from tests.support.installation import until

LOOK_EVERY = 0.1
LONGEST = 600.0


def exported(folder: Path) -> dict[str, Any]:
    """Return the files that `stack_export` wrote as the body of Heat's POST and PUT."""
    environment = yaml.safe_load((folder / "environment.yaml").read_text())
    ours = {"template.yaml", "environment.yaml"}
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return {
        "template": (folder / "template.yaml").read_text(),
        "files": {name: (folder / name).read_text() for name in names if name not in ours},
        "parameters": environment.pop("parameters"),
        "environment": environment,
        "disable_rollback": True,
    }


class BareStack:
    """One stack; each change returns the seconds from the request to the look that saw its end."""

    def __init__(self, cloud: Connection) -> None:
        self._cloud = cloud
        self.name = f"bare-{uuid.uuid4().hex[:8]}"
        self._path = ""

    def create(self, body: dict[str, Any]) -> float:
        start = time.monotonic()
        made = self._cloud.orchestration.post("/stacks", json={"stack_name": self.name, **body})
        assert made.ok, made.text
        self._path = f"/stacks/{self.name}/{made.json()['stack']['id']}"
        self._await("CREATE_COMPLETE")
        return time.monotonic() - start

    def update(self, body: dict[str, Any]) -> float:
        start = time.monotonic()
        sent = self._cloud.orchestration.put(self._path, json=body)
        assert sent.ok, sent.text
        self._await("UPDATE_COMPLETE", unlike=self._updated)
        return time.monotonic() - start

    def heal(self, slot: str, body: dict[str, Any], *, can_mark: bool) -> float:
        """A new server in a slot: where Heat takes our word that it is unhealthy by that, else by its own check."""
        row = self._server(slot)
        start = time.monotonic()
        if can_mark:
            stack = next(link["href"] for link in row["links"] if link["rel"] == "stack")
            unhealthy = {"mark_unhealthy": True, "resource_status_reason": "to be replaced"}
            marked = self._cloud.session.patch(
                f"{stack}/resources/{row['resource_name']}", json=unhealthy, endpoint_filter={}
            )
            assert marked.ok, marked.text
        else:
            self._cloud.compute.delete_server(row["physical_resource_id"])
            self._cloud.compute.wait_for_delete(
                self._cloud.compute.get_server(row["physical_resource_id"]), interval=LOOK_EVERY, wait=60
            )
            checked = self._cloud.orchestration.post(f"{self._path}/actions", json={"check": None})
            assert checked.ok, checked.text
            until(self._has_failed_its_check, LONGEST, "Heat knows that it is gone", every=LOOK_EVERY)
        self.update(body)
        return time.monotonic() - start

    def _has_failed_its_check(self) -> bool | None:
        stack = self._stack()
        return True if stack is not None and stack["stack_status"] == "CHECK_FAILED" else None

    def _server(self, slot: str) -> dict[str, Any]:
        """The resource of the server in a slot."""
        answer = self._cloud.orchestration.get(f"{self._path}/resources?nested_depth=5")
        rows = {row["physical_resource_id"]: row for row in answer.json()["resources"]}
        return next(rows[s.id] for s in self._cloud.compute.servers() if s.id in rows and s.metadata["slot"] == slot)

    def delete(self) -> None:
        self._cloud.orchestration.delete(self._path)
        until(lambda: self._stack() is None or None, LONGEST, "the stack is deleted", every=0.5)

    _updated = ""

    def _stack(self) -> dict[str, Any] | None:
        answer = self._cloud.orchestration.get(f"{self._path}?resolve_outputs=false")
        stack: dict[str, Any] | None = answer.json()["stack"] if answer.ok else None
        return None if stack is None or stack["stack_status"] == "DELETE_COMPLETE" else stack

    def _await(self, status: str, unlike: str = "") -> None:
        """Wait for the status, with another time of the last update than `unlike`: an update begins some time later."""

        def look() -> str | None:
            stack = self._stack()
            assert stack is not None
            assert not stack["stack_status"].endswith("FAILED"), stack["stack_status_reason"]
            changed = stack.get("updated_time") or ""
            return changed if stack["stack_status"] == status and (changed != unlike or not changed) else None

        self._updated = until(look, LONGEST, f"the stack is {status}", every=LOOK_EVERY)
