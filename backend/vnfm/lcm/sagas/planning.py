"""Make a plan of a request: read the cloud, compute, reject with every reason at its field. Changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds import registry
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Network, Port
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.layout import compute_plan
from vnfm.lcm.domain.network_addresses import address_settings
from vnfm.lcm.domain.operation_request import QUOTA_EXCEEDED, Rejection, Target, VnfcState
from vnfm.lcm.domain.plan import Plan, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.plan_builder import CloudSnapshot, CurrentStack
from vnfm.lcm.domain.requests import Request
from vnfm.lcm.domain.sizing import rosters_from_json
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.validation import validate
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.sagas.cloud_lists import CloudLists
from vnfm.lcm.sagas.flavor_view import flavor_view
from vnfm.lcm.selectors.operations import UNDER_WAY
from vnfm.lcm.services.request_reader import read_request
from vnfm.vims import selectors as vims

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Planned:
    plan: Plan
    steps: Sequence[StepSpec]
    findings: tuple[Finding, ...] = ()
    """About the templates that Heat gets; an error among them would have refused the plan."""
    left_down: tuple[str, ...] = ()
    """Ids of VNFCs that are down and stay so: the operation does not wait for their service."""


@dataclass(frozen=True, slots=True)
class Planning:
    """The input of an operation's planner."""

    request: Request
    """The request has its secrets."""
    instance: InstanceRecord
    absent: frozenset[str] = frozenset()
    """VDUs that Heat's preview does not have, see `CloudSnapshot.absent`."""

    @property
    def cloud(self) -> Cloud:
        """The cloud of the instance's VIM."""
        assert self.instance.vim is not None, "the instance got its VIM when the operation was accepted"
        return registry.provider().connect(vims.connection_of(self.instance.vim))

    @property
    def vnfd(self) -> Vnfd:
        """The VNFD of the instance's current package."""
        return catalog.vnfd_of(self.instance.package)

    @property
    def vnfcs(self) -> tuple[VnfcState, ...]:
        """The recorded VNFCs."""
        return read_request(self.request, self.instance).instance.vnfcs

    def validated(self, kind: type[T]) -> T:
        """The operation's parameters, of its own type; raises ProblemError when the request is rejected."""
        result = validate(read_request(self.request, self.instance))
        if isinstance(result, Rejection):
            raise rejection_error(result)
        assert isinstance(result, kind)
        return result


def rejection_error(rejection: Rejection) -> ProblemError:
    """The problem with every reason of the rejection."""
    text = _listed([error.message for error in rejection.errors])
    if rejection.code == QUOTA_EXCEEDED:
        title = "A quota of the cloud is too small"
        next_step = "Free resources, raise the project's quota, or choose smaller settings."
        return ProblemError(Problem(409, rejection.code, title, text, next_step, errors=rejection.errors))
    title, next_step = "The request cannot be met", "Correct the named fields."
    extra = {"missingFlavors": [flavor_view(f) for f in rejection.missing_flavors]} if rejection.missing_flavors else {}
    return ProblemError(Problem(422, rejection.code, title, text, next_step, errors=rejection.errors, extra=extra))


def _listed(messages: Sequence[str]) -> str:
    """One message as it is, several as a numbered list."""
    several = list(dict.fromkeys(messages))
    if len(several) == 1:
        return several[0]
    return " ".join(f"({number}) {message}" for number, message in enumerate(several, 1))


