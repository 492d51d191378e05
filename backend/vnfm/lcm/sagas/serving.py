"""Which steps at the network element belong to an operation: added to what its planner has planned."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.catalog.models import VnfPackage
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.registration import ELEMENT_TAKEN, address_conflict, instance_elements
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.adoption import asks_adoption
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.serving import NO_POLICY, NO_WORD, NOT_LOADED, NOT_MANAGED, unspoken
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import Refused
from vnfm.lcm.sagas.contact import ForgetHostKeys, KeepElement, MoveElement
from vnfm.lcm.sagas.deprovision import DeprovisionCards, cards_going, why_they_stay
from vnfm.lcm.sagas.element import Place, day_one_files, element_at, places_of, rendering_of
from vnfm.lcm.sagas.planning import Planned, Planning, refusal
from vnfm.lcm.sagas.terminate import ONE_WAY
from vnfm.lcm.services.request_reader import requested_policies

BRINGS_CARDS = (Operation.SCALE, Operation.SCALE_TO_LEVEL, Operation.CHANGE_FLAVOUR, Operation.CHANGE_VNFPKG)
TOUCHES_CARDS = (*BRINGS_CARDS, Operation.HEAL, Operation.CHANGE_EXT_CONN)
MOVES = (Operation.CHANGE_EXT_CONN, Operation.CHANGE_FLAVOUR, Operation.CHANGE_VNFPKG)
"""Operations by which a VNF may come to another management address."""
UNFIT_LANGUAGE = "UNFIT_LANGUAGE"
"""Code of the problem that a first configuration is commands where XML is wanted, or the other way round."""
UNWATCHED = "Whether it serves afterwards is not looked at: the element {name} is {state}."
"""In a plan for an instance whose element somebody has put aside."""

CHOOSE = "Choose a NETCONF policy for XML, or an SSH policy and no NETCONF policy for commands."
CHANGE = "Give {name} a NETCONF policy for XML, or take the one that it has away for commands."
STAYS = "Slot {slots} stays configured at {name}, which will miss its card: {why}."


def with_service(planning: Planning, planned: Planned) -> Planned:
    """The plan with what belongs to it at the element; raises ProblemError for values no configuration can have."""
    operation = planning.operation
    if operation == Operation.INSTANTIATE:
        return _instantiated(planning, planned)
    elements = instance_elements(planning.instance)
    if not elements:
        return planned
    if operation == Operation.TERMINATE:
        return _terminated(planned)
    if operation in TOUCHES_CARDS:
        return _touched(planning, planned, elements)
    return planned


def _instantiated(planning: Planning, planned: Planned) -> Planned:
    package, policies = planning.instance.package, requested_policies(planning.request)
    vnfd = catalog.vnfd_of(package)
    if vnfd.element is None:
        return _warned(planned, NOT_MANAGED.format(why=NO_WORD))
    if not policies:
        return _warned(planned, NOT_MANAGED.format(why=NO_POLICY))
    steps = [_adopt({role: str(policy.id) for role, policy in policies.items()}, ())]
    if asks_adoption(planning.request):  # its router runs: it answers there, and has the configuration that it has
        return _with(planned, [*steps, _VERIFY])
    _require_free(planning, vnfd, planned.plan)
    if not vnfd.element.day_one:
        return _with(planned, [*steps, _VERIFY])
    if not {"sshPolicy", "netconfPolicy"} & set(policies):
        return _warned(_with(planned, [*steps, _VERIFY]), NOT_LOADED)
    _require_fit(planning, package, vnfd, planned.plan)
    chosen = "netconfPolicy" if "netconfPolicy" in policies else "sshPolicy"
    _require_language(package, vnfd, {chosen == "netconfPolicy"}, f"/additionalParams/{chosen}", CHOOSE)
    return _with(planned, [*steps, _load(()), _VERIFY])


def _touched(planning: Planning, planned: Planned, elements: list[NetworkElement]) -> Planned:
    """New cards are configured, and all have to come in service; what is configured already is the operator's."""
    named = planned.plan.package_id
    package = catalog.package_get(package_id=UUID(named)) if named else planning.instance.package
    vnfd = catalog.vnfd_of(package)
    aside = [element for element in elements if element.state != NetworkElement.State.MANAGED]
    if vnfd.element is None:
        return planned
    if aside:
        told = [UNWATCHED.format(name=one.name, state=one.state.lower()) for one in aside]
        return _warned(planned, *told)
    planned, gone = _deprovisioned(planning, planned, elements)
    planned, steps = _contact_steps(planning, planned, vnfd, elements)
    standing = [str(element.id) for element in elements]
    if planning.operation in BRINGS_CARDS and vnfd.element.per_component:
        first = elements[0]
        roles = {"snmpPolicy": first.snmp_policy, "sshPolicy": first.ssh_policy, "netconfPolicy": first.netconf_policy}
        steps.append(_adopt({role: str(policy.id) for role, policy in roles.items() if policy}, standing))
    can_load = all(element.netconf_policy or element.ssh_policy for element in elements)
    if any(planned.plan.added.values()) and vnfd.element.day_one and can_load:
        _require_fit(planning, package, vnfd, planned.plan)
        by_netconf = {element.netconf_policy is not None for element in elements}
        _require_language(package, vnfd, by_netconf, "", CHANGE.format(name=elements[0].name))
        steps.append(_load(standing))
    return _with(planned, [*steps, replace(_VERIFY, params={"gone": gone})])


