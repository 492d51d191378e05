"""Search by names, ids, addresses and words of alarms. A read model without tables of its own."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import Case, F, IntegerField, Model, Q, QuerySet, Value, When

from vnfm.catalog.models import VnfPackage
from vnfm.elements.models import Interface, NetworkElement, Site
from vnfm.faults.models import OPEN, UNSUPPRESSED, Alarm
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance
from vnfm.kit.text_search import matching_words
from vnfm.kit.web.message import INTERNAL
from vnfm.search.selectors.addresses import is_address, with_address
from vnfm.vims.models import Vim
from vnfm.vims.selectors import PROJECT_COLUMNS, project_of

MAX_HITS = 8
"""Hits of one kind; the lists of each kind have filters for more."""
MIN_LENGTH = 2
"""Characters: a single one matches everything."""

_ID = re.compile(r"[0-9a-f]{4}[0-9a-f-]{0,32}", re.IGNORECASE)


class SearchKind(StrEnum):
    """Kinds of hits, in the order of groups that match equally well."""

    INSTANCE = "INSTANCE"
    VM = "VM"
    ELEMENT = "ELEMENT"
    ADDRESS = "ADDRESS"
    ALARM = "ALARM"
    PACKAGE = "PACKAGE"
    CLOUD = "CLOUD"
    SITE = "SITE"


@dataclass(frozen=True, slots=True)
class SearchHit:
    id: str
    """The id of an address is Neutron's id of its port, or the ifIndex of its interface."""
    name: str
    detail: str
    """Distinguishes it from others of the same name."""
    matched: str
    """The text that matched, when that is not the name."""
    owner_kind: SearchKind
    """Kind of the object whose page displays it: often its own."""
    owner_id: str
    severity: str = ""
    """The severity of an alarm; else empty."""
    rank: int = field(default=2, metadata=INTERNAL)
    """0: the text equals a name, id or address; 1: is a prefix of it; 2: is a part of it."""


@dataclass(frozen=True, slots=True)
class SearchGroup:
    kind: SearchKind
    hits: tuple[SearchHit, ...]
    """The best, at most MAX_HITS."""
    more: bool
    """There are further ones of this kind."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    groups: list[SearchGroup]
    """Groups with the best hits come first."""


def search(*, text: str) -> SearchResult:
    """No groups for a text shorter than MIN_LENGTH."""
    text = " ".join(text.split())
    if len(text) < MIN_LENGTH:
        return SearchResult([])
    groups = [_group(kind, find(text)) for kind, find in _FINDERS.items()]
    found = (group for group in groups if group.hits)
    return SearchResult(sorted(found, key=lambda group: min(hit.rank for hit in group.hits)))


def _group(kind: SearchKind, hits: Iterable[SearchHit]) -> SearchGroup:
    found = tuple(hits)
    return SearchGroup(kind, found[:MAX_HITS], len(found) > MAX_HITS)


def _ranked(rows: QuerySet[Any], text: str, columns: Sequence[str]) -> list[Any]:
    """Rows with the text in one of the columns, or as a prefix of the id: exact matches first, then prefixes.

    `columns[0]` is the name.
    """
    exact, begins, holds = Q(), Q(), Q()
    for column in columns:
        exact |= Q(**{f"{column}__iexact": text})
        begins |= Q(**{f"{column}__istartswith": text})
        holds |= Q(**{f"{column}__icontains": text})
    if (bounds := _ids_from(text)) is not None:
        begins |= Q(id__range=bounds)
        holds |= Q(id__range=bounds)
        if bounds[0] == bounds[1]:
            exact |= Q(id=bounds[0])
    rank = Case(When(exact, then=Value(0)), When(begins, then=Value(1)), default=Value(2), output_field=IntegerField())
    return list(rows.filter(holds).annotate(rank=rank).order_by("rank", columns[0], "id")[: MAX_HITS + 1])


def _ids_from(text: str) -> tuple[UUID, UUID] | None:
    """The first and last UUID with this prefix: the primary key's index serves the range."""
    if not _ID.fullmatch(text):
        return None
    digits = text.replace("-", "")
    return (UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))) if len(digits) <= 32 else None  # noqa: PLR2004


def _matched(text: str, row: Model, columns: Sequence[str]) -> str:
    """The value, other than the name, that has the text; the id when no column has it."""
    values = [str(getattr(row, column)) for column in columns]
    if text.lower() in values[0].lower():
        return ""
    return next((value for value in values if text.lower() in value.lower()), str(row.pk))


def _words(*parts: object) -> str:
    return " · ".join(str(part) for part in parts if part)


def _finder(
    kind: SearchKind, rows: Callable[[], QuerySet[Any]], columns: Sequence[str], detail: Callable[[Any], str]
) -> Callable[[str], Iterator[SearchHit]]:
    """A finder of objects that have a page of their own."""

    def find(text: str) -> Iterator[SearchHit]:
        for row in _ranked(rows(), text, columns):
            key, name = str(row.id), str(getattr(row, columns[0]))
            yield SearchHit(key, name, detail(row), _matched(text, row, columns), kind, key, rank=row.rank)

    return find


