"""Operations that an external EM coordinates (SOL002 LcmCoordination)."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.em_standin import EmStandIn, working
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc, Step
from vnfm.nfvo import registry
from vnfm.nfvo.coordination import HttpElementManager

STOP: dict[str, Any] = {"changeStateTo": "STOPPED"}

COORDINATE = "coordinate@1"


@pytest.fixture
def em(lifecycle: Lifecycle) -> Iterator[EmStandIn]:
    """The EM that the product is wired to; it lets everything go on where the test says nothing else."""
    with EmStandIn() as standin:
        registry.install_em(HttpElementManager(standin.url, patience=0.5))
        yield standin
        registry.install_em(None)


@pytest.fixture
def instance(lifecycle: Lifecycle) -> VnfInstance:
    """It names the EM."""
    running = lifecycle.instantiated()
    running.metadata = {"lcmCoordination": "EM"}
    running.save(update_fields=["metadata"])
    return running


def stop(life: Lifecycle, instance: VnfInstance, **params: Any) -> LcmOpOcc:
    return life.start(instance, Operation.OPERATE, {**STOP, **params})


def look(life: Lifecycle, op: LcmOpOcc) -> LcmOpOcc:
    """One look now, whatever the time of the next one is."""
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    return life.look(op.id)


def coordinating(life: Lifecycle, instance: VnfInstance, em: EmStandIn) -> LcmOpOcc:
    """A stop that waits for the EM."""
    em.then(working(0))
    op = look(life, stop(life, instance))
    assert step(op).state == "WAITING", life.story(op)
    return op


def step(op: LcmOpOcc) -> Step:
    return op.steps.get(kind=COORDINATE)


def running(life: Lifecycle, instance: VnfInstance) -> bool:
    return {life.cloud.servers.show(one).status for one in life.servers_of(instance).values()} == {"ACTIVE"}
