"""Elements and their parts; states that are too old read as unknown."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast
from uuid import UUID

from django.db.models import (
    Case,
    CharField,
    Count,
    DateTimeField,
    ExpressionWrapper,
    F,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Now

from vnfm.devices.errors import Refused
from vnfm.devices.types import SnmpTarget, SshTarget
from vnfm.elements.domain.destinations import covers
from vnfm.elements.domain.element_reachable import ElementReachable
from vnfm.elements.domain.parts import Part
from vnfm.elements.domain.policies import NEEDS, snmp_target, ssh_target
from vnfm.elements.domain.snapshot import PrefixCounts
from vnfm.elements.domain.traps import IF_INDEX
from vnfm.elements.models import (
    Adjacency,
    BgpPeer,
    DiscoveryRule,
    ElementFact,
    ElementOmission,
    Equipment,
    Interface,
    ManagementProfile,
    MediationPolicy,
    NetworkElement,
    Site,
    Trap,
    TrapReceiver,
)
from vnfm.kit.etsi.query import one
from vnfm.kit.seal import unseal
from vnfm.vims.domain.reachability import STALE_AFTER, Truth

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

M = TypeVar("M", bound=Model)
S = TypeVar("S", bound="DataclassInstance")


def site_list() -> QuerySet[Site]:
    return Site.objects.all()


def policy_list() -> QuerySet[MediationPolicy]:
    return MediationPolicy.objects.all()


def profile_list() -> QuerySet[ManagementProfile]:
    return ManagementProfile.objects.select_related("vim")


def profile_for(*, vim_id: UUID | None, provider: str, product_name: str) -> ManagementProfile | None:
    """The most specific profile for VNFs of that package on that cloud: a product counts more than its provider, and
    both more than a cloud; None when no profile fits.
    """
    policies = ManagementProfile.objects.select_related("snmp_policy", "ssh_policy", "netconf_policy")
    rows = policies.filter(
        Q(vim=vim_id) | Q(vim=None), provider__in=("", provider), product_name__in=("", product_name)
    )
    found = rows.order_by("created_at", "id")
    return max(found, key=lambda row: (row.product_name, row.provider, row.vim_id is not None), default=None)


def rule_list() -> QuerySet[DiscoveryRule]:
    return DiscoveryRule.objects.all()


def element_list() -> QuerySet[NetworkElement]:
    """With the names of related rows, and the status of `reachability` as `current_reachable`."""
    return NetworkElement.objects.select_related("site", "host_element").annotate(
        vnf_instance_name=F("vnf_instance__name"), current_reachable=CURRENT_REACHABILITY
    )


def element_get(*, element_id: UUID) -> NetworkElement:
    """Raises a 404 problem when there is none."""
    return one(element_list(), "network element", element_id)


def element_names(ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the names of those that exist."""
    return dict(NetworkElement.objects.filter(id__in=ids).values_list("id", "name"))


def interface_names(element_ids: Collection[UUID]) -> dict[UUID, dict[int, str]]:
    """Return the names of interfaces by element and ifIndex; an element without interfaces is left out."""
    found: dict[UUID, dict[int, str]] = defaultdict(dict)
    rows = Interface.objects.filter(element__in=element_ids).order_by("id")
    for element_id, if_index, name in rows.values_list("element_id", "if_index", "name"):
        found[element_id][if_index] = name
    return found


def site_of(**element: UUID) -> tuple[UUID, str] | None:
    """Return id and name of the site of the first element with these columns that has one."""
    rows = NetworkElement.objects.exclude(site=None).filter(**element)
    return rows.values_list("site_id", "site__name").first()


def reachability(element: NetworkElement, now: datetime) -> ElementReachable:
    """As last observed; Unknown when that is too long ago, or when the element is not polled any more."""
    known = ElementReachable(
        status=cast("Truth", element.reachable),  # written by the poller and by the services of this context
        reason=element.reachable_reason,
        message=element.reachable_message,
        last_transition_time=element.reachable_since,
        observed_at=element.observed_at,
    )
    return known.at(now) if element.reachable == "True" else known


CURRENT_REACHABILITY = Case(
    When(reachable="True", observed_at__lt=Now() - STALE_AFTER, then=Value("Unknown")),
    default=F("reachable"),
    output_field=CharField(),
)
"""The status of `reachability` by the database's clock, for filtering and sorting."""


def elements_by_state(now: datetime) -> dict[str, int]:
    """The number of elements that are REACHABLE, UNREACHABLE, UNKNOWN, SUSPENDED and UNMANAGED."""
    state = NetworkElement.State
    displayed = Case(
        When(state=state.UNMANAGED, then=Value("UNMANAGED")),
        When(state=state.SUSPENDED, then=Value("SUSPENDED")),
        When(reachable="True", observed_at__gte=now - STALE_AFTER, then=Value("REACHABLE")),
        When(reachable="False", then=Value("UNREACHABLE")),
        default=Value("UNKNOWN"),
        output_field=CharField(),
    )
    rows = NetworkElement.objects.order_by().annotate(displayed=displayed).values_list("displayed")
    none = dict.fromkeys(("REACHABLE", "UNREACHABLE", "UNKNOWN", "SUSPENDED", "UNMANAGED"), 0)
    return none | dict(rows.annotate(number=Count("id")))


def _is_current(now: datetime) -> Q:
    """Match rows whose element was polled recently enough."""
    return Q(element__reachable="True", element__observed_at__gt=now - STALE_AFTER)


