"""Random sequences of operations, failures, crashes and hands behind our back; in the end the record is compared with
the cloud, resource by resource."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import openstack
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from openstack.connection import Connection

from tests.chaos.operations import BY_NAME, DEFAULT, OPERATIONS, Operation, make_foreign_network, request_of
from tests.chaos.reconcile import Finding, compare
from tests.factories.catalog import onboarded
from tests.factories.packages import vsr_next
from tests.service.lcm.lifecycle import ANY, CrashError, Lifecycle, Saboteur
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds import registry
from vnfm.clouds.errors import Denied, Rejected, Transient, Unknown
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import CloudProvider
from vnfm.inventory.models import VnfInstance
from vnfm.kit.models import Lease
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.settle_failed import settle_failed
from vnfm.vims.models import VimArtefact

if TYPE_CHECKING:
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db(transaction=True)

INSTANCES = 2
MISHAP_CALLS = ("stacks.create", "stacks.update", "stacks.delete", "images.create", "images.upload", "servers.stop")
ERRORS = (Rejected, Transient, Unknown, Denied)


@dataclass(frozen=True)
class Mishap:
    """A fault while an operation runs: at the nth such call, before or after its effect, the cloud answers with
    an error, or without one our process dies; or it is cancelled after n runs."""

    call: str = ""
    nth: int = 1
    after: bool = False
    error: type[Exception] | None = None
    cancel: str = ""

    def provider(self) -> CloudProvider:
        if not self.call:
            return OpenStackProvider()
        said = self.error("sabotage", service="heat", http_status=500) if self.error else CrashError()
        return Saboteur(OpenStackProvider(), self.call, said, after=self.after, nth=self.nth)


MISHAPS = st.one_of(
    st.just(Mishap()),
    st.builds(Mishap, st.sampled_from(MISHAP_CALLS), st.just(1), st.booleans(), st.sampled_from((None, *ERRORS))),
    st.builds(Mishap, st.just(ANY), st.integers(1, 12), st.booleans(), st.sampled_from((None, *ERRORS))),
    st.builds(Mishap, nth=st.integers(0, 6), cancel=st.sampled_from(["GRACEFUL", "FORCEFUL"])),
)
WHICH = st.integers(0, 7)


class Life(RuleBasedStateMachine):
    """Up to two instances in one cloud, and everything that may happen to them.

    Which rules may follow must not hang on how fast a cloud was: a rule that finds nothing to do does nothing.
    """

    def __init__(self, lifecycle: Lifecycle, cloudsim: CloudsimProcess, api: "APIClient") -> None:
        super().__init__()
        self.life, self.api, self.control = lifecycle, api, cloudsim.control
        for model in (LcmOpOcc, VnfInstance, VimArtefact, Lease):
            model.objects.all().delete()
        self.control("POST", "/reset")
        config = openstack.config.OpenStackConfig(config_files=[str(cloudsim.clouds_yaml)])
        self.cloud = Connection(config=config.get_one("cloudsim"))
        make_foreign_network(self.cloud)
        self.instances: list[str] = []
        self.lost: set[str] = set()
        """Servers that went behind our back, and their ports."""

    @precondition(lambda self: len(self.instances) < INSTANCES)
    @rule(mishap=MISHAPS)
    def instantiate(self, mishap: Mishap) -> None:
        self.instances.append(str(self.life.create().id))
        self._do(BY_NAME["INSTANTIATE"], self.instances[-1], mishap)

    @precondition(lambda self: self.instances)
    @rule(
        lcm_operation=st.sampled_from([operation for operation in OPERATIONS if operation.product == DEFAULT]),
        which=WHICH,
        mishap=MISHAPS,
    )
    def operate(self, lcm_operation: Operation, which: int, mishap: Mishap) -> None:
        self._do(lcm_operation, self.instances[which % len(self.instances)], mishap)

    @rule(task=st.sampled_from(["retry", "rollback", "fail"]), which=WHICH, mishap=MISHAPS)
    def handle(self, task: str, which: int, mishap: Mishap) -> None:
        if asking := self._request():
            self._handle(asking[which % len(asking)], task, mishap)

    @rule(how=st.sampled_from(["stop", "delete", "error"]), which=WHICH)
    def meddle(self, how: str, which: int) -> None:
        """Another user's action on a server."""
        servers = self._servers()
        if not servers:
            return
        server = servers[which % len(servers)]
        if how == "delete":
            self.lost |= {server.id, *(port.id for port in self.cloud.network.ports(device_id=server.id))}
        self.control("POST", f"/servers/{server.id}/{how}")

    @invariant()
    def one_server_a_slot(self) -> None:
        places = [(s.metadata["vnf_instance"], s.metadata["slot"]) for s in self._servers()]
        assert len(places) == len(set(places)), places

    def teardown(self) -> None:
        """Whatever is open is brought to an end; record and cloud agree then, and after termination nothing is left."""
        for task in ("retry", "rollback", "fail"):
            for op in self._request():
                self._handle(op, task, Mishap())
        assert self._request() == []
        assert self._unexplained() == []
        for instance in self.instances:
            if VnfInstance.objects.get(id=instance).instantiation_state == "INSTANTIATED":
                self._do(BY_NAME["TERMINATE"], instance, Mishap())
        assert compare(self.get, self.cloud, self.instances) == []
        assert self._servers() == []

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self.api.post(path, body, format="json")

    def _do(self, operation: Operation, instance: str, mishap: Mishap) -> None:
        """Ask for it as anybody would; what is refused is refused without a trace."""
        ask = self.api.post if operation.method == "POST" else self.api.patch
        body = request_of(operation, str(self.life.vim.id), instance, self)
        answer = ask(operation.path(instance), body, format="json")
        assert answer.status_code in {202, 409, 422}, answer.content
        if answer.status_code == 202:
            self._see(answer.headers["Location"].rsplit("/", 1)[-1], mishap)

    def _handle(self, op: LcmOpOcc, task: str, mishap: Mishap) -> None:
        answer = self.api.post(f"/vnflcm/v2/vnf_lcm_op_occs/{op.id}/{task}")
        assert answer.status_code in {200, 202, 409}, answer.content
        if answer.status_code == 200:
            settle_failed(op.id)
        elif answer.status_code == 202:
            self._see(str(op.id), mishap)

    def _see(self, op_id: Any, mishap: Mishap) -> None:
        """The worker at work, and after it died another one."""
        registry.install(mishap.provider())
        try:
            if mishap.cancel:
                self._cancel(op_id, mishap)
            self.life.run_out(op_id)
        except CrashError:
            Lease.objects.filter(key=f"op:{op_id}").update(expires_at="2000-01-01T00:00:00Z")
            registry.install(OpenStackProvider())
            self.life.run_out(op_id)
        finally:
            registry.install(OpenStackProvider())

    def _cancel(self, op_id: Any, mishap: Mishap) -> None:
        for _ in range(mishap.nth):
            self.life.look(op_id)
        path = f"/vnflcm/v2/vnf_lcm_op_occs/{op_id}/cancel"
        answer = self.api.post(path, {"cancelMode": mishap.cancel}, format="json")
        assert answer.status_code in {202, 409}, answer.content

    def _request(self) -> list[LcmOpOcc]:
        return list(LcmOpOcc.objects.filter(state="FAILED_TEMP").order_by("start_time"))

    def _servers(self) -> list[Any]:
        return sorted(self.cloud.compute.servers(), key=lambda server: str(server.name))

    def get(self, path: str) -> Any:
        answer = self.api.get(path)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def _unexplained(self) -> list[Finding]:
        """A server that went behind our back may be on record still, and its ports be Heat's and not on record."""
        found = compare(self.get, self.cloud, self.instances)
        return [one for one in found if one.kind not in {"lost", "unrecorded"} or one.ident not in self.lost]


Live = Callable[[int, int], None]


@pytest.fixture
def live(lifecycle: Lifecycle, cloudsim: CloudsimProcess, api: "APIClient") -> Live:
    """Return a function that runs `lives` lives of `events` events; the same ones each time, and without looking for a
    simpler failure.
    """
    onboarded(vsr_next())

    def run(lives: int, events: int) -> None:
        profile = settings(
            max_examples=lives,
            stateful_step_count=events,
            derandomize=True,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        run_state_machine_as_test(partial(Life, lifecycle, cloudsim, api), settings=profile)

    return run


def test_a_few_lives(live: Live) -> None:
    live(4, 10)


@pytest.mark.chaos
@pytest.mark.timeout(3600)
def test_many_lives(live: Live) -> None:
    live(100, 20)
