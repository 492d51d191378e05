"""The simulated cloud, and Heat through python-heatclient as anyone would reach it."""

import openstack
import pytest
from openstack.connection import Connection

from tests.service.cloudsim_heat.orchestra import Orchestra
from tests.support.cloudsim_process import CloudsimProcess


def connect(process: CloudsimProcess, cloud: str = "cloudsim") -> Connection:
    config = openstack.config.OpenStackConfig(config_files=[str(process.clouds_yaml)])
    return Connection(config=config.get_one(cloud))


@pytest.fixture
def cloud(cloudsim: CloudsimProcess) -> CloudsimProcess:
    """The process, fresh for each test."""
    cloudsim.control("POST", "/reset")
    return cloudsim


@pytest.fixture
def user(cloud: CloudsimProcess) -> Connection:
    return connect(cloud)


@pytest.fixture
def admin(cloud: CloudsimProcess) -> Connection:
    return connect(cloud, "cloudsim-admin")


@pytest.fixture
def heat(user: Connection) -> Orchestra:
    return Orchestra(user)
