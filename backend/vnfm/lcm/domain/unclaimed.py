"""Unclaimed resources: resources in a cloud that belong to no record of ours. Compares the found with the claimed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from vnfm.clouds.types import Server, Stack

TAG = "vnfm"
"""Tag of every stack that we create."""
INSTANCE_TAG = "vnf-instance-"
"""Start of the stack's other tag, which ends in the VNF instance's id."""
INSTANCE_KEY = "vnf_instance"
"""Metadata of a server: the VNF instance's id."""
ARTEFACT_PREFIX = "vnfm-"
"""Start of the names of images and flavors that we create."""

Kind = Literal["stack", "server", "image", "flavor"]


@dataclass(frozen=True, slots=True)
class FoundResource:
    """One resource in the cloud."""

    kind: Kind
    resource_id: str
    name: str
    ours: bool
    """It carries our tag."""
    observed_at: datetime
    owner: str = ""
    """Id of the VNF instance that its tag names."""
    status: str = ""
    updated_at: str = ""
    """Heat's `updated_time` of a stack; "" for other kinds."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The records that claim resources of one cloud; read after the resources were listed."""

    stack_ids: Collection[str] = ()
    stack_names: Collection[str] = ()
    """Names of stacks that operations are creating."""
    server_ids: Collection[str] = ()
    busy: Collection[str] = ()
    """Ids of VNF instances with an operation under way, which may be creating or removing resources."""
    artefacts: Collection[tuple[str, str]] = ()
    """Kind and id of images and flavors."""
    used: Collection[str] = field(default_factory=frozenset)
    """Values of the parameters of our stacks: names and ids of images and flavors among them."""

    def claim(self, found: FoundResource) -> bool:
        if found.kind == "stack":
            return found.resource_id in self.stack_ids or found.name in self.stack_names or found.owner in self.busy
        if found.kind == "server":
            return found.resource_id in self.server_ids or found.owner in self.busy
        return (found.kind, found.resource_id) in self.artefacts or bool(
            {found.resource_id, found.name} & set(self.used)
        )


def stacks_found(stacks: Iterable[Stack], observed_at: datetime) -> Iterator[FoundResource]:
    for stack in stacks:
        owner = next((tag.removeprefix(INSTANCE_TAG) for tag in stack.tags if tag.startswith(INSTANCE_TAG)), "")
        ours = TAG in stack.tags
        yield FoundResource("stack", stack.id, stack.name, ours, observed_at, owner, stack.status, stack.updated_at)


def servers_found(servers: Iterable[Server], observed_at: datetime) -> Iterator[FoundResource]:
    """The servers whose metadata name a VNF instance; others are ignored."""
    for server in servers:
        if owner := server.metadata.get(INSTANCE_KEY, ""):
            yield FoundResource("server", server.id, server.name, True, observed_at, owner, server.status)


def artefacts_found(
    kind: Literal["image", "flavor"], rows: Iterable[Mapping[str, Any]], observed_at: datetime
) -> Iterator[FoundResource]:
    """Yield images and flavors of the last probe that have our name prefix."""
    for row in rows:
        if row["name"].startswith(ARTEFACT_PREFIX):
            yield FoundResource(kind, row["id"], row["name"], True, observed_at, status=row.get("status", ""))


def unclaimed(found: Iterable[FoundResource], claims: Claims) -> list[FoundResource]:
    """The resources without a claim; servers of an unclaimed stack are not listed separately."""
    found_unclaimed = [item for item in found if not claims.claim(item)]
    owners = {item.owner for item in found_unclaimed if item.kind == "stack" and item.owner}
    return [item for item in found_unclaimed if item.kind != "server" or item.owner not in owners]


def as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
