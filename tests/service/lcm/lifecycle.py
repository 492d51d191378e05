"""Runs operations to their end in a test, and injects failures of the cloud."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from django.db.models import F

from tests.support.cloudsim_process import CloudsimProcess
from tests.support.scenes import prepared
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud, CloudProvider
from vnfm.clouds.types import Connection
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.models import Lease
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.driver import drive
from vnfm.lcm.services.instances import vnf_instance_create
from vnfm.lcm.services.operations import op_handle_error, op_start
from vnfm.nfvo.registry import nfvo
from vnfm.vims import selectors as vims
from vnfm.vims.models import Vim

T = TypeVar("T")
SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 2}
SCALE_IN = {"type": "SCALE_IN", "aspectId": "data-path", "numberOfSteps": 1}
FORCEFUL = {"terminationType": "FORCEFUL"}

PATIENCE = 180.0
STANDSTILL = 0.4
BRIEF = timedelta(seconds=0.6)
"""A pause between two polls of a cloud, which is skipped; the longer ones, after errors, pass in real time."""
SHORTEST_REST, LONGEST_REST = 0.02, 0.2


class CrashError(BaseException):
    """The process dies here: no code of ours may catch it."""


PORTS = ("stacks", "servers", "flavors", "images", "networks", "volumes")
READS = {
    "find",
    "status",
    "show",
    "list",
    "template",
    "resources",
    "progress",
    "validate",
    "preview_create",
    "preview_update",
    "ports",
    "snapshots",
}
ANY, CHANGING = "any", "changing"
"""Kinds of calls: all; and all but READS."""


class Saboteur:
    """A provider whose clouds fail once: at the nth call of one kind, such as "stacks.create", of ANY kind, or CHANGING
    the cloud; before the call's effect, or right after it."""

    def __init__(self, provider: CloudProvider, call: str, error: BaseException, *, after: bool, nth: int = 1) -> None:
        assert call in {ANY, CHANGING} or call.partition(".")[0] in PORTS, f"no call is named {call}"
        self._provider = provider
        self._call = call
        self._error = error
        self._after = after
        self.remaining = nth - 1
        self.injected = 0

    def connect(self, connection: Connection) -> Cloud:
        return _Sabotaged(self._provider.connect(connection), self)  # type: ignore[return-value]

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if self.injected or self.remaining:
            self.remaining -= not self.injected
            return method(*args, **kwargs)
        self.injected += 1
        if self._after:
            with suppress(CloudError):  # Liberty refuses what newer releases have: that is the call's effect, then
                method(*args, **kwargs)
        raise self._error

    def hits(self, call: str) -> bool:
        return self._call in {call, ANY} or (self._call == CHANGING and call.split(".")[1] not in READS)


@dataclass(frozen=True)
class CallFailure:
    """The arguments of a Saboteur."""

    call: str
    error: BaseException
    nth: int = 1
    after: bool = False


class Meanwhile(Saboteur):
    """A provider whose clouds let `event` happen once: at the nth such call, before its effect or its answer."""

    def __init__(
        self, provider: CloudProvider, call: str, event: Callable[[], object], *, after: bool, nth: int = 1
    ) -> None:
        super().__init__(provider, call, AssertionError("no failure is injected"), after=after, nth=nth)
        self._event = event

    def inject(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if self.injected or self.remaining:
            self.remaining -= not self.injected
            return method(*args, **kwargs)
        self.injected += 1
        if not self._after:
            self._event()
        answer = method(*args, **kwargs)
        if self._after:
            self._event()
        return answer


class _Sabotaged:
    def __init__(self, target: Any, saboteur: Saboteur) -> None:
        self._target, self._saboteur = target, saboteur

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return _SabotagedPort(value, name, self._saboteur) if name in PORTS else value


class _SabotagedPort:
    def __init__(self, target: Any, port: str, saboteur: Saboteur) -> None:
        self._target, self._port, self._saboteur = target, port, saboteur

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._target, name)
        if not self._saboteur.hits(f"{self._port}.{name}"):
            return method
        return lambda *args, **kwargs: self._saboteur.inject(method, *args, **kwargs)


