"""Reads the snapshot that a map is drawn from: one query per table, whatever its size."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Case, CharField, Count, F, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce

from vnfm.elements.models import Adjacency, BgpPeer, Interface, NetworkElement, Site
from vnfm.elements.selectors import part_states
from vnfm.elements.selectors import reachability as element_reachability
from vnfm.faults.models import OPEN, UNSUPPRESSED, Alarm
from vnfm.history import counters
from vnfm.inventory.models import Host, VimPollState, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.inventory.selectors import hosts_known, vim_view
from vnfm.kit import clock
from vnfm.topology.domain import snapshot
from vnfm.topology.domain.build import Scope, build_graph
from vnfm.topology.domain.fold import MapFilter, TopologyMap, fold
from vnfm.topology.models import SavedPositions
from vnfm.vims.models import Vim
from vnfm.vims.selectors import reachability

R = TypeVar("R")

_ON_MAP = Q(instantiation_state=VnfInstance.InstantiationState.INSTANTIATED, vim__isnull=False)
_RESYNC = (NetworkElement.ResyncState.WAITING, NetworkElement.ResyncState.RUNNING)

_OWNERS = """
SELECT split_part(address, '/', 1), min(element_id::text)
FROM elements_interface, jsonb_array_elements_text(addresses) AS address
WHERE addresses <> '[]' AND split_part(address, '/', 1) = ANY(%s)
GROUP BY 1 HAVING count(DISTINCT element_id) = 1
UNION ALL
SELECT mac, min(element_id::text) FROM elements_interface WHERE mac = ANY(%s)
GROUP BY 1 HAVING count(DISTINCT element_id) = 1
"""
"""Address or MAC → element, of those that belong to exactly one element."""


def topology(*, scope: Scope, criteria: MapFilter) -> TopologyMap:
    """The current map."""
    now = clock.now()
    return fold(build_graph(_snapshot(now), scope, now), criteria)


def positions_of(*, user_id: UUID, scope: Scope) -> dict[str, list[float]]:
    """Positions of the nodes that the user has moved."""
    row = SavedPositions.objects.filter(user=user_id, scope=scope).first()
    return dict(row.positions) if row is not None else {}


def _snapshot(now: datetime) -> snapshot.TopologySnapshot:
    elements = tuple(_elements(now))
    adjacencies, peers = tuple(_adjacencies(now)), tuple(_peers())
    return snapshot.TopologySnapshot(
        clouds=tuple(_clouds(now)),
        instances=tuple(_instances()),
        vms=tuple(_vms()),
        ports=tuple(_ports()),
        networks=tuple(_networks()),
        hosts=tuple(_hosts()),
        sites=tuple(
            snapshot.SiteRow(str(key), name) for key, name in Site.objects.order_by("name").values_list("id", "name")
        ),
        elements=elements,
        adjacencies=adjacencies,
        peers=peers,
        alarms=tuple(_alarms()),
        known_as=_known_as(elements, adjacencies, peers),
    )


def _clouds(now: datetime) -> Iterator[snapshot.CloudRow]:
    heavy = ("resources", "quotas", "versions", "cacert", "sealed_credentials")
    for vim in Vim.objects.select_related("poll_state").defer(*heavy).order_by("name"):
        look: VimPollState | None = getattr(vim, "poll_state", None)
        yield snapshot.CloudRow(
            id=str(vim.id),
            name=vim.name,
            view=vim_view(vim),
            reachable=reachability(vim).at(now),
            hosts_known=hosts_known(look, now),
            hosts_at=look.hosts_at if look is not None else None,
            shows_hosts=vim.capabilities.get("hosts"),
        )


def _instances() -> Iterator[snapshot.InstanceRow]:
    rows = VnfInstance.objects.filter(_ON_MAP).order_by("name")
    for key, name, vim, product in rows.values_list("id", "name", "vim_id", "package__product_name"):
        yield snapshot.InstanceRow(str(key), name, str(vim), product or "")


def _vms() -> Iterator[snapshot.VmRow]:
    columns = (
        "id",
        "name",
        "instance_id",
        "slot",
        "status",
        "status_since",
        "created_at",
        "observed_at",
        "host",
        "desired",
    )
    rows = Vnfc.objects.filter(instance__in=VnfInstance.objects.filter(_ON_MAP)).order_by("name", "id")
    for key, name, instance, slot, status, since, created, observed, host, desired in rows.values_list(*columns):
        yield snapshot.VmRow(
            id=str(key),
            name=name,
            instance_id=str(instance),
            slot=slot,
            status=status,
            since=since or created,
            observed_at=observed,
            host=host,
            stopped_on_purpose=desired == Vnfc.Desired.STOPPED,
        )


def _ports() -> Iterator[snapshot.PortRow]:
    rows = VnfcPort.objects.filter(vnfc__instance__in=VnfInstance.objects.filter(_ON_MAP)).order_by("id")
    columns = ("port_id", "vnfc_id", "network_id", "status", "status_since", "cp_id")
    for port, vnfc, network, status, since, cp in rows.values_list(*columns):
        yield snapshot.PortRow(port, str(vnfc), network, status, since, cp)


def _networks() -> Iterator[snapshot.NetworkRow]:
    rows = VnfVirtualLink.objects.filter(instance__in=VnfInstance.objects.filter(_ON_MAP)).order_by("name", "id")
    for instance, network, name, own in rows.values_list("instance_id", "network_id", "name", "created_by_stack"):
        yield snapshot.NetworkRow(str(instance), network, name, own)


def _hosts() -> Iterator[snapshot.HostRow]:
    for row in Host.objects.order_by("name"):
        dead = bool(row.forced_down) or "down" in (row.state, row.service)
        forced = "forced down by an administrator" if row.forced_down else ""
        words = (f"hypervisor {row.state}", f"nova-compute {row.service}", row.status, forced, row.reason)
        yield snapshot.HostRow(str(row.vim_id), row.name, dead, ", ".join(filter(None, words)), row.since)


def _elements(now: datetime) -> Iterator[snapshot.ElementRow]:
    heavy = ("sys_descr", "ssh_host_key", "netconf_host_key", "resync_problem")
    for row in NetworkElement.objects.defer(*heavy).order_by("name"):
        yield snapshot.ElementRow(
            id=str(row.id),
            name=row.name,
            kind=row.kind,
            address=row.management_address,
            sys_name=row.sys_name,
            product=row.chassis_type or row.driver,
            state=row.state,
            reachable=element_reachability(row, now),
            synchronising=row.resync_state in _RESYNC,
            site_id=str(row.site_id or ""),
            instance_id=str(row.vnf_instance_id or ""),
            chassis_id=str(row.host_element_id or ""),
        )


def _adjacencies(now: datetime) -> Iterator[snapshot.AdjacencyRow]:
    port = Interface.objects.filter(element=OuterRef("element"), if_index=OuterRef("if_index"))
    stored = Adjacency.objects.exclude(protocol=Adjacency.Protocol.BFD).annotate(
        port_name=Coalesce(Subquery(port.values("name")[:1]), Value("")),
        port_state=Coalesce(Subquery(port.values("oper")[:1]), Value("")),
        port_since=Subquery(port.values("since")[:1]),
    )
    rows = _flat(part_states(snapshot.AdjacencyRow, stored.order_by("id"), element_id=_element_of))
    busy = _utilisations(rows, now)
    for row in rows:
        share = busy.get((row.element_id, row.if_index))
        yield row if share is None else replace(row, utilisation=share)


def _element_of(row: Mapping[str, Any]) -> str:
    return str(row["element_id"])


def _flat(by_element: Mapping[UUID, Sequence[R]]) -> list[R]:
    return [row for rows in by_element.values() for row in rows]


def _utilisations(rows: Iterable[snapshot.AdjacencyRow], now: datetime) -> dict[tuple[str, int | None], int]:
    """Percent by element and ifIndex. History knows a port by its name, or with the ifIndex where several share it."""
    known = {
        (UUID(row.element_id), name): (row.element_id, row.if_index)
        for row in rows
        if row.if_index is not None
        for name in (row.port_name or str(row.if_index), f"{row.port_name} ({row.if_index})")
    }
    try:
        shares = counters.utilisation(sorted(known), now, settings.COUNTER_SECONDS)
    except counters.UnavailableError:  # history may have a server of its own
        return {}
    return {known[end]: round(share) for end, share in shares.items()}


def _peers() -> list[snapshot.PeerRow]:
    return _flat(part_states(snapshot.PeerRow, BgpPeer.objects.order_by("id"), element_id=_element_of))


def _alarms() -> Iterator[snapshot.AlarmRow]:
    """Grouped by object and severity, so that half a million alarms are few rows."""
    resource = Case(
        When(managed_object_type="VIM", then=F("faulty_resource")), default=Value(""), output_field=CharField()
    )
    names = ("managed_object_type", "managed_object_id", "perceived_severity", "vnfc_ids", "resource")
    rows = Alarm.objects.filter(OPEN, UNSUPPRESSED).annotate(resource=resource).order_by()
    for kind, key, severity, vnfcs, where, count in rows.values_list(*names).annotate(number=Count("id")):
        yield snapshot.AlarmRow(kind, str(key), severity, count, tuple(vnfcs), where)


def _known_as(
    elements: Iterable[snapshot.ElementRow],
    adjacencies: Iterable[snapshot.AdjacencyRow],
    peers: Iterable[snapshot.PeerRow],
) -> dict[str, str]:
    """Elements by the ids and addresses that their neighbours report, other than sysNames and management addresses."""
    known = set(chain.from_iterable((row.sys_name, row.address) for row in elements))
    reported = chain.from_iterable(
        (row.remote_id, row.remote_address) for row in adjacencies if row.remote_name not in known
    )
    names = sorted({*reported, *(peer.peer_address for peer in peers)} - known - {""})
    if not names:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_OWNERS, [names, names])
        return dict(cursor.fetchall())
