"""VIMs on real PostgreSQL and the simulated cloud; the worker is a thread that calls the task."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.cloudsim_process import CloudsimProcess


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Takes up trials as the Celery worker would, told by the row instead of the broker."""
    from django.db import connections

    from vnfm.clouds import registry
    from vnfm.clouds.openstack import OpenStackProvider
    from vnfm.kit.models import Trial
    from vnfm.vims import tasks

    registry.install(OpenStackProvider())
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            for trial_id in Trial.objects.filter(state="waiting").values_list("id", flat=True):
                tasks.try_connection(str(trial_id))
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


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
