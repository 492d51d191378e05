"""The protocol of step kinds, their base class, and the context that a step works with."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit import seal
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import Outcome, Receipt, StepSpec
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.request_reader import effective_secrets
from vnfm.vims import selectors as vims


class ReportProgress(Protocol):
    """Reports the progress of a long `observe`; a `receipt` replaces the stored one at once. Without one the report
    also says that the cloud answers.

    Raises StaleOperationError when `observe` must stop: the operation was cancelled, or another worker has it.
    """

    def __call__(self, message: str, receipt: Receipt | None = None) -> None: ...


def _no_report(message: str, receipt: Receipt | None = None) -> None:
    """The default of contexts that no operation shows."""


@dataclass(slots=True)
class Context:
    """A step's view of its operation. The cloud is used through the port only."""

    op: LcmOpOcc
    instance: InstanceRecord
    params: Mapping[str, Any]
    kinds: tuple[type["Step"], ...]
    """All step kinds: a step asks what the others do, such as change the stack, by their class attributes."""
    elapsed: float = 0.0
    """Seconds since this attempt at the step began, without those in which its cloud was away."""
    report: ReportProgress = _no_report

    @property
    def plan(self) -> Plan:
        assert self.op.plan is not None, "a step runs only after its plan was stored"
        return Plan.from_json(self.op.plan)

    @property
    def package(self) -> PackageRecord:
        """The package whose files Heat gets: the planned one on the way forward, else the instance's own."""
        return self.planned_package if self.op.state == OperationState.PROCESSING else self.instance.package

    @property
    def planned_package(self) -> PackageRecord:
        """The package that the plan leads to, also during a rollback."""
        planned = self.plan.package_id
        return catalog.package_get(package_id=UUID(planned)) if planned else self.instance.package

    @property
    def vnfd(self) -> Vnfd:
        return catalog.vnfd_of(self.package)

    @property
    def cloud(self) -> Cloud:
        assert self.instance.vim is not None, "the instance got its VIM when the operation started"
        return registry.provider().connect(vims.connection_of(self.instance.vim))

    @property
    def secrets(self) -> dict[str, str]:
        """Hidden settings of the instance and of the request, in clear for the moment of a call."""
        return effective_secrets(self.op, self.instance)

    @property
    def secrets_before(self) -> dict[str, str]:
        """Hidden settings as they were before the operation."""
        token = self.instance.sealed_settings
        return seal.unseal(token) if token else {}


class Step(ABC):
    """A step kind: one effect in the cloud, or on our record of it.

    Each method makes at most a few calls, never waits, and may be run again at any time: a worker may be killed between
    any two lines. Register a new kind in `sagas.step_kinds`.
    """

    kind: ClassVar[str]
    """The versioned name under which stored operations find this class."""
    changes_stack: ClassVar[bool] = False
    """Heat's `updated_time` of the stack may change: that second must have passed before Heat gets another update."""
    applies_template: ClassVar[bool] = False
    """Heat creates or updates the stack from our template, and so creates what VNFCs are missing."""
    ends_when_cancelled: ClassVar[bool] = False
    """`observe` itself ends a step that has begun when the operation is cancelled, in either mode."""
    previewed: ClassVar[bool] = False
    """Heat can preview what the step would do."""

    @classmethod
    def spec(cls, title: str, params: Mapping[str, Any] | None = None, one_way: str = "") -> StepSpec:
        """A step of this kind for a plan."""
        return StepSpec(cls.kind, title, params or {}, one_way)

    def find(self, ctx: Context) -> Receipt | None:
        """Find the existing effect of a crashed attempt; None when there is none."""
        return None

    @abstractmethod
    def submit(self, ctx: Context) -> Receipt:
        """Make the effect by one changing cloud call, or note what `observe` is to do call by call."""

    @abstractmethod
    def observe(self, ctx: Context, receipt: Receipt) -> Outcome: ...

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Prepare a Retry of the step, which was submitted and failed; called again until its receipt is stored."""
        return receipt

    @abstractmethod
    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Take the effect back; "already gone" is success. Called again while it returns Waiting.

        Notes for the next call go into the receipt below `UNDO`.
        """
