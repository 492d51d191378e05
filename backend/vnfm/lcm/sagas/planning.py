"""From a request to a plan: look at the cloud, compute, refuse with every reason at its field. Changes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Port
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.asked import check
from vnfm.lcm.domain.draft import Before, CloudView
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.plan import Plan, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.sizing import stored_rosters
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import QUOTA_EXCEEDED, Refused, StandingVnfc, Target
from vnfm.lcm.services.request_reader import read_request
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
        return read_request(self.operation, self.request, self.instance).standing.vnfcs

    def asked(self, kind: type[T]) -> T:
        """What the request leads to, of the operation's own type; raises ProblemError when it is refused."""
        result = check(read_request(self.operation, self.request, self.instance))
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
    cloud, standing = planning.cloud, before(planning.instance)
    ready = VimArtefact.objects.filter(vim=planning.instance.vim, ready_at__isnull=False)
    artefacts = dict(ready.values_list("key", "resource_id"))
    filters = planning.instance.vim.scheduler_filters if planning.instance.vim else None
    ports = _ports(planning, vnfd, target, standing)
    view = CloudView(cloud.flavors.list(), cloud.networks.list(), cloud.quotas(), artefacts, filters, ports)
    plan = compute_plan(vnfd, target, standing, view)
    if isinstance(plan, Refused):
        raise refusal(plan)
    return plan


def _ports(planning: Planning, vnfd: Vnfd, target: Target, standing: Before) -> Sequence[Port]:
    """Those of others that fixed addresses may meet on a network that is newly taken; not asked for where none is.

    Of a move that failed half-way there may be ports of the instance that no server has: their names tell.
    """
    addressed = {plan.virtual_link for plan in vnfd.address_plans}
    taken = [link.network_parameter for link in vnfd.virtual_links if link.id in addressed]
    new = [name for name in taken if target.settings.get(name) and (standing.vnfd is None or name in target.changed)]
    if not new:
        return ()
    own, prefix = {vnfc.server_id for vnfc in planning.vnfcs}, f"{planning.instance.name}-"
    ports = planning.cloud.networks.ports()
    return [port for port in ports if port.server_id not in own and not port.name.startswith(prefix)]


def before(instance: VnfInstance) -> Before:
    """What stands of the instance, as far as a plan builds on it."""
    if not instance.member_slots:
        return Before()
    rosters = stored_rosters(instance.member_slots)
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