def _vms(text: str) -> Iterator[SearchHit]:
    columns = ("name", "server_name", "server_id")
    rows = Vnfc.objects.only(*columns, "instance_id", "vdu_id").annotate(instance_name=F("instance__name"))
    for row in _ranked(rows, text, columns):
        detail, owner = _words(row.vdu_id, row.instance_name), str(row.instance_id)
        matched = _matched(text, row, columns)
        yield SearchHit(str(row.id), row.name, detail, matched, SearchKind.INSTANCE, owner, rank=row.rank)


def _addresses(text: str) -> Iterator[SearchHit]:
    if not is_address(text):
        return iter(())
    hits = chain(_port_addresses(text), _interface_addresses(text))
    return iter(sorted(hits, key=lambda hit: hit.rank)[: MAX_HITS + 1])


def _address_of(addresses: Sequence[str], text: str) -> str:
    return next((each for each in addresses if each.lower().startswith(text.lower())), text)


def _port_addresses(text: str) -> Iterator[SearchHit]:
    rows = VnfcPort.objects.select_related("vnfc__instance").only(
        "port_id", "cp_id", "ip_addresses", "vnfc__name", "vnfc__instance__name"
    )
    for row in with_address(rows, "ip_addresses", text)[: MAX_HITS + 1]:
        vnfc = row.vnfc
        detail = _words(row.cp_id or row.port_id, vnfc.name, vnfc.instance.name)
        name = _address_of(row.ip_addresses, text)
        yield SearchHit(
            row.port_id, name, detail, "", SearchKind.INSTANCE, str(vnfc.instance_id), rank=0 if row.exact else 1
        )


def _interface_addresses(text: str) -> Iterator[SearchHit]:
    rows = Interface.objects.select_related("element").only("if_index", "name", "addresses", "element__name")
    for row in with_address(rows, "addresses", text)[: MAX_HITS + 1]:
        detail, owner = _words(row.name, row.element.name), str(row.element_id)
        name = _address_of(row.addresses, text)
        yield SearchHit(str(row.if_index), name, detail, "", SearchKind.ELEMENT, owner, rank=0 if row.exact else 1)


def _alarms(text: str) -> Iterator[SearchHit]:
    """Open published alarms, the latest first: ranking a hundred thousand matches would be slow and useless."""
    rows = matching_words(Alarm.objects.filter(OPEN, UNSUPPRESSED), text).order_by("-raised_at", "-id")
    if (bounds := _ids_from(text)) is not None and bounds[0] == bounds[1]:
        rows = Alarm.objects.filter(id=bounds[0])
    for row in rows[: MAX_HITS + 1]:
        detail = _words(row.managed_object_name, row.faulty_resource_name)
        found = next((line for line in row.fault_details if text.lower() in str(line).lower()), "")
        yield SearchHit(
            str(row.id), row.probable_cause, detail, str(found), SearchKind.ALARM, str(row.id), row.perceived_severity
        )


def _instances() -> QuerySet[Any]:
    fields = ("name", "stack_name", "stack_id")
    named = {"product": F("package__product_name"), "vim_name": F("vim__name")}
    return VnfInstance.objects.only(*fields).annotate(**named)


def _elements() -> QuerySet[Any]:
    return NetworkElement.objects.only("name", "management_address", "sys_name", "chassis_type", "driver")


def _packages() -> QuerySet[Any]:
    return VnfPackage.objects.only("product_name", "provider", "software_version", "vnfd_version", "vnfd_id")


_FINDERS: dict[SearchKind, Callable[[str], Iterator[SearchHit]]] = {
    SearchKind.INSTANCE: _finder(
        SearchKind.INSTANCE,
        _instances,
        ("name", "stack_name", "stack_id"),
        lambda row: _words(row.product, row.vim_name),
    ),
    SearchKind.VM: _vms,
    SearchKind.ELEMENT: _finder(
        SearchKind.ELEMENT,
        _elements,
        ("name", "management_address", "sys_name"),
        lambda row: _words(row.management_address, row.chassis_type or row.driver),
    ),
    SearchKind.ADDRESS: _addresses,
    SearchKind.ALARM: _alarms,
    SearchKind.PACKAGE: _finder(
        SearchKind.PACKAGE,
        _packages,
        ("product_name", "provider", "vnfd_id"),
        lambda row: _words(row.provider, row.software_version, row.vnfd_version),
    ),
    SearchKind.CLOUD: _finder(
        SearchKind.CLOUD,
        lambda: Vim.objects.only("name", "auth_url", "region", *PROJECT_COLUMNS),
        ("name", "auth_url"),
        lambda row: _words(row.region, project_of(row).label),
    ),
    SearchKind.SITE: _finder(
        SearchKind.SITE,
        lambda: Site.objects.only("name", "description"),
        ("name", "description"),
        lambda row: row.description,
    ),
}
