"""Adds the steps at network elements to an operation's plan: registration, configuration, verification."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.element import ElementSpec
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.destinations import check_address
from vnfm.elements.services.mediation_policies import policies_resolve
from vnfm.elements.services.registration import ELEMENT_CONFLICT, address_conflict, instance_elements
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.element_config import (
    DECLINED,
    NO_ELEMENT_SPEC,
    NO_POLICY,
    NOT_LOADED,
    NOT_MANAGED,
    language_mismatch,
)
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.router_steps.address import ForgetHostKeys, KeepElementAddress, MoveElementAddress
from vnfm.lcm.router_steps.base import (
    ElementBinding,
    bound_element,
    config_renderer,
    configuration_templates,
    element_bindings,
)
from vnfm.lcm.router_steps.configuration import LoadConfiguration
from vnfm.lcm.router_steps.deprovision import DeprovisionCards, removed_cards, why_not_removable
from vnfm.lcm.router_steps.registration import RegisterElement, ReleaseElement, RemoveElement
from vnfm.lcm.router_steps.restore import RestoreConfiguration
from vnfm.lcm.router_steps.snmp_access import SetUpSnmp
from vnfm.lcm.router_steps.verify_service import VerifyService
from vnfm.lcm.sagas.drain_steps import BY_STAGE, in_slots, with_drain
from vnfm.lcm.sagas.planning import Planned, Planning, rejection_error
from vnfm.lcm.sagas.router_stages import with_stage_steps
from vnfm.lcm.sagas.terminate import ONE_WAY
from vnfm.lcm.selectors.operations import instantiation_params

ADDS_CARDS = (Operation.SCALE, Operation.SCALE_TO_LEVEL, Operation.CHANGE_FLAVOUR, Operation.CHANGE_VNFPKG)
CHANGES_CARDS = (*ADDS_CARDS, Operation.HEAL, Operation.CHANGE_EXT_CONN, Operation.REVERT_TO_SNAPSHOT)
FRESH_DISKS = (Operation.HEAL, Operation.REVERT_TO_SNAPSHOT)
"""Operations that give VMs another disk outside stages."""
CHANGES_ADDRESS = (Operation.CHANGE_EXT_CONN, Operation.CHANGE_FLAVOUR, Operation.CHANGE_VNFPKG)
"""Operations after which a VNF may have another management address."""
UNFIT_LANGUAGE = "UNFIT_LANGUAGE"
"""Problem code: the first configuration is in commands where the element takes XML, or the reverse."""
SROS, VRP, FRR = "nokia-sros", "huawei-vrp", "frr"
BY_DAY_ZERO = f"at {FRR} it is Net-SNMP's agent that answers, which is configured by the VNF's user data (day 0) alone"
SNMP_NOT_SET_UP = "SNMP access is not set up at the element: {why}."
NOT_VERIFIED = "Service is not verified afterwards: the element {name} is {state}."
"""Warning in a plan for an instance whose element is not managed."""

CHOOSE = "Choose a NETCONF policy for XML, or an SSH policy and no NETCONF policy for commands."
CHANGE = "Give {name} a NETCONF policy for XML, or take the one that it has away for commands."
STAYS = "Slot {slots} stays configured at {name}, which will miss its card: {why}."


def with_element_steps(planning: Planning, planned: Planned) -> Planned:
    """The plan with its steps at the elements; raises ProblemError for values that no configuration can have."""
    request, operation = planning.request, planning.request.operation
    if isinstance(request, InstantiateVnfRequest):
        return _for_instantiation(planning, request, planned)
    elements = instance_elements(planning.instance)
    if not elements:
        return planned
    if operation == Operation.TERMINATE:
        return _for_termination(planned)
    if operation == Operation.OPERATE:
        planned, after = with_drain(planning, planned, elements)
        return _with(planned, after)
    if operation in CHANGES_CARDS:
        return _for_change(planning, planned, elements)
    return planned


def _for_instantiation(planning: Planning, request: InstantiateVnfRequest, planned: Planned) -> Planned:
    package, params = planning.instance.package, request.additional_params
    policies = policies_resolve(params.policies, "/additionalParams")
    vnfd = catalog.vnfd_of(package)
    if vnfd.element is None:
        return _warned(planned, NOT_MANAGED.format(why=NO_ELEMENT_SPEC))
    if not policies:
        return _warned(planned, NOT_MANAGED.format(why=DECLINED if params.declines_management else NO_POLICY))
    steps = [_register({role: str(policy.id) for role, policy in policies.items()}, ())]
    verify = _verify(vnfd.element, _planned_address(vnfd, planned.plan))
    adopts = params.adopt_stack is not None
    if snmp_wanted(vnfd.element, request):
        why = why_no_snmp(vnfd.element, policies)
        planned = _warned(planned, SNMP_NOT_SET_UP.format(why=why)) if why else planned
        steps += [] if why else [_set_up_snmp((), stays=adopts)]
    if adopts:  # its router runs and keeps its configuration
        return _with(planned, [*steps, verify])
    _require_free_address(planning, vnfd, planned.plan)
    if address := _planned_address(vnfd, planned.plan):
        check_address(address, policies.values(), f"/additionalParams/{vnfd.element.address_setting}")
    if not vnfd.element.day_one:
        return _with(planned, [*steps, verify])
    if not {"sshPolicy", "netconfPolicy"} & set(policies):
        return _warned(_with(planned, [*steps, verify]), NOT_LOADED)
    _require_valid_values(planning, package, vnfd, planned.plan)
    chosen = "netconfPolicy" if "netconfPolicy" in policies else "sshPolicy"
    _require_language(package, vnfd, {chosen == "netconfPolicy"}, f"/additionalParams/{chosen}", CHOOSE)
    return _with(planned, [*steps, _load(vnfd.element, ()), verify])


def snmp_wanted(spec: ElementSpec, request: InstantiateVnfRequest) -> bool:
    """True if new elements get SNMP access: by request or profile, else by the package. Adopted routers have theirs."""
    params = request.additional_params
    if params.configures_snmp is not None:
        return params.configures_snmp
    return spec.configures_snmp and params.adopt_stack is None


def why_no_snmp(spec: ElementSpec, policies: Collection[str]) -> str:
    """Return why SNMP access cannot be added with policies of these roles, as half a sentence; "" where it can."""
    if spec.driver == VRP and "netconfPolicy" in policies:
        return f"at {spec.driver} that is done by an SSH policy alone"
    if spec.driver == FRR:
        return BY_DAY_ZERO
    if spec.driver not in (SROS, VRP):
        return f"no such configuration is known for {spec.driver}"
    return "" if {"sshPolicy", "netconfPolicy"} & set(policies) else "no SSH or NETCONF policy was chosen"


def _for_change(planning: Planning, planned: Planned, elements: list[NetworkElement]) -> Planned:
    """New cards are configured, and all must come in service; existing configuration is the operator's."""
    named = planned.plan.package_id
    package = catalog.package_get(package_id=UUID(named)) if named else planning.instance.package
    vnfd = catalog.vnfd_of(package)
    unmanaged = [element for element in elements if element.state != NetworkElement.State.MANAGED]
    if vnfd.element is None:
        return planned
    if unmanaged:
        return _warned(planned, *(NOT_VERIFIED.format(name=one.name, state=one.state.lower()) for one in unmanaged))
    planned, removed = _deprovisioned(planning, planned, elements)
    after: Sequence[StepSpec] = ()
    if planning.request.operation in BY_STAGE and vnfd.element.per_component:
        staying = [one for one in elements if one not in in_slots(elements, planned.plan.removed)]
        planned = with_stage_steps(planning, planned, staying)
    if planning.request.operation != Operation.CHANGE_VNFPKG:
        planned, after = with_drain(planning, planned, elements)
    planned, steps = _address_steps(planning, planned, vnfd, elements)
    existing = [str(element.id) for element in elements]
    if planning.request.operation in ADDS_CARDS and vnfd.element.per_component:
        first = elements[0]
        roles = {"snmpPolicy": first.snmp_policy, "sshPolicy": first.ssh_policy, "netconfPolicy": first.netconf_policy}
        given = {role: str(policy.id) for role, policy in roles.items() if policy}
        steps.append(_register(given, existing))
        if snmp_wanted(vnfd.element, InstantiateVnfRequest.of(instantiation_params(planning.instance))):
            why = why_no_snmp(vnfd.element, given)
            said = why and any(planned.plan.added.values())
            planned = _warned(planned, SNMP_NOT_SET_UP.format(why=why)) if said else planned
            steps += [] if why else [_set_up_snmp(existing, stays=False)]
    can_load = all(element.netconf_policy or element.ssh_policy for element in elements)
    if any(planned.plan.added.values()) and vnfd.element.day_one and can_load:
        _require_valid_values(planning, package, vnfd, planned.plan)
        by_netconf = {element.netconf_policy is not None for element in elements}
        _require_language(package, vnfd, by_netconf, "", CHANGE.format(name=elements[0].name))
        steps.append(_load(vnfd.element, existing))
    if planning.request.operation == Operation.HEAL and vnfd.element.per_component and can_load:
        steps.append(RestoreConfiguration.spec("Restore the configuration of new VMs"))
    return _with(planned, [*steps, _verify(vnfd.element, removed=removed, left_down=planned.left_down), *after])


