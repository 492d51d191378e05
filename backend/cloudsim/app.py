"""Combines the services into one ASGI application."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from cloudsim.core.asgi import AsgiApplication
from cloudsim.core.errors import (
    Renderer,
    render_heat,
    render_keystone,
    render_neutron,
    render_nova,
    render_webob,
    render_wsme,
)
from cloudsim.core.service import Router, Service
from cloudsim.guests.hypervisors import close_hypervisor, open_hypervisor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from cloudsim.core.cloud import Cloud

SERVICES: dict[str, tuple[str, Renderer]] = {
    "identity": ("cloudsim.identity", render_keystone),
    "image": ("cloudsim.image", render_webob),
    "network": ("cloudsim.network", render_neutron),
    "volume": ("cloudsim.volume", render_nova),
    "compute": ("cloudsim.compute", render_nova),
    "orchestration": ("cloudsim.heat", render_heat),
    "alarming": ("cloudsim.aodh", render_wsme),
    "control": ("cloudsim.control", render_neutron),
}
"""The package and fault shape by URL prefix, in the order in which the services start."""


def mount(cloud: Cloud) -> None:
    """Bind every service package to the cloud."""
    for name, (package, render) in SERVICES.items():
        module = import_module(package)
        cloud.services[name] = Service(
            name=name,
            render=render,
            versions=module.versions,
            router=Router(module.routes(cloud)),
            start=partial(module.start, cloud) if hasattr(module, "start") else None,
            stop=partial(module.stop, cloud) if hasattr(module, "stop") else None,
        )


async def start(cloud: Cloud) -> None:
    """Seed and resume the services, and start the timers."""
    for service in cloud.services.values():
        if service.start:
            await service.start()
    cloud.timers.start()
    cloud.store.flush()


async def stop(cloud: Cloud) -> None:
    cloud.timers.stop()
    for service in reversed(cloud.services.values()):
        if service.stop:
            await service.stop()
    await asyncio.to_thread(cloud.notifier.stop)
    cloud.store.close()


async def reset(cloud: Cloud, documents: str = "") -> None:
    """Replace the cloud by a fresh one, or by one with these documents, in the same process; tokens stay valid."""
    cloud.timers.stop()
    await cloud.parts["lifecycle"].guests.erase_all()
    for service in reversed(cloud.services.values()):
        if service.stop:
            await service.stop()
    cloud.store.clear(*("token",) if documents else ())
    if documents:
        cloud.store.load(documents)
    cloud.injector.clear()
    cloud.stats.reset()
    mount(cloud)
    await start(cloud)


def build(cloud: Cloud) -> Starlette:
    """Return the application: every service under its prefix, and ``GET /healthz``."""
    mount(cloud)
    cloud.parts["reset"] = partial(reset, cloud)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await open_hypervisor(cloud)
        await start(cloud)
        try:
            yield
        finally:
            await stop(cloud)
            await close_hypervisor(cloud)

    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    return Starlette(routes=[Route("/healthz", healthz), Mount("/", app=AsgiApplication(cloud))], lifespan=lifespan)
