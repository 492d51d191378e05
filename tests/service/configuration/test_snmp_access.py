"""SNMP access at routers that a rollback leaves: what was there before us stays."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from launcher.ports import free_port
from tests.factories.elements import make_policy
from tests.factories.inventory import make_instance
from tests.service.configuration.jobs import Router
from tests.service.lcm.lifecycle import CrashError
from tests.support.routersim_process import RoutersimProcess
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.session import open_session
from vnfm.devices.errors import DeviceError
from vnfm.devices.registry import provider
from vnfm.devices.traps.usm import localised_keys
from vnfm.devices.types import SnmpUser
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import snmp_target_of
from vnfm.kit.seal import seal
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.router_steps.snmp_access import SetUpSnmp
from vnfm.lcm.sagas.step_kinds import STEP_KINDS
from vnfm.lcm.steps.base import Context

pytestmark = pytest.mark.django_db

SYS_NAME = "1.3.6.1.2.1.1.5.0"
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
    """The adoption of a VNF whose stack stays in a rollback. The worker dies at the report `dies_at` that has a
    receipt.
    """

    def __init__(self, *, dies_at: int = 0, of: Adoption | None = None) -> None:
        """`of`: another one of the same VNF."""
        self.instance = of.instance if of is not None else make_instance()
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


def test_a_rollback_removes_the_added_statements_alone(router: Router) -> None:
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
def test_statements_of_a_killed_worker_are_removed(router: Router, goes_on: bool) -> None:
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


V2C = {"sealed_secrets": seal({"community": "zebra-9"})}
V3 = {
    "protocol": "SNMPv3",
    "settings": {"username": "poller", "auth_protocol": "SHA-256", "priv_protocol": "AES"},
    "sealed_secrets": seal({"auth_password": "auth-secret", "priv_password": "priv-secret"}),
}


def sys_name(element: NetworkElement) -> str:
    """As its SNMP policy reads it; "" where it does not answer."""
    assert element.snmp_policy is not None
    target = replace(snmp_target_of(element.snmp_policy, element.management_address), timeout=0.5)

    async def read() -> str:
        async with provider().snmp(target) as client:
            value = (await client.get([SYS_NAME]))[SYS_NAME]
            assert isinstance(value, bytes)
            return value.decode()

    try:
        return asyncio.run(read())
    except DeviceError:
        return ""


@pytest.mark.parametrize("policy", [V2C, V3], ids=["v2c", "v3"])
def test_a_router_by_netconf_alone_is_set_up_and_rolled_back(
    netconf_router: Router, routersim: RoutersimProcess, policy: dict[str, object]
) -> None:
    adoption, port = Adoption(), free_port()
    snmp = make_policy(port=port, **policy)
    element = netconf_router(
        vnf_instance=adoption.instance, snmp_policy=snmp, ssh_policy=None, factory=True, snmpPort=port
    )
    assert sys_name(element) == ""
    assert adoption.observe() == Done("Set up")
    assert sys_name(element) == element.name
    shown = adoption.stored["output"]
    assert "trap-target" in shown
    assert not any(secret in shown for secret in ("zebra-9", *localised(element, policy)))
    assert "snmp-trap-group 97" in str(routersim.control("GET", f"/elements/{element.name}/config"))
    kind = "community" if policy is V2C else "user"
    assert adoption.stored["absent"] == {str(element.id): ["log", "trap group", kind]}
    assert Adoption(of=adoption).observe() == Done("It was there already")
    assert adoption.undo() == Done("Taken back")
    assert sys_name(element) == ""
    assert "97" not in str(routersim.control("GET", f"/elements/{element.name}/config"))


def localised(element: NetworkElement, policy: dict[str, object]) -> list[str]:
    """The keys that the router was given."""
    if policy is V2C or element.snmp_policy is None:
        return []
    target = snmp_target_of(element.snmp_policy, element.management_address)
    assert isinstance(target.credentials, SnmpUser)
    engine = asyncio.run(provider().snmp_engine_id(target))
    return [key.hex() for key in localised_keys(target.credentials, engine)]


@pytest.mark.parametrize("policy", [V2C, V3], ids=["v2c", "v3"])
def test_a_huawei_router_is_set_up_and_rolled_back(
    router: Router, routersim: RoutersimProcess, policy: dict[str, object]
) -> None:
    """Its configuration shows no community: that it answers tells that it has ours."""
    adoption, port = Adoption(), free_port()
    snmp = make_policy(port=port, **policy)
    element = router("NE9000", vnf_instance=adoption.instance, snmp_policy=snmp, factory=True, snmpPort=port)
    assert sys_name(element) == ""
    assert adoption.observe() == Done("Set up")
    assert sys_name(element) == element.name
    shown = adoption.stored["output"]
    assert "target-host" in shown
    assert not any(secret in shown for secret in ("zebra-9", "auth-secret", "priv-secret"))
    kind = "community" if policy is V2C else "user"
    assert adoption.stored["absent"] == {str(element.id): [kind, "trap target"]}
    assert Adoption(of=adoption).observe() == Done("It was there already")
    assert adoption.undo() == Done("Taken back")
    assert sys_name(element) == ""
    assert "target-host" not in str(routersim.control("GET", f"/elements/{element.name}/config"))


def test_a_rollback_leaves_the_community_that_a_huawei_router_had(router: Router, routersim: RoutersimProcess) -> None:
    adoption, port = Adoption(), free_port()
    snmp = make_policy(port=port, **V2C)
    element = router("NE9000", vnf_instance=adoption.instance, snmp_policy=snmp, factory=True, snmpPort=port)
    push.load(element, "snmp-agent\nsnmp-agent sys-info version v2c\nsnmp-agent community read cipher zebra-9\n")
    assert sys_name(element) == element.name
    assert adoption.observe() == Done("Set up")
    assert adoption.stored["absent"] == {str(element.id): ["trap target"]}
    assert adoption.undo() == Done("Taken back")
    assert sys_name(element) == element.name


def test_a_user_that_a_killed_worker_added_is_ours_while_the_router_is_silent(router: Router) -> None:
    adoption, port = Adoption(dies_at=2), free_port()
    snmp = make_policy(port=port, **V3)
    element = router("NE9000", vnf_instance=adoption.instance, snmp_policy=snmp, factory=True, snmpPort=port)
    with pytest.raises(CrashError):
        adoption.observe()
    assert sys_name(element) == element.name, "it had been committed"
    type(snmp).objects.filter(id=snmp.id).update(port=free_port())  # where it does not answer
    assert adoption.observe() == Done("Set up")
    assert adoption.stored["absent"] == {str(element.id): ["user", "trap target"]}
    assert adoption.undo() == Done("Taken back")
    with open_session(element) as session:
        assert "poller" not in session.running()


def test_a_user_of_that_name_with_other_passwords_is_left_alone(router: Router) -> None:
    adoption, port = Adoption(), free_port()
    snmp = make_policy(port=port, **V3)
    element = router("NE9000", vnf_instance=adoption.instance, snmp_policy=snmp, factory=True, snmpPort=port)
    push.load(element, "snmp-agent\nsnmp-agent usm-user v3 poller\n")
    outcome = adoption.observe()
    assert isinstance(outcome, Blocked)
    assert "It has a user poller who cannot read it" in outcome.problem.detail
