"""SNMP access at routers that a rollback leaves: what was there before us stays."""

from __future__ import annotations

import pytest

from tests.factories.elements import make_policy
from tests.factories.inventory import make_instance
from tests.service.configuration.jobs import Router
from tests.service.lcm.lifecycle import CrashError
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.session import open_session
from vnfm.elements.models import NetworkElement
from vnfm.lcm.domain.steps import Done, Outcome, Receipt
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.element_snmp import SetUpSnmp
from vnfm.lcm.steps.registry import STEP_KINDS

pytestmark = pytest.mark.django_db

COMMUNITY, LOG, GROUP = 'community "zebra-9"', "log-id 97", "snmp-trap-group 97"
OWN = """exit all
configure
    system
        security
            snmp
                community "zebra-9" r version v2c
            exit
        exit
    exit
    log
        log-id 97
            description "of another manager"
        exit
    exit
exit all
"""


class Adoption:
    """Of a VNF whose stack stays in a rollback. The worker dies at the report `dies_at` that has a receipt."""

    def __init__(self, *, dies_at: int = 0) -> None:
        self.instance = make_instance()
        self.step, self._left = SetUpSnmp(), dies_at
        params = {"existing": [], "stays": True}
        self.context = Context(LcmOpOcc(), self.instance, params, STEP_KINDS, report=self._report)
        self.stored: Receipt = self.step.submit(self.context)

    def _report(self, message: str, receipt: Receipt | None = None) -> None:
        if receipt is None:
            return
        self._left -= 1
        if self._left == 0:
            raise CrashError
        self.stored = dict(receipt)

    def observe(self) -> Outcome:
        return self.step.observe(self.context, self.stored)

    def undo(self) -> Outcome:
        return self.step.undo(self.context, self.stored)


def parts(element: NetworkElement) -> list[str]:
    """Those of the access that the router has."""
    with open_session(element) as session:
        running = session.running()
    return [part for part in (COMMUNITY, LOG, GROUP) if part in running]


def test_a_rollback_removes_what_was_absent_and_nothing_else(router: Router) -> None:
    adoption = Adoption()
    fields = {"vnf_instance": adoption.instance, "snmp_policy": make_policy(community="zebra-9")}
    used, bare = router(**fields), router(**fields)
    push.load(used, OWN)
    assert (parts(used), parts(bare)) == ([COMMUNITY, LOG], [])
    assert adoption.observe() == Done("Set up")
    assert adoption.stored["absent"] == {str(used.id): ["trap group"], str(bare.id): ["log", "trap group", "community"]}
    assert parts(used) == parts(bare) == [COMMUNITY, LOG, GROUP]
    assert adoption.undo() == Done("Taken back")
    assert (parts(used), parts(bare)) == ([COMMUNITY, LOG], [])


@pytest.mark.parametrize("goes_on", [True, False])
def test_what_a_worker_added_before_it_died_is_removed(router: Router, goes_on: bool) -> None:
    adoption = Adoption(dies_at=2)
    element = router(vnf_instance=adoption.instance, snmp_policy=make_policy(community="zebra-9"))
    with pytest.raises(CrashError):
        adoption.observe()
    assert parts(element) == [COMMUNITY, LOG, GROUP], "it had been loaded"
    if goes_on:
        assert adoption.observe() == Done("Set up")
    assert adoption.undo() == Done("Taken back")
    assert parts(element) == []


def test_a_worker_that_dies_as_it_notes_has_changed_nothing(router: Router) -> None:
    adoption = Adoption(dies_at=1)
    element = router(vnf_instance=adoption.instance, snmp_policy=make_policy(community="zebra-9"))
    with pytest.raises(CrashError):
        adoption.observe()
    assert parts(element) == []
