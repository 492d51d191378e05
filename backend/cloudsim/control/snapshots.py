"""Snapshots of the whole cloud, so that a test's initial state has to be created only once."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from cloudsim.control.settling import LONGEST, works
from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.image.images import images_folder

if TYPE_CHECKING:
    from pathlib import Path

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

OF_THE_PROCESS = ("token", "timer")
"""Kinds of documents that a snapshot leaves out: without running work, no deadline matters."""


class Snapshots:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._kept: dict[str, str] = cloud.parts.setdefault("snapshots", {})
        """The snapshots by id, which survive a reset."""

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/v1/snapshots", self.create, auth=False),
            Route("POST", "/v1/snapshots/{id}/restore", self.restore, auth=False),
        ]

    async def create(self, _ctx: RequestContext, _request: Request) -> Reply:
        """Store the state; the same state gives the same id."""
        if works(self._cloud, LONGEST) or self._cloud.injector.rules():
            raise ApiFault(409, "Conflict", "Something is under way, or a failure rule is there.")
        documents = self._cloud.store.dump(*OF_THE_PROCESS)
        ident = sha256(documents.encode()).hexdigest()
        self._kept[ident] = documents
        if images := images_folder(self._cloud):
            _link_missing(images, images.parent / "snapshots" / ident)
        return Reply(201, {"id": ident})

    async def restore(self, _ctx: RequestContext, request: Request) -> Reply:
        """Restore a snapshot; running work ends as at a reset."""
        documents = self._kept.get(request.params["id"])
        if documents is None:
            raise ApiFault(404, "NotFound", f"The snapshot {request.params['id']} does not exist.")
        await self._cloud.parts["reset"](documents)
        if images := images_folder(self._cloud):
            _link_missing(images.parent / "snapshots" / request.params["id"], images)
        return Reply(204)


def _link_missing(source: Path, target: Path) -> None:
    """Link the images' data, which never change."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if not (target / file.name).exists():
            (target / file.name).hardlink_to(file)
