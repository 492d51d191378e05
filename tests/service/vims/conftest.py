"""VIMs on real PostgreSQL and the simulated cloud; the worker is a thread that calls the task."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.worker import serving


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Probes connections as the Celery worker would."""
    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.vims.tasks import probe_connection

    registry.install(OpenStackProvider())
    with serving(probe_connection):
        yield


@pytest.fixture
def form(cloudsim: CloudsimProcess) -> Callable[..., dict[str, Any]]:
    """The body of a registration that works, with changes."""
    from vnfm.vims.domain.clouds_yaml import connection_named

    sim = connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim")
    body = {
        "name": "sim",
        "description": "The simulated cloud",
        "authUrl": sim.auth_url,
        "region": sim.region,
        "projectName": sim.project_name,
        "username": sim.username,
        "password": sim.password,
    }
    return lambda **changes: body | changes
