"""From a request to a plan: look at the cloud, compute, refuse with every reason at its field. Changes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.asked import check
from vnfm.lcm.domain.draft import Before, CloudView
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.plan import Plan, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.sizing import Roster
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import QUOTA_EXCEEDED, Refused, StandingVnfc, Target
from vnfm.lcm.requests import asking_of
from vnfm.vims import selectors as vims
from vnfm.vims.models import VimArtefact

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Planned:
    plan: Plan
    steps: Sequence[StepSpec]


@dataclass(frozen=True, slots=True)
class Planning:
    """One operation in front of its planner."""

    operation: Operation
    request: Mapping[str, Any]
    """Secrets in place."""
    instance: VnfInstance

    @property
    def cloud(self) -> Cloud:
        """Of the instance's VIM; an operation that needs none asks for none."""
        assert self.instance.vim is not None, "the instance got its VIM when the operation was accepted"
        return registry.provider().connect(vims.connection_of(self.instance.vim))

    @property
    def vnfd(self) -> Vnfd:
        """Of the package that the instance has now."""
        return catalog.vnfd_of(self.instance.package)

    @property
    def vnfcs(self) -> tuple[StandingVnfc, ...]:
        """The VNFCs on record."""
        return asking_of(self.operation, self.request, self.instance).standing.vnfcs

    def asked(self, kind: type[T]) -> T:
        """What the request leads to, of the operation's own type; raises ProblemError when it is refused."""
        result = check(asking_of(self.operation, self.request, self.instance))
        if isinstance(result, Refused):
            raise refusal(result)
        assert isinstance(result, kind)
        return result


def refusal(refused: Refused) -> ProblemError:
    """The problem that carries every reason."""
    text = " ".join(error.message for error in refused.errors)
    if refused.code == QUOTA_EXCEEDED:
        title = "A quota of the cloud is too small"
        next_step = "Free resources, raise the project's quota, or choose smaller settings."
        return ProblemError(Problem(409, refused.code, title, text, next_step, errors=refused.errors))
    title = "The request cannot be met"
    return ProblemError(Problem(422, refused.code, title, text, "Correct what is named.", errors=refused.errors))


def layout(planning: Planning, target: Target, vnfd: Vnfd) -> Plan:
    """The plan that takes the instance's stack to `target`; raises ProblemError with every reason against it."""
    cloud = planning.cloud
    ready = VimArtefact.objects.filter(vim=planning.instance.vim, ready_at__isnull=False)
    artefacts = dict(ready.values_list("key", "resource_id"))
    filters = planning.instance.vim.scheduler_filters if planning.instance.vim else None
    view = CloudView(cloud.flavors.list(), cloud.networks.list(), cloud.quotas(), artefacts, filters)
    plan = compute_plan(vnfd, target, before(planning.instance), view)
    if isinstance(plan, Refused):
        raise refusal(plan)
    return plan


def before(instance: VnfInstance) -> Before:
    """What stands of the instance, as far as a plan builds on it."""
    if not instance.member_slots:
        return Before()
    rosters = {vdu_id: Roster.from_json(data) for vdu_id, data in instance.member_slots.items()}
    snapshot = StackSnapshot.objects.filter(instance=instance).first()
    vnfd = catalog.vnfd_of(instance.package)
    made = instance.virtual_links.filter(created_by_stack=True).values_list("network_id", flat=True)
    parameters = snapshot.parameters if snapshot else {}
    return Before(vnfd, vnfd.flavour(instance.flavour_id), rosters, parameters, frozenset(made))


def standing_plan(instance: VnfInstance, resources: Sequence[PlannedResource] = ()) -> Plan:
    """A plan that changes nothing of the layout: Heat gets what it was last given."""
    snapshot = StackSnapshot.objects.filter(instance=instance).first()
    links = {link.vl_id: link for link in instance.virtual_links.all()}
    parameters = {vl.id: vl.network_parameter for vl in catalog.vnfd_of(instance.package).virtual_links}
    return Plan(
        flavour_id=instance.flavour_id,
        instantiation_level_id=instance.instantiation_level_id,
        scale_levels=instance.scale_levels,
        settings=instance.settings,
        rosters=instance.member_slots,
        removed={},
        added={},
        registry=snapshot.environment.get("resource_registry", {}) if snapshot else {},
        parameters=snapshot.parameters if snapshot else {},
        undo_parameters={},
        resources=tuple(resources),
        networks=tuple(
            PlannedNetwork(
                vl_id,
                parameters.get(vl_id, ""),
                "created" if link.created_by_stack else "existing",
                link.name,
                link.network_id,
            )
            for vl_id, link in sorted(links.items())
        ),
    )