class Lifecycle:
    """Operations on fresh instances of one package in one VIM."""

    def __init__(self, vim: Vim, package: VnfPackage, patience: float = PATIENCE) -> None:
        self.vim = vim
        self.package = package
        self.patience = patience

    def create(self, name: str = "") -> VnfInstance:
        name = name or f"law-{uuid4().hex[:8]}"
        assert self.package.vnfd_id is not None
        return vnf_instance_create(vnfd_id=self.package.vnfd_id, name=name, actor="test")

    def start(self, instance: VnfInstance, operation: Operation, request: Mapping[str, Any]) -> LcmOpOcc:
        return op_start(instance_id=instance.id, request=parse_request(operation, request), actor="test")

    def instantiate_request(self, **params: Any) -> dict[str, Any]:
        return {
            "flavourId": vnfd_of(self.package).flavours[0].id,
            "vimConnectionInfo": {"vim1": {"vimId": str(self.vim.id), "vimType": self.vim.vim_type}},
            "additionalParams": params,
        }

    def run(self, op_id: UUID) -> LcmOpOcc:
        """Drive until the operation is in no driven state."""
        deadline = time.monotonic() + self.patience
        rest = SHORTEST_REST
        while True:
            op = self.look(op_id)
            if op.state not in DRIVEN_STATES:
                return op
            if self._cloud_worked(op):
                rest = SHORTEST_REST
            else:
                time.sleep(rest)
                rest = min(2 * rest, LONGEST_REST)
            assert time.monotonic() < deadline, f"{op.operation} is still {op.state}: {self.story(op)}"

    def _cloud_worked(self, op: LcmOpOcc) -> bool:
        """Wait while the simulated cloud works; whether it did."""
        LcmOpOcc.objects.filter(id=op.id, wake_at__lt=clock.now() + BRIEF).update(wake_at=None)
        cloud = CloudsimProcess.running.get(self.vim.auth_url)
        return cloud is not None and cloud.settle(LONGEST_REST)

    def run_out(self, op_id: UUID) -> LcmOpOcc:
        """The same without pauses: where nothing changes, a minute of waiting passes at once. The simulated cloud is
        finished with anything long before STANDSTILL."""
        seen, since = "", time.monotonic()
        while True:
            LcmOpOcc.objects.filter(id=op_id, state__in=DRIVEN_STATES).update(wake_at=None)
            op = self.look(op_id)
            if op.state not in DRIVEN_STATES:
                return op
            if (now := self.story(op)) != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > STANDSTILL:
                since = time.monotonic()
                op.steps.update(started_at=F("started_at") - timedelta(minutes=1))
            time.sleep(0.02)

    @staticmethod
    def look(op_id: UUID) -> LcmOpOcc:
        """Drive it as far as it goes now."""
        drive(op_id)
        return LcmOpOcc.objects.get(id=op_id)

    def done(self, instance: VnfInstance, operation: Operation, request: Mapping[str, Any]) -> LcmOpOcc:
        op = self.run(self.start(instance, operation, request).id)
        assert op.state == "COMPLETED", self.story(op)
        instance.refresh_from_db()
        return op

    def instantiated(self, **params: Any) -> VnfInstance:
        """A scene: it may have been instantiated minutes ago."""

        def instantiate() -> UUID:
            instance = self.create()
            self.done(instance, Operation.INSTANTIATE, self.instantiate_request(**params))
            return instance.id

        return VnfInstance.objects.get(id=self.prepared(f"instantiated {params} {self.package.id}", instantiate))

    def prepared(self, name: str, prepare: Callable[[], T]) -> T:
        """See `tests.support.scenes.prepared`. On a real cloud, for a test's own adapter or NFVO it just runs."""
        cloud = CloudsimProcess.running.get(self.vim.auth_url)
        usual = isinstance(registry.provider(), OpenStackProvider) and nfvo() is None
        return prepared(cloud, (name, self.vim.id), prepare) if cloud and usual else prepare()

    def handle(self, op: LcmOpOcc, task: str) -> LcmOpOcc:
        op_handle_error(op_id=op.id, task=task, actor="test")
        return self.run(op.id)

    @property
    def cloud(self) -> Cloud:
        return registry.provider().connect(vims.connection_of(self.vim))

    def stacks_of(self, instance: VnfInstance) -> list[str]:
        return [stack.name for stack in self.cloud.stacks.list() if str(instance.id)[:8] in stack.name]

    def servers_of(self, instance: VnfInstance) -> dict[str, str]:
        """Slot → server id, by the servers' metadata."""
        servers = self.cloud.servers.list()
        return {s.metadata["slot"]: s.id for s in servers if s.metadata.get("vnf_instance") == str(instance.id)}

    def images(self) -> list[str]:
        return [image.name for image in self.cloud.images.list() if image.name.startswith("vnfm-")]

    @staticmethod
    def story(op: LcmOpOcc) -> str:
        steps = [f"{s.kind} {s.state}: {s.message}" for s in op.steps.all()]
        return "; ".join([*steps, str(op.problem or "")])


def crash(life: Lifecycle, op_id: Any) -> None:
    """Drive into the crash, then let the dead worker's lease expire."""
    with pytest.raises(CrashError):
        life.run(op_id)
    expire_lease(op_id)


def expire_lease(op_id: Any) -> None:
    """Time passes: the dead worker's lease expires, and the sweeper finds the operation overdue."""
    Lease.objects.filter(key=f"op:{op_id}").update(expires_at="2000-01-01T00:00:00Z")
    LcmOpOcc.objects.filter(id=op_id).update(wake_at="2000-01-01T00:00:00Z")


def assert_clean(life: Lifecycle, instance: VnfInstance) -> None:
    instance.refresh_from_db()
    assert life.stacks_of(instance) == []
    assert life.servers_of(instance) == {}
    assert instance.instantiation_state == "NOT_INSTANTIATED"
    assert (instance.stack_id, instance.vim, instance.member_slots) == ("", None, {})
    assert not instance.vnfcs.exists()
    assert not instance.virtual_links.exists()