def _deprovisioned(planning: Planning, planned: Planned, elements: list[NetworkElement]) -> tuple[Planned, list[str]]:
    """The plan with a first step that removes cards from the configuration, where that is possible, and their slots."""
    vnfd = planning.vnfd
    removed = removed_cards(vnfd, planned.plan.removed)
    if not removed:
        return planned, []
    slots = [slot for own in removed.values() for slot in own]
    why = why_not_removable(planning.instance.package, removed, elements)
    if why:
        return _warned(planned, STAYS.format(slots=", ".join(slots), name=elements[0].name, why=why)), []
    step = DeprovisionCards.spec("Remove the cards from the configuration", {"slots": removed})
    return replace(planned, steps=[step, *planned.steps]), slots


def _address_steps(
    planning: Planning, planned: Planned, vnfd: Vnfd, elements: Sequence[NetworkElement]
) -> tuple[Planned, list[StepSpec]]:
    """Steps that give elements their new addresses and forget host keys of replaced disks: the plan with the step that
    comes first, and the steps that follow it.
    """
    steps: list[StepSpec] = []
    if planning.request.operation in CHANGES_ADDRESS:
        bindings = element_bindings(planning.instance, planning.vnfd, planning.instance.settings)
        _require_free_address(planning, vnfd, planned.plan, {binding.planned.address for binding in bindings})
        found = ((binding, bound_element(planning.instance, binding, elements)) for binding in bindings)
        addresses = {
            str(one.id): binding.planned.address
            for binding, one in found
            if one is not None and _has_planned_address(one, binding)
        }
        before = KeepElementAddress.spec("Save the element's management address", {"addresses": addresses})
        planned = replace(planned, steps=[before, *planned.steps])
        steps.append(MoveElementAddress.spec("Update the element's management address", {"addresses": addresses}))
    by_stage = vnfd.element is not None and vnfd.element.per_component
    if planning.request.operation in FRESH_DISKS or (planned.plan.rebuilt and not by_stage):
        steps.append(ForgetHostKeys.spec("Forget the SSH host keys of rebuilt VMs"))
    return planned, steps


