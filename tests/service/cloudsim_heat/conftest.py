"""A cloud of these tests' own, and Heat through python-heatclient as anyone would reach it."""

from collections.abc import Iterator

import openstack
import pytest
from openstack.connection import Connection

from tests.cloudsim_process import CloudsimProcess
from tests.service.cloudsim_heat.orchestra import Orchestra


def connect(process: CloudsimProcess, cloud: str = "cloudsim") -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(process.clouds_yaml)])
    return Connection(config=config.get_one(cloud))


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    with CloudsimProcess(tmp_path_factory.mktemp("cloud"), hosts=4) as running:
        yield running


@pytest.fixture
def cloud(process: CloudsimProcess) -> CloudsimProcess:
    """The process, fresh for each test."""
    process.control("POST", "/reset")
    return process


@pytest.fixture
def user(cloud: CloudsimProcess) -> Connection:
    return connect(cloud)


@pytest.fixture
def admin(cloud: CloudsimProcess) -> Connection:
    return connect(cloud, "cloudsim-admin")


@pytest.fixture
def heat(user: Connection) -> Orchestra:
    return Orchestra(user)