def with_staleness(rows: QuerySet[M], now: datetime, part: Part, **states: str) -> QuerySet[M]:
    """Rows with their element's name, and for each keyword the named column, or UNKNOWN when it is stale.

    `part`: that of the rows; its tables may be unread while the element answers.
    `unknown_since`: since when it is stale; null while it is current.
    """
    unread_since = Cast(KeyTextTransform(part, "element__stale_parts"), DateTimeField())
    unread = Q(element__stale_parts__has_key=part)
    lost = ExpressionWrapper(F("element__observed_at") + STALE_AFTER, output_field=DateTimeField())
    since = Case(
        When(_is_current(now) & unread, then=unread_since),
        When(_is_current(now), then=Value(None, output_field=DateTimeField())),
        When(element__reachable="True", then=lost),
        default=F("element__reachable_since"),
        output_field=DateTimeField(),
    )
    current: dict[str, Any] = {
        alias: Case(
            When(_is_current(now) & ~unread, then=F(column)), default=Value("UNKNOWN"), output_field=CharField()
        )
        for alias, column in states.items()
    }
    found: QuerySet[Any] = rows.annotate(element_name=F("element__name"), unknown_since=since, **current)
    return found


def equipment_list(now: datetime) -> QuerySet[Equipment]:
    return with_staleness(Equipment.objects.all(), now, "EQUIPMENT", current_oper="oper_state")


def interface_list(now: datetime) -> QuerySet[Interface]:
    return with_staleness(Interface.objects.all(), now, "INTERFACES", current_oper="oper")


def bgp_peer_list(now: datetime) -> QuerySet[BgpPeer]:
    with_links = Prefetch("element__interfaces", Interface.objects.exclude(addresses=[]))
    return with_staleness(BgpPeer.objects.prefetch_related(with_links), now, "BGP", current_state="state")


def adjacency_list(now: datetime) -> QuerySet[Adjacency]:
    """Rows have `port_if_index` of the local interface."""
    interface = Interface.objects.filter(element_id=OuterRef("element_id"), if_index=OuterRef("if_index"))
    rows = Adjacency.objects.annotate(port_if_index=Subquery(interface.values("port_if_index")[:1]))
    return with_staleness(rows, now, "NEIGHBOURS", current_state="state")


def trap_list() -> QuerySet[Trap]:
    """Notifications with the names of their elements."""
    return Trap.objects.annotate(element_name=F("element__name"))


def trap_interfaces(traps: Iterable[Trap]) -> dict[tuple[UUID | None, int], str]:
    """Names of the interfaces whose ifIndex notifications carry, by element and ifIndex."""
    carried = {
        (trap.element_id, index)
        for trap in traps
        for name, index in trap.varbinds.items()
        if name.startswith(IF_INDEX) and isinstance(index, int)
    }
    rows = Interface.objects.filter(
        element_id__in={element_id for element_id, _ in carried}, if_index__in={index for _, index in carried}
    )
    return {(row.element_id, row.if_index): row.name for row in rows.only("element_id", "if_index", "name") if row.name}


def receiver_list() -> QuerySet[TrapReceiver]:
    return TrapReceiver.objects.order_by("host")


def omission_list(now: datetime) -> QuerySet[ElementOmission]:
    """Rows that are not shown as read; `now` has no effect, other lists of parts take it."""
    return ElementOmission.objects.annotate(element_name=F("element__name"))


def fact_list(now: datetime) -> QuerySet[ElementFact]:
    return with_staleness(ElementFact.objects.all(), now, "FACTS")


@lru_cache(maxsize=256)
def _secrets(policy_id: UUID, version: int, sealed: bytes) -> dict[str, str]:
    """Unsealed once for each version of a policy: every poll of every element needs them."""
    return unseal(sealed)


def secrets_of(policy: MediationPolicy) -> dict[str, str]:
    """In clear text, for connecting."""
    return _secrets(policy.id, policy.version, bytes(policy.sealed_secrets))


def snmp_target_of(policy: MediationPolicy, address: str) -> SnmpTarget:
    """The agent at `address` by an SNMP policy, credentials in clear text; "" where nothing is sent yet.

    Raises Refused outside its networks.
    """
    if address:
        _require_covered(policy, address)
    return snmp_target(
        protocol=policy.protocol,
        port=policy.port,
        settings=policy.settings,
        secrets=secrets_of(policy),
        address=address,
    )


def _require_covered(policy: MediationPolicy, address: str) -> None:
    if not covers(policy.networks, address):
        message = f"The secrets of the mediation policy {policy.name} may not be sent to {address}."
        raise Refused(message, address=address)


def login_target_of(policy: MediationPolicy, element: NetworkElement) -> SshTarget:
    """The server by an SSH or NETCONF policy, credentials in clear text. Raises Refused outside its networks."""
    _require_covered(policy, element.management_address)
    return ssh_target(
        port=policy.port,
        settings={**NEEDS[policy.protocol].settings, **policy.settings},
        secrets=secrets_of(policy),
        address=element.management_address,
        host_key=element.netconf_host_key if policy.protocol == "NETCONF" else element.ssh_host_key,
    )


def part_states(
    kind: type[S], rows: QuerySet[Any], **computed: Callable[[Mapping[str, Any]], Any]
) -> Mapping[UUID, list[S]]:
    """Read rows as `kind`, by element and in the order of the rows, in one query.

    Fields have the names of columns or annotations; `computed` ones follow from the row.
    """
    names, found = {each.name for each in fields(kind)}, defaultdict[UUID, list[S]](list)
    for row in rows.values():
        values = {name: _DECODE.get(name, _same)(value) for name, value in row.items() if name in names}
        found[row["element_id"]].append(kind(**values | {name: of(row) for name, of in computed.items()}))
    return found


def _same(value: Any) -> Any:
    return value


_DECODE: Mapping[str, Callable[[Any], Any]] = {
    "addresses": tuple,
    "families": lambda listed: tuple(PrefixCounts(**each) for each in listed),
}
"""Columns of JSON that fields have in another form."""