def _has_planned_address(element: NetworkElement, binding: ElementBinding) -> bool:
    """False where an operator set another address, such as a translated one: that stays."""
    return bool(binding.planned.address) and element.management_address == binding.planned.address


def _for_termination(planned: Planned) -> Planned:
    before = ReleaseElement.spec("Stop managing the element", one_way=ONE_WAY)
    after = RemoveElement.spec("Delete the element", one_way=ONE_WAY)
    return replace(planned, steps=[before, *planned.steps, after])


def _verify(
    spec: ElementSpec, address: str = "", *, removed: Sequence[str] = (), left_down: Sequence[str] = ()
) -> StepSpec:
    seconds = spec.seconds_to_serve
    limit = f"{seconds // 60} min" if seconds >= 120 else f"{seconds} s"  # noqa: PLR2004 - two minutes
    where = f" at {address}" if address else ""
    return VerifyService.spec(f"Verify service{where} within {limit}", {"gone": [*removed], "leftDown": [*left_down]})


def _register(policies: dict[str, str], existing: Sequence[str]) -> StepSpec:
    return RegisterElement.spec("Register the network element", {"policies": policies, "existing": [*existing]})


def _set_up_snmp(existing: Sequence[str], *, stays: bool) -> StepSpec:
    """`stays`: whether a rollback leaves the VMs, so that it must take the lines back."""
    return SetUpSnmp.spec("Configure SNMP", {"existing": [*existing], "stays": stays})


def _load(spec: ElementSpec, existing: Sequence[str]) -> StepSpec:
    new = "Configure the new elements" if spec.per_component else "Configure the new cards"
    return LoadConfiguration.spec(new if existing else "Load the first configuration", {"existing": [*existing]})


def _with(planned: Planned, steps: list[StepSpec]) -> Planned:
    return replace(planned, steps=[*planned.steps, *steps])


def _warned(planned: Planned, *warnings: str) -> Planned:
    return replace(planned, plan=replace(planned.plan, warnings=(*planned.plan.warnings, *warnings)))


def _require_free_address(planning: Planning, vnfd: Vnfd, plan: Plan, own: Collection[str] = ()) -> None:
    """Raise where another element has the VNF's management address; `own` are addresses that the VNF has already."""
    setting = vnfd.element.address_setting if vnfd.element else ""
    address = _planned_address(vnfd, plan)
    conflict = address_conflict(address, planning.instance) if address and address not in own else ""
    if conflict:
        raise rejection_error(Rejection((FieldError(f"/additionalParams/{setting}", conflict),), ELEMENT_CONFLICT))


def _planned_address(vnfd: Vnfd, plan: Plan) -> str:
    """The management address that a setting fixes; "" where the cloud gives it."""
    setting = vnfd.element.address_setting if vnfd.element else ""
    return str(effective_settings(vnfd, plan.settings).get(setting) or "")


def _require_valid_values(planning: Planning, package: PackageRecord, vnfd: Vnfd, plan: Plan) -> None:
    error = config_renderer(planning.instance, vnfd, plan.settings).value_error(configuration_templates(package))
    if error:
        raise rejection_error(Rejection((FieldError("/additionalParams", error),)))


def _require_language(
    package: PackageRecord, vnfd: Vnfd, by_netconf: Collection[bool], pointer: str, next_step: str
) -> None:
    """Raise before any VM exists where the element would reject the language of the templates."""
    assert vnfd.element is not None, "it has a first configuration"
    files = configuration_templates(package)
    mismatch = language_mismatch(
        [files[entry.template] for entry in vnfd.element.day_one], "its first configuration", by_netconf
    )
    if mismatch:
        message = f"The first configuration cannot be loaded: {mismatch}. {next_step}"
        raise rejection_error(Rejection((FieldError(pointer, message),), UNFIT_LANGUAGE))
