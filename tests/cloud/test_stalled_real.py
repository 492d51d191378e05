"""On a real Heat: its engine is killed in the midst of a scale out, and starts again; the stack stays in progress.

`VNFM_TEST_KILL_HEAT` and `VNFM_TEST_START_HEAT` are shell commands that kill its engine at once and start it again;
`VNFM_TEST_RESET_STACK` is heat-manage's reset_stack_status, to which the id of the stack is added.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tests.service.lcm.lifecycle import FORCEFUL, Lifecycle
from tests.service.lcm.step_control import wake
from tests.support.waiting import until
from vnfm.clouds.errors import NotFound
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import DRIVEN_STATES, CancelMode, Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.operations import op_cancel, op_handle_error

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
SMALL = {"control_flavor": "m1.tiny", "data_path_flavor": "m1.tiny", "data_vnic_type": "normal", "fabric_mtu": 1500}
SILENT = 20.0
GOES_ON = 60.0
"""Seconds within which the operation is to go on."""

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(1500),
]


def heat(command: str, *arguments: str) -> None:
    line = os.environ.get(f"VNFM_TEST_{command}")
    if not line:
        pytest.skip(f"VNFM_TEST_{command} is not set")
    subprocess.run(["/bin/sh", "-c", f'{line} "$@"', "sh", *arguments], check=True, timeout=300)


@pytest.fixture
def instance(life: Lifecycle, settings: Any) -> Iterator[VnfInstance]:
    settings.STACK_SILENT_SECONDS = SILENT
    image, instance = life.cloud.images.find("tiny"), life.create()
    assert image is not None
    request = life.instantiate_request(anti_affinity=False, image=image.id, **SMALL)
    life.done(instance, Operation.INSTANTIATE, request)
    yield instance
    with suppress(NotFound):
        life.cloud.stacks.delete(instance.stack_id)
    until(lambda: not life.stacks_of(instance), "the stack is gone", seconds=300, every=2)


def message(op: LcmOpOcc) -> str:
    return op.steps.get(kind="update_stack@1").message


def stalled(life: Lifecycle, instance: VnfInstance) -> LcmOpOcc:
    op = life.start(instance, Operation.SCALE, SCALE_OUT)
    until(lambda: wake(op) and life.cloud.stacks.status(instance.stack_id).in_progress, "Heat begins", every=0.05)
    heat("KILL_HEAT")
    wake(op)  # Heat's API does not answer
    heat("START_HEAT")
    until(lambda: wake(op) and "has Heat's engine died?" in message(op), "it says so", seconds=400, every=2)
    print(message(op))  # noqa: T201 - what the run measures
    return op


@pytest.mark.parametrize("remedy", ["reset", "retry", "rollback"])
def test_both_remedies_after_a_kill(life: Lifecycle, instance: VnfInstance, remedy: str) -> None:
    op, before = stalled(life, instance), life.servers_of(instance)
    began = time.monotonic()
    if remedy == "reset":
        heat("RESET_STACK", instance.stack_id)
    else:
        op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
        assert wake(op).state == "FAILED_TEMP"
        op_handle_error(op_id=op.id, task=remedy, actor="test")
    silent = message(op)
    until(lambda: wake(op) and message(op) != silent, "the operation goes on", seconds=GOES_ON, every=1)
    print(f"{remedy}: goes on after {time.monotonic() - began:.1f} s: {message(op)}")  # noqa: T201 - what the run measures
    until(lambda: wake(op).state not in DRIVEN_STATES, "the operation ends", seconds=600, every=1)
    print(f"{remedy}: {op.state} after {time.monotonic() - began:.1f} s")  # noqa: T201 - what the run measures
    assert op.state == ("ROLLED_BACK" if remedy == "rollback" else "COMPLETED"), life.story(op)
    after = life.servers_of(instance)
    assert {slot: after[slot] for slot in before if slot != "2"} == {s: i for s, i in before.items() if s != "2"}
    life.done(instance, Operation.TERMINATE, FORCEFUL)