def plan_layout(planning: Planning, target: Target, vnfd: Vnfd) -> Plan:
    """The plan that brings the instance's stack to `target`; raises ProblemError with every reason against it."""
    cloud, current, vim = planning.cloud, current_stack(planning.instance), planning.instance.vim
    assert vim is not None, "the instance got its VIM when the operation was accepted"
    lists = CloudLists(cloud, vim)
    networks, ports = lists.networks(), _ports(planning, vnfd, target, current)
    if planning.request.operation == Operation.INSTANTIATE:
        target = _with_addresses(target, vnfd, networks, ports)
    view = CloudSnapshot(
        lists.flavors(),
        networks,
        (*lists.quotas(), *(cloud.volume_quotas() if any(vdu.volumes for vdu in vnfd.vdus) else ())),
        vims.artefacts_ready(vim_id=planning.instance.vim_id),
        may_create_flavors=vim.capabilities.get("flavor_create"),
        may_create_flavors_since=vim.capabilities_since.get("flavor_create", ""),
        scheduler_filters=vim.scheduler_filters,
        ports=ports,
        absent=planning.absent,
    )
    plan = compute_plan(vnfd, target, current, view)
    if isinstance(plan, Rejection):
        if lists.late is not None:  # what is refused by an old list may be there now
            raise lists.late
        raise rejection_error(plan)
    return replace(plan, warnings=(*plan.warnings, *lists.warning()))


def _with_addresses(target: Target, vnfd: Vnfd, networks: Sequence[Network], ports: Sequence[Port]) -> Target:
    """The target with addresses of the chosen networks where the request leaves them open.

    Raises ProblemError where a network has no room. Neutron shows only this project's ports; another operation that is
    planned at the same time may choose the same address, which Neutron then refuses to the second.
    """
    occupied: dict[str, set[str]] = {}
    for port in ports:
        occupied.setdefault(port.network_id, set()).update(port.ip_addresses)
    under_way = LcmOpOcc.objects.filter(UNDER_WAY, plan__isnull=False).values_list("plan__settings", flat=True)
    planned = {value for settings in under_way for value in (settings or {}).values() if isinstance(value, str)}
    everywhere = {network.id: occupied.get(network.id, set()) | planned for network in networks}
    values, errors = address_settings(vnfd, target.settings, target.chosen, networks, everywhere)
    if errors:
        raise rejection_error(Rejection(tuple(errors)))
    chosen = {**target.chosen, **values}
    return replace(target, settings=effective_settings(vnfd, chosen), chosen=chosen)


def _ports(planning: Planning, vnfd: Vnfd, target: Target, current: CurrentStack) -> Sequence[Port]:
    """Ports of others that may have a fixed address on a newly chosen network; without such a network no call is made.

    After a move that failed half-way the instance may have ports without a server, known by their names.
    """
    addressed = {plan.virtual_link for plan in vnfd.address_plans}
    taken = [link.network_parameter for link in vnfd.virtual_links if link.id in addressed]
    new = [name for name in taken if target.settings.get(name) and (current.vnfd is None or name in target.changed)]
    if not new:
        return ()
    own, prefix = {vnfc.server_id for vnfc in planning.vnfcs}, f"{planning.instance.name}-"
    ports = planning.cloud.networks.ports()
    return [port for port in ports if port.server_id not in own and not port.name.startswith(prefix)]


def current_stack(instance: InstanceRecord) -> CurrentStack:
    """The instance's current stack, as far as a plan depends on it."""
    if not instance.member_slots:
        return CurrentStack()
    rosters = rosters_from_json(instance.member_slots)
    given = inventory.stack_input_of(instance_id=instance.id)
    vnfd = catalog.vnfd_of(instance.package)
    links = inventory.links_of(instance_id=instance.id)
    created = frozenset(link.network_id for link in links if link.created_by_stack)
    parameters = given.parameters if given else {}
    return CurrentStack(vnfd, vnfd.flavour(instance.flavour_id), rosters, parameters, created)


def unchanged_plan(instance: InstanceRecord, resources: Sequence[PlannedResource] = ()) -> Plan:
    """A plan that does not change the layout: Heat gets its last input."""
    given = inventory.stack_input_of(instance_id=instance.id)
    links = {link.vl_id: link for link in inventory.links_of(instance_id=instance.id)}
    parameters = {vl.id: vl.network_parameter for vl in catalog.vnfd_of(instance.package).virtual_links}
    return Plan(
        flavour_id=instance.flavour_id,
        instantiation_level_id=instance.instantiation_level_id,
        scale_levels=instance.scale_levels,
        settings=instance.settings,
        rosters=instance.member_slots,
        removed={},
        added={},
        registry=given.environment.get("resource_registry", {}) if given else {},
        parameters=given.parameters if given else {},
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
