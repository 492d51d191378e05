"""The whole cloud as it was at a moment, to be put back: preparing a scene for a test once is enough."""

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
"""Kinds of documents that are no part of a snapshot: where nothing is under way, no deadline matters."""


class Snapshots:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._kept: dict[str, str] = cloud.parts.setdefault("snapshots", {})
        """Survives a reset."""

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/v1/snapshots", self.create, auth=False),
            Route("POST", "/v1/snapshots/{id}/restore", self.restore, auth=False),
        ]

    async def create(self, _ctx: RequestContext, _request: Request) -> Reply:
        """Keep the state. The same state gives the same id."""
        if works(self._cloud, LONGEST) or self._cloud.injector.rules():
            raise ApiFault(409, "Conflict", "Something is under way, or a failure rule is there.")
        documents = self._cloud.store.dump(*OF_THE_PROCESS)
        ident = sha256(documents.encode()).hexdigest()
        self._kept[ident] = documents
        if images := images_folder(self._cloud):
            _link_missing(images, images.parent / "snapshots" / ident)
        return Reply(201, {"id": ident})

    async def restore(self, _ctx: RequestContext, request: Request) -> Reply:
        """The cloud as it was. What is under way ends as when the cloud is reset."""
        documents = self._kept.get(request.params["id"])
        if documents is None:
            raise ApiFault(404, "NotFound", f"There is no snapshot {request.params['id']}.")
        await self._cloud.parts["reset"](documents)
        if images := images_folder(self._cloud):
            _link_missing(images.parent / "snapshots" / request.params["id"], images)
        return Reply(204)


def _link_missing(source: Path, target: Path) -> None:
    """An image's data never changes."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if not (target / file.name).exists():
            (target / file.name).hardlink_to(file)
