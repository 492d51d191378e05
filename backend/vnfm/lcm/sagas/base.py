"""The protocol of step kinds, their registry, and what a step is given to work with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.models import VnfPackage
from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VnfInstance
from vnfm.kit import seal
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.domain.steps import Outcome, Receipt
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.request_reader import effective_secrets
from vnfm.vims import selectors as vims


class Tell(Protocol):
    """What a look that lasts says meanwhile; a `receipt` replaces the stored one at once. Without one it also says that
    the cloud answers.

    Raises StaleOperationError when the look is to break off: somebody cancelled it, or has taken the operation over.
    """

    def __call__(self, message: str, receipt: Receipt | None = None) -> None: ...


def _unheard(message: str, receipt: Receipt | None = None) -> None:
    """Where nobody looks on."""


@dataclass(slots=True)
class Context:
    """One step's view of its operation. Reads the cloud through the port only."""

    op: LcmOpOcc
    instance: VnfInstance
    params: Mapping[str, Any]
    elapsed: float = 0.0
    """Seconds since this attempt at the step began, without those in which its cloud was away."""
    tell: Tell = _unheard

    @property
    def plan(self) -> Plan:
        assert self.op.plan is not None, "a step runs only after its plan was stored"
        return Plan.from_json(self.op.plan)

    @property
    def package(self) -> VnfPackage:
        """The package whose files Heat is given: the planned one on the way forward, else the instance's own."""
        return self.planned_package if self.op.state == OperationState.PROCESSING else self.instance.package

    @property
    def planned_package(self) -> VnfPackage:
        """The package that the plan leads to, also while it is taken back."""
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
        """Hidden settings of the instance and of the request, unsealed for the moment of a call."""
        return effective_secrets(self.op, self.instance)

    @property
    def secrets_before(self) -> dict[str, str]:
        """Hidden settings as they were before the operation."""
        token = self.instance.sealed_settings
        return seal.unseal(token) if token else {}


class StepKind(Protocol):
    """One cloud effect. Each method makes at most a few calls, never waits, and may be run again at any time."""

    kind: str

    def find(self, ctx: Context) -> Receipt | None:
        """Adopt what a crashed attempt already made."""

    def submit(self, ctx: Context) -> Receipt:
        """Make the effect by one changing cloud call, or note what `observe` is to make of it, call by call."""

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome: ...

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Take the effect back; "already gone" is success. Called again while it says Waiting.

        What it must remember of this attempt goes into the receipt below `UNDO`.
        """

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        """What Retry does with a step that had been submitted and failed; called again until its receipt is stored."""


class Step:
    """What most kinds share: nothing to adopt, nothing to undo, retry by observing again."""

    kind = ""

    def find(self, ctx: Context) -> Receipt | None:
        return None

    def again(self, ctx: Context, receipt: Receipt) -> Receipt:
        return receipt


_kinds: dict[str, StepKind] = {}

K = TypeVar("K", bound=Callable[[], StepKind])


def step_kind(kind: K) -> K:
    """Register a step kind under its versioned name; stored operations find their code by it."""
    instance = kind()
    assert instance.kind not in _kinds, f"{instance.kind} is registered twice"
    _kinds[instance.kind] = instance
    return kind


def kind_of(name: str) -> StepKind:
    """The code of a stored step; raises LookupError for a kind that this release no longer has."""
    if name not in _kinds:
        raise LookupError(
            f"This release has no step kind {name}; finish or fail the operation with the release that has it."
        )
    return _kinds[name]
