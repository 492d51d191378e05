"""Views of the stored documents of stacks and resources."""

from __future__ import annotations

import uuid
from typing import Any

Doc = dict[str, Any]

CREATE, UPDATE, DELETE, CHECK = "CREATE", "UPDATE", "DELETE", "CHECK"
SUSPEND, RESUME, ROLLBACK, INIT = "SUSPEND", "RESUME", "ROLLBACK", "INIT"
IN_PROGRESS, COMPLETE, FAILED = "IN_PROGRESS", "COMPLETE", "FAILED"


class Record:
    """A resource of a stack, stored in the stack's document."""

    __slots__ = ("doc",)

    def __init__(self, doc: Doc) -> None:
        self.doc = doc

    @classmethod
    def new(cls, name: str, type_name: str, now: str) -> Record:
        return cls(
            {
                "name": name, "type": type_name, "uuid": str(uuid.uuid4()), "physical": None, "action": INIT,
                "status": COMPLETE, "reason": "", "created": now, "updated": None, "metadata": {}, "data": {},
                "frozen": None, "props": {}, "requires": [],
            }
        )  # fmt: skip

    @property
    def name(self) -> str:
        return str(self.doc["name"])

    @property
    def type(self) -> str:
        return str(self.doc["type"])

    @property
    def uuid(self) -> str:
        return str(self.doc["uuid"])

    @property
    def physical(self) -> str | None:
        """Return the id in the cloud, or of the nested stack."""
        physical: str | None = self.doc["physical"]
        return physical

    @property
    def action(self) -> str:
        return str(self.doc["action"])

    @property
    def status(self) -> str:
        return str(self.doc["status"])

    @property
    def data(self) -> Doc:
        """Return the data that the plugin keeps between operations."""
        data: Doc = self.doc["data"]
        return data

    @property
    def props(self) -> Doc:
        """Return the property values at the last create or update."""
        props: Doc = self.doc["props"]
        return props

    @property
    def frozen(self) -> Doc | None:
        """Return the definition with all functions resolved, as of the last create or update."""
        frozen: Doc | None = self.doc["frozen"]
        return frozen

    @property
    def exists(self) -> bool:
        """Return whether a part of the resource may exist in the cloud."""
        return (self.action, self.status) not in ((INIT, COMPLETE), (DELETE, COMPLETE))

    @property
    def unborn(self) -> bool:
        return (self.action, self.status) == (INIT, COMPLETE)


def new_stack(*, name: str, project_id: str, owner: Doc, now: str) -> Doc:
    """Return the document of a stack without resources; `owner` has user_id, user_name and roles."""
    ident = str(uuid.uuid4())
    return {
        "id": ident, "name": name, "project_id": project_id, "owner": owner, "owner_id": None, "root_id": ident,
        "parent_resource": None, "depth": 0, "facade": {}, "action": CREATE, "status": IN_PROGRESS, "reason": "",
        "created": now, "updated": None, "deleted": None, "timeout": None, "disable_rollback": True, "tags": [],
        "blueprint": "", "resources": {}, "superseded": [],
    }  # fmt: skip
