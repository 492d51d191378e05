"""Pages of VNF instances: filtered, selected and paged in SQL; what is not selected is not fetched."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from rest_framework.request import Request

from vnfm.catalog.models import VnfPackage
from vnfm.inventory.models import VnfInstance
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.etsi.selection import Selection
from vnfm.lcm.api.filters import instance_attributes
from vnfm.lcm.api.instance_rows import VnfInstanceRow
from vnfm.lcm.api.instance_view import INFO, VIM, VnfInstanceOut
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import UNDER_WAY
from vnfm.lcm.wire.editions import Edition, Json
from vnfm.vims.models import Vim
from vnfm.vims.selectors import PROJECT_COLUMNS

SHORT_PAGE_SIZE = 1000
"""A page of 1,000 instances without complex attributes is less than a megabyte, and one query."""

_BUSY = Exists(LcmOpOcc.objects.filter(UNDER_WAY, instance=OuterRef("pk")))
_SHORT = ("id", "name", "description", "instantiation_state", "created_at", "package_id", "busy")
_OF_PACKAGE = ("vnfd_id", "provider", "product_name", "software_version", "vnfd_version")
_OF_VIM = ("vim_type", "auth_url", "username", *PROJECT_COLUMNS, "region")
_DEFERRED = ("settings", "sealed_settings", "member_slots", "stack_status_reason")


def instance_page(request: Request, edition: Edition, chosen: Selection) -> tuple[list[Json], dict[str, str]]:
    """One page, oldest first, and the headers that lead to the next."""
    query = filtered(VnfInstance.objects.annotate(busy=_BUSY), request, instance_attributes(edition))
    if chosen.wants(VIM) or chosen.wants(INFO):
        return _full(query, request, edition, chosen)
    return _short(query, request, edition, chosen)


def _short(
    query: QuerySet[VnfInstance], request: Request, edition: Edition, chosen: Selection
) -> tuple[list[Json], dict[str, str]]:
    """Rows as tuples: to make model objects would take longer than all the rest."""
    columns = (*_SHORT, "metadata") if chosen.wants("metadata") else _SHORT
    rows, headers = page(query.values_list(*columns, named=True), request, size=SHORT_PAGE_SIZE)
    return _body(rows, _packages(row.package_id for row in rows), edition, chosen), headers


def _full(
    query: QuerySet[VnfInstance], request: Request, edition: Edition, chosen: Selection
) -> tuple[list[Json], dict[str, str]]:
    if chosen.wants(INFO):
        query = query.prefetch_related("vnfcs__ports", "virtual_links")
    rows, headers = page(query.defer(*_DEFERRED), request)
    packages = _packages(row.package_id for row in rows)
    vims = Vim.objects.only(*_OF_VIM).in_bulk({row.vim_id for row in rows} - {None}) if chosen.wants(VIM) else {}
    for row in rows:
        row.package = packages[row.package_id]
        if row.vim_id in vims:
            row.vim = vims[row.vim_id]
    return _body(rows, packages, edition, chosen), headers


def _body(rows: list[Any], packages: Mapping[UUID, VnfPackage], edition: Edition, chosen: Selection) -> list[Json]:
    represent = VnfInstanceOut(context={"edition": edition, "chosen": chosen}).to_representation
    return [represent(VnfInstanceRow(row, packages[row.package_id], row.busy)) for row in rows]


def _packages(ids: Iterable[UUID]) -> dict[UUID, VnfPackage]:
    """Packages are few, and large: each is fetched once, and without its descriptor."""
    return VnfPackage.objects.only(*_OF_PACKAGE).in_bulk(set(ids))
