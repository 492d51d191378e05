"""A worker dies at every boundary of every step at the element, in one life: each effect is there once in the end.

The matrix of `tests/chaos` strikes at calls of the cloud; these steps make none.
"""

from typing import Any

import pytest

from tests.service.lcm.element_lifecycle import SCALE_IN, SCALE_OUT, cards, configuration, in_service, managed
from tests.service.lcm.lifecycle import FORCEFUL, CrashError, Lifecycle, expire_lease
from tests.support.routersim_process import RoutersimProcess
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation
from vnfm.lcm.domain.steps import Done, Outcome, Receipt
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.router_steps.address import ForgetHostKeys
from vnfm.lcm.router_steps.configuration import LoadConfiguration
from vnfm.lcm.router_steps.deprovision import DeprovisionCards
from vnfm.lcm.router_steps.registration import RegisterElement, ReleaseElement, RemoveElement
from vnfm.lcm.router_steps.snmp_access import SetUpSnmp
from vnfm.lcm.router_steps.verify_service import VerifyService
from vnfm.lcm.sagas import step_kinds
from vnfm.lcm.steps.base import Context, Step

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("polled", "devices")]

STEPS: tuple[type[Step], ...] = (
    RegisterElement,
    SetUpSnmp,
    LoadConfiguration,
    VerifyService,
    DeprovisionCards,
    ForgetHostKeys,
    ReleaseElement,
    RemoveElement,
)
POINTS = ("before submit", "after submit, before the receipt", "after the receipt", "after the effect")
_crashed: set[tuple[Any, str, str]] = set()


class CrashingStep(Step):
    """Mixin: the worker dies once at each point of this step in each operation."""

    def _crash(self, ctx: Context, point: str) -> None:
        if (ctx.op.id, self.kind, point) not in _crashed:
            _crashed.add((ctx.op.id, self.kind, point))
            raise CrashError

    def find(self, ctx: Context) -> Receipt | None:
        self._crash(ctx, POINTS[0])
        return super().find(ctx)

    def submit(self, ctx: Context) -> Receipt:
        receipt = super().submit(ctx)
        self._crash(ctx, POINTS[1])
        return receipt

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        self._crash(ctx, POINTS[2])
        outcome = super().observe(ctx, receipt)
        if isinstance(outcome, Done):
            self._crash(ctx, POINTS[3])
        return outcome


@pytest.fixture(autouse=True)
def crashing_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for step in STEPS:
        crashing = type(f"Crashing{step.__name__}", (CrashingStep, step), {})
        monkeypatch.setitem(step_kinds.STEP_KINDS_BY_NAME, step.kind, crashing)


def crash_everywhere(life: Lifecycle, instance: VnfInstance, operation: Operation, request: dict[str, Any]) -> int:
    """Run the operation through all crashes; returns how many there were."""
    op = life.start(instance, operation, request)
    crashes = 0
    while LcmOpOcc.objects.get(id=op.id).state in DRIVEN_STATES:
        try:
            life.run(op.id)
        except CrashError:
            crashes += 1
            expire_lease(op.id)
    op.refresh_from_db()
    assert op.state == "COMPLETED", life.story(op)
    assert crashes == len(POINTS) * op.steps.filter(kind__in=[step.kind for step in STEPS]).count()
    instance.refresh_from_db()
    return crashes


def test_a_crash_at_every_point_of_every_element_step(
    lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]
) -> None:
    instance = lifecycle.create("pe")
    request = lifecycle.instantiate_request(**managed(policies, 230))
    assert crash_everywhere(lifecycle, instance, Operation.INSTANTIATE, request) == 16
    element = NetworkElement.objects.get(vnf_instance=instance)
    assert configuration(routers, 230).count("data 1 of ") == 1
    assert crash_everywhere(lifecycle, instance, Operation.SCALE, SCALE_OUT) == 8
    assert configuration(routers, 230).count("data 1 of ") == 2
    assert crash_everywhere(lifecycle, instance, Operation.SCALE, SCALE_IN) == 8
    assert configuration(routers, 230).count("data 1 of ") == 1
    assert crash_everywhere(lifecycle, instance, Operation.HEAL, {}) == 8
    assert cards(instance) == in_service(lifecycle, instance)
    assert NetworkElement.objects.get().id == element.id
    assert crash_everywhere(lifecycle, instance, Operation.TERMINATE, FORCEFUL) == 8
    assert not NetworkElement.objects.exists()
