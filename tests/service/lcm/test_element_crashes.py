"""A worker dies at every boundary of every step at the element, in one life: each effect is there once in the end.

The matrix of `tests/chaos` strikes at calls of the cloud; these steps make none.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from tests.routersim_process import RoutersimProcess
from tests.service.lcm.at_the_element import SCALE_IN, SCALE_OUT, cards, configuration, in_service, managed
from tests.service.lcm.driving import CrashError, Lifecycle
from tests.service.lcm.test_saga_laws import FORCEFUL, forgotten
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation
from vnfm.lcm.domain.steps import Done, Outcome, Receipt
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.base import Context, StepKind, kind_of, step_kind

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("polled", "devices")]

AT_THE_ELEMENT = (
    *("adopt_element@1", "load_configuration@1", "verify_service@1", "deprovision_cards@1", "forget_host_keys@1"),
    *("release_element@1", "remove_element@1"),
)
POINTS = ("before submit", "after submit, before the receipt", "after the receipt", "after the effect")
_died: set[tuple[Any, str, str]] = set()


class Deadly:
    """The step, in whose worker the process dies once at each of the points of each operation."""

    def __init__(self, inner: StepKind) -> None:
        self._inner = inner
        self.kind = f"deadly.{inner.kind}"

    def _die(self, ctx: Context, point: str) -> None:
        if (ctx.op.id, self.kind, point) not in _died:
            _died.add((ctx.op.id, self.kind, point))
            raise CrashError

    def find(self, ctx: Context) -> Receipt | None:
        self._die(ctx, POINTS[0])
        return self._inner.find(ctx)

    def submit(self, ctx: Context) -> Receipt:
        receipt = self._inner.submit(ctx)
        self._die(ctx, POINTS[1])
        return receipt

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        self._die(ctx, POINTS[2])
        outcome = self._inner.observe(ctx, receipt)
        if isinstance(outcome, Done):
            self._die(ctx, POINTS[3])
        return outcome

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        return self._inner.undo(ctx, receipt)

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self._inner.again(ctx, receipt)


def _deadly(kind: str) -> None:
    step_kind(lambda: Deadly(kind_of(kind)))


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    for kind in AT_THE_ELEMENT:
        _deadly(kind)


@pytest.fixture(autouse=True)
def planned(transactional_db: None) -> Iterator[None]:
    """Whatever is planned at the element is deadly: a step that comes first runs as soon as it is written."""
    kinds = ", ".join(f"'{kind}'" for kind in AT_THE_ELEMENT)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION deadly() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN NEW.kind := 'deadly.' || NEW.kind; RETURN NEW; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER deadly BEFORE INSERT ON lcm_step FOR EACH ROW WHEN (NEW.kind IN ({kinds})) "
            "EXECUTE FUNCTION deadly()"
        )
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION deadly() CASCADE")


def dying(life: Lifecycle, instance: VnfInstance, operation: Operation, request: dict[str, Any]) -> int:
    """Do it over all its deaths; how many there were."""
    op = life.start(instance, operation, request)
    deaths = 0
    while LcmOpOcc.objects.get(id=op.id).state in DRIVEN_STATES:
        try:
            life.run(op.id)
        except CrashError:
            deaths += 1
            forgotten(op.id)
    op.refresh_from_db()
    assert op.state == "COMPLETED", life.story(op)
    assert deaths == len(POINTS) * op.steps.filter(kind__startswith="deadly.").count()
    instance.refresh_from_db()
    return deaths


def test_a_life_over_every_death(lifecycle: Lifecycle, routers: RoutersimProcess, policies: dict[str, str]) -> None:
    instance = lifecycle.create("pe")
    request = lifecycle.instantiate_request(**managed(policies, 230))
    assert dying(lifecycle, instance, Operation.INSTANTIATE, request) == 12
    element = NetworkElement.objects.get(vnf_instance=instance)
    assert configuration(routers, 230).count("data 1 of ") == 1
    assert dying(lifecycle, instance, Operation.SCALE, SCALE_OUT) == 8
    assert configuration(routers, 230).count("data 1 of ") == 2
    assert dying(lifecycle, instance, Operation.SCALE, SCALE_IN) == 8
    assert configuration(routers, 230).count("data 1 of ") == 1
    assert dying(lifecycle, instance, Operation.HEAL, {}) == 8
    assert cards(instance) == in_service(lifecycle, instance)
    assert NetworkElement.objects.get().id == element.id
    assert dying(lifecycle, instance, Operation.TERMINATE, FORCEFUL) == 8
    assert not NetworkElement.objects.exists()
