"""A worker that dies while a foreign EM coordinates, and an EM that is away: the operation goes on, or stops."""

# ruff: noqa: F811 - fixtures of the other file

from collections.abc import Callable
from itertools import count, product
from typing import Any

import pytest

from tests.service.lcm.coordination_scene import (  # noqa: F401 - fixtures, too
    COORDINATE,
    coordinating,
    em,
    instance,
    running,
    step,
    stop,
)
from tests.service.lcm.lifecycle import CrashError, Lifecycle, crash, expire_lease
from tests.support.em_standin import EmStandIn, working
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.steps import Outcome, Receipt
from vnfm.lcm.router_steps.coordinate import Coordinate
from vnfm.lcm.sagas.step_kinds import STEP_KINDS_BY_NAME
from vnfm.lcm.services.operations import op_handle_error
from vnfm.lcm.steps.base import Context
from vnfm.lcm.wire.op_occ import op_occ
from vnfm.nfvo import registry
from vnfm.nfvo.coordination import HttpElementManager

pytestmark = pytest.mark.django_db(transaction=True)


class Dying:
    """An EM's client whose process dies at the nth call, before it or right after it."""

    def __init__(self, client: HttpElementManager, nth: int, *, after: bool) -> None:
        self._client, self._left, self._after = client, nth, after

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)

        def call(*args: Any) -> Any:
            self._left -= 1
            if self._left:
                return method(*args)
            if self._after:
                method(*args)
            raise CrashError

        return call


DEATHS = {
    f"{call}, {'after' if after else 'before'} it": (nth, after)
    for (call, nth), after in product({"POST": 1, "GET": 2}.items(), (False, True))
}


@pytest.mark.parametrize(("nth", "after"), DEATHS.values(), ids=DEATHS)
@pytest.mark.parametrize("searchable", [True, False], ids=["searchable", "no search"])
def test_a_worker_that_dies_at_a_call_goes_on(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance, *, nth: int, after: bool, searchable: bool
) -> None:
    em.searchable = searchable
    em.then(working(0))
    client = HttpElementManager(em.url)
    registry.install_em(Dying(client, nth, after=after))
    op = stop(lifecycle, instance)
    crash(lifecycle, op.id)
    em.end("CONTINUE")
    registry.install_em(client)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    (shown,) = op_occ(op)["lcmCoordinations"]
    assert shown["id"] in em.coordinations
    repeated = nth == 1 and after and not searchable
    assert len(em.coordinations) == 1 + repeated


def test_a_worker_that_dies_while_it_cancels_goes_on(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = lifecycle.run_out(coordinating(lifecycle, instance, em).id)
    client = HttpElementManager(em.url)
    registry.install_em(Dying(client, 1, after=True))
    with pytest.raises(CrashError):
        lifecycle.handle(op, "rollback")
    registry.install_em(client)
    expire_lease(op.id)
    op = lifecycle.run(op.id)
    assert op.state == "ROLLED_BACK", lifecycle.story(op)


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_worker_that_dies_before_it_stores_an_outcome_goes_on(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    """First that it is pending, then that it goes on, then its result."""
    outcomes = count(1)

    class DyingStep(Coordinate):
        def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
            outcome = super().observe(ctx, receipt)
            number = next(outcomes)
            if number == 2:
                em.end("CONTINUE")
            if number == nth:
                raise CrashError
            return outcome

    monkeypatch.setitem(STEP_KINDS_BY_NAME, COORDINATE, DyingStep)
    em.then(working(0))
    op = stop(lifecycle, instance)
    crash(lifecycle, op.id)
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert len(em.coordinations) == 1
    assert [one["coordinationResult"] for one in op_occ(op)["lcmCoordinations"]] == ["CONTINUE"]


def test_an_em_that_is_away_does_not_hold_a_rollback_up(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = lifecycle.run_out(coordinating(lifecycle, instance, em).id)
    registry.install_em(HttpElementManager("http://127.0.0.1:1/lcmcoord/v1"))
    op_handle_error(op_id=op.id, task="rollback", actor="test")
    op = lifecycle.run_out(op.id)
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert "cannot be reached" in step(op).message
    assert running(lifecycle, instance)


def test_an_em_that_stays_away_stops_the_operation_and_a_retry_finds_it_back(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    registry.install_em(HttpElementManager("http://127.0.0.1:1/lcmcoord/v1"))
    op = lifecycle.run_out(stop(lifecycle, instance).id)
    assert (op.state, op.problem["code"]) == ("FAILED_TEMP", "EM_UNREACHABLE")
    assert "lcmCoordinations" not in op_occ(op)
    registry.install_em(HttpElementManager(em.url))
    op = lifecycle.handle(op, "retry")
    assert op.state == "COMPLETED", lifecycle.story(op)


def test_an_em_that_is_no_longer_set_stops_the_operation(
    lifecycle: Lifecycle, em: EmStandIn, instance: VnfInstance
) -> None:
    op = coordinating(lifecycle, instance, em)
    registry.install_em(None)
    op = lifecycle.run(op.id)
    assert "VNFM_EM_COORD_URL is not set any more" in op.problem["detail"]
    assert running(lifecycle, instance)
