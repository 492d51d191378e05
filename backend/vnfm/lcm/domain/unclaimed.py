"""What lies in a cloud and belongs to no record of ours: found by comparing what was seen with what is claimed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from vnfm.clouds.types import Server, Stack

TAG = "vnfm"
"""Tag of every stack that we make."""
INSTANCE_TAG = "vnf-instance-"
"""Start of the stack's other tag, which ends in the VNF instance's id."""
INSTANCE_KEY = "vnf_instance"
"""Metadata of a server: the VNF instance's id."""
ARTEFACT_PREFIX = "vnfm-"
"""Start of the names of images and flavors that we make."""

Kind = Literal["stack", "server", "image", "flavor"]


@dataclass(frozen=True, slots=True)
class Found:
    """One resource as it was seen."""

    kind: Kind
    resource_id: str
    name: str
    ours: bool
    """It carries our tag."""
    seen_at: datetime
    owner: str = ""
    """Id of the VNF instance that its tag names."""
    status: str = ""
    updated_at: str = ""
    """Of a stack: Heat's `updated_time`."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Everything on record that accounts for resources of one cloud; read after the resources were seen."""

    stack_ids: Collection[str] = ()
    stack_names: Collection[str] = ()
    """Of stacks that operations are just making."""
    server_ids: Collection[str] = ()
    busy: Collection[str] = ()
    """Ids of VNF instances with an operation under way: what says that it is theirs may be just made, or going."""
    artefacts: Collection[tuple[str, str]] = ()
    """Kind and id of images and flavors."""
    used: Collection[str] = field(default_factory=frozenset)
    """Values of the parameters of our stacks: names and ids of images and flavors among them."""

    def claim(self, found: Found) -> bool:
        if found.kind == "stack":
            return found.resource_id in self.stack_ids or found.name in self.stack_names or found.owner in self.busy
        if found.kind == "server":
            return found.resource_id in self.server_ids or found.owner in self.busy
        return (found.kind, found.resource_id) in self.artefacts or bool(
            {found.resource_id, found.name} & set(self.used)
        )


def stacks_found(stacks: Iterable[Stack], seen_at: datetime) -> Iterator[Found]:
    for stack in stacks:
        owner = next((tag.removeprefix(INSTANCE_TAG) for tag in stack.tags if tag.startswith(INSTANCE_TAG)), "")
        ours = TAG in stack.tags
        yield Found("stack", stack.id, stack.name, ours, seen_at, owner, stack.status, stack.updated_at)


def servers_found(servers: Iterable[Server], seen_at: datetime) -> Iterator[Found]:
    """Those that say they are of a VNF instance; the others are nobody's business."""
    for server in servers:
        if owner := server.metadata.get(INSTANCE_KEY, ""):
            yield Found("server", server.id, server.name, True, seen_at, owner, server.status)


def artefacts_found(
    kind: Literal["image", "flavor"], rows: Iterable[Mapping[str, Any]], seen_at: datetime
) -> Iterator[Found]:
    """From the last probe: images and flavors of the names that we give."""
    for row in rows:
        if row["name"].startswith(ARTEFACT_PREFIX):
            yield Found(kind, row["id"], row["name"], True, seen_at, status=row.get("status", ""))


def unclaimed(found: Iterable[Found], claims: Claims) -> list[Found]:
    """What nobody claims; servers of an unclaimed stack go with it and are not named again."""
    loose = [item for item in found if not claims.claim(item)]
    owners = {item.owner for item in loose if item.kind == "stack" and item.owner}
    return [item for item in loose if item.kind != "server" or item.owner not in owners]


def as_uuid(text: str) -> UUID | None:
    """An owner as the key of an instance; None for words that are none."""
    try:
        return UUID(text)
    except ValueError:
        return None
