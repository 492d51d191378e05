"""Heat 5.0 (Liberty): the orchestration API v1 and its engine, a REST client of the other simulated services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.heat.api import catalogue, resources, stacks
from cloudsim.heat.engine.engine import Engine
from cloudsim.heat.plugins.registry import Registry

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.service import Route

PART = "heat"


def versions(base: str) -> Reply:
    """`GET /`: 300 with the one version, as in Liberty."""
    links = [{"rel": "self", "href": f"{base}/v1/"}]
    return Reply(300, {"versions": [{"id": "v1.0", "status": "CURRENT", "links": links}]})


def routes(cloud: Cloud) -> list[Route]:
    """Return the routes of the API, and create the engine as a part of the cloud."""
    engine = Engine(cloud, Registry())
    cloud.parts[PART] = engine
    return [*stacks.routes(engine), *resources.routes(engine), *catalogue.routes(engine)]


async def start(cloud: Cloud) -> None:
    """Load the stored stacks; operations that a restart interrupted have failed."""
    engine: Engine = cloud.parts[PART]
    engine.load()


async def stop(cloud: Cloud) -> None:
    engine: Engine = cloud.parts[PART]
    await engine.stop()