def _deprovisioned(planning: Planning, planned: Planned, elements: list[NetworkElement]) -> tuple[Planned, list[str]]:
    """First of all the cards that go are taken out of the configuration, where we can; with their slots."""
    vnfd = planning.vnfd
    going = cards_going(vnfd, planned.plan.removed)
    if not going:
        return planned, []
    slots = [slot for own in going.values() for slot in own]
    why = why_they_stay(planning.instance.package, going, elements)
    if why:
        return _warned(planned, STAYS.format(slots=", ".join(slots), name=elements[0].name, why=why)), []
    step = StepSpec(DeprovisionCards.kind, "Take the cards out of the configuration", {"slots": going})
    return replace(planned, steps=[step, *planned.steps]), slots


def _contact_steps(
    planning: Planning, planned: Planned, vnfd: Vnfd, elements: Sequence[NetworkElement]
) -> tuple[Planned, list[StepSpec]]:
    """Elements go along to other addresses, and a host key that goes with a disk is not waited for: the plan with what
    comes first, and what comes after.
    """
    steps: list[StepSpec] = []
    if planning.operation in MOVES:
        places = places_of(planning.instance, planning.vnfd, planning.instance.settings)
        _require_free(planning, vnfd, planned.plan, {place.wanted.address for place in places})
        found = ((place, element_at(planning.instance, place, elements)) for place in places)
        followed = {str(one.id): place.wanted.address for place, one in found if one is not None and _is_at(one, place)}
        before = StepSpec(KeepElement.kind, "Note where the element is asked", {"addresses": followed})
        planned = replace(planned, steps=[before, *planned.steps])
        steps.append(StepSpec(MoveElement.kind, "Ask the element where it is now", {"addresses": followed}))
    if planning.operation == Operation.HEAL or planned.plan.rebuilt:
        steps.append(StepSpec(ForgetHostKeys.kind, "Forget host keys that went with their disks"))
    return planned, steps


def _is_at(element: NetworkElement, place: Place) -> bool:
    """Not where somebody has it asked elsewhere, at a translated address say: that stays theirs."""
    return bool(place.wanted.address) and element.management_address == place.wanted.address


def _terminated(planned: Planned) -> Planned:
    before = StepSpec("release_element@1", "Manage the element no more", one_way=ONE_WAY)
    after = StepSpec("remove_element@1", "Take the element off the list", one_way=ONE_WAY)
    return replace(planned, steps=[before, *planned.steps, after])


_VERIFY = StepSpec("verify_service@1", "See that it serves")


def _adopt(policies: dict[str, str], standing: Sequence[str]) -> StepSpec:
    return StepSpec("adopt_element@1", "Adopt the network element", {"policies": policies, "standing": [*standing]})


def _load(standing: Sequence[str]) -> StepSpec:
    return StepSpec("load_configuration@1", "Load the first configuration", {"standing": [*standing]})


def _with(planned: Planned, steps: list[StepSpec]) -> Planned:
    return replace(planned, steps=[*planned.steps, *steps])


def _warned(planned: Planned, *words: str) -> Planned:
    return replace(planned, plan=replace(planned.plan, warnings=(*planned.plan.warnings, *words)))


def _require_free(planning: Planning, vnfd: Vnfd, plan: Plan, held: Collection[str] = ()) -> None:
    """A VNF that is not there yet is at no address where something answers; `held` are those where it is already."""
    setting = vnfd.element.address_setting if vnfd.element else ""
    address = str(effective_settings(vnfd, plan.settings).get(setting) or "")
    words = address_conflict(address, planning.instance) if address and address not in held else ""
    if words:
        raise refusal(Refused((FieldError(f"/additionalParams/{setting}", words),), ELEMENT_TAKEN))


def _require_fit(planning: Planning, package: VnfPackage, vnfd: Vnfd, plan: Plan) -> None:
    words = rendering_of(planning.instance, vnfd, plan.settings).unfit(day_one_files(package))
    if words:
        raise refusal(Refused((FieldError("/additionalParams", words),)))


def _require_language(
    package: VnfPackage, vnfd: Vnfd, by_netconf: Collection[bool], pointer: str, next_step: str
) -> None:
    """At run time the element could only refuse what is written in the other one, with its VMs there already."""
    assert vnfd.element is not None, "it has a first configuration"
    files = day_one_files(package)
    words = unspoken([files[entry.template] for entry in vnfd.element.day_one], "its first configuration", by_netconf)
    if words:
        told = f"The first configuration cannot be loaded: {words}. {next_step}"
        raise refusal(Refused((FieldError(pointer, told),), UNFIT_LANGUAGE))
