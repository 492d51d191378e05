"""The simulated cloud, reached by openstacksdk as anyone would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import openstack
import pytest
from openstack.connection import Connection

from tests.support.cloudsim_process import CloudsimProcess

T = TypeVar("T")


def connect(process: CloudsimProcess, cloud: str = "cloudsim") -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(process.clouds_yaml)])
    return Connection(config=config.get_one(cloud))


@pytest.fixture
def cloud(cloudsim: CloudsimProcess) -> Iterator[CloudsimProcess]:
    """The process, fresh for each test."""
    cloudsim.control("POST", "/reset")
    yield cloudsim
    cloudsim.control("DELETE", "/failures")


@pytest.fixture
def user(cloud: CloudsimProcess) -> Connection:
    return connect(cloud)


@pytest.fixture
def admin(cloud: CloudsimProcess) -> Connection:
    return connect(cloud, "cloudsim-admin")


@pytest.fixture
def boot(user: Connection) -> Callable[..., object]:
    """`boot("vm")` makes a server and waits for it."""

    def boot(name: str = "vm", flavor: str = "m1.tiny", *, wait: bool = True, **attrs: object) -> object:
        server = user.compute.create_server(
            name=name,
            **({} if "block_device_mapping" in attrs else {"image_id": user.image.find_image("tiny").id}),
            flavor_id=user.compute.find_flavor(flavor).id,
            networks=attrs.pop("networks", [{"uuid": user.network.find_network("public").id}]),
            **attrs,
        )
        return user.compute.wait_for_server(server, interval=0.05) if wait else server

    return boot
