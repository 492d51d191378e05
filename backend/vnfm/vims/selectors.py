"""Reads of VIMs."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from vnfm.clouds.types import Connection, Features, Flavor, Image, Network, Subnet
from vnfm.kit.problem import not_found
from vnfm.kit.seal import unseal
from vnfm.vims.domain.artefact import ArtefactKey, ArtefactRecord
from vnfm.vims.domain.pace import MAX_PAUSE
from vnfm.vims.domain.project import Project
from vnfm.vims.domain.quota_use import QuotaUse
from vnfm.vims.domain.reachability import Truth, VimReachable
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.models import Vim, VimArtefact

PROJECT_COLUMNS = ("project_name", "scoped_project_name", "project_id", "scoped_project_id")
"""The columns that `project_of` reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VimResources(Features):
    """Things to pick from in a cloud, and what templates can use there, as of the last probe."""

    flavors: tuple[Flavor, ...]
    images: tuple[Image, ...]
    networks: tuple[Network, ...]
    zones: tuple[str, ...] | None
    """Availability zones of Nova; null: not known."""
    key_pairs: tuple[str, ...] | None
    """Names of Nova's key pairs of the VIM's user; null: not known."""
    volume_types: tuple[str, ...] | None
    """Names of Cinder's volume types; empty without Cinder, null: not known."""
    observed_at: datetime | None


def vim_get(*, vim_id: UUID) -> Vim:
    """Raises a 404 problem when there is none."""
    vim = Vim.objects.filter(id=vim_id).first()
    if vim is None:
        raise not_found("VIM", vim_id)
    return vim


def vim_names(ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the names of those that exist."""
    return dict(Vim.objects.filter(id__in=ids).values_list("id", "name"))


def vim_list() -> QuerySet[Vim]:
    return Vim.objects.all()


def connection_of(vim: VimRecord) -> Connection:
    """Return the connection with the password in clear, for the moment of connecting."""
    return Connection(
        auth_url=vim.auth_url,
        username=vim.username,
        password=unseal(vim.sealed_credentials)["password"],
        project_name=vim.project_name,
        project_id=vim.project_id,
        application_credential_id=vim.application_credential_id,
        application_credential_name=vim.application_credential_name,
        user_domain_name=vim.user_domain_name,
        project_domain_name=vim.project_domain_name,
        region=vim.region,
        interface=cast("Literal['public', 'internal', 'admin']", vim.interface),  # checked when it was registered
        cacert=vim.cacert,
        insecure=vim.insecure,
        endpoint_overrides=vim.endpoint_overrides,
        vim=vim.name,
    )


def project_of(vim: VimRecord) -> Project:
    """Return the project as its registration and its last probe name it."""
    return Project(
        name=vim.project_name or vim.scoped_project_name,
        id=vim.project_id or vim.scoped_project_id,
        other_names=(vim.scoped_project_name,) if vim.scoped_project_name else (),
    )


def project_name(path: str = "") -> Coalesce:
    """`Project.name` in SQL; `path` leads to the VIM."""
    names = (NullIf(f"{path}{column}", Value("")) for column in ("project_name", "scoped_project_name"))
    return Coalesce(*names, Value(""))


def project_label(path: str = "") -> Coalesce:
    """`Project.label` in SQL; `path` leads to the VIM."""
    shown = (NullIf(f"{path}{column}", Value("")) for column in PROJECT_COLUMNS)
    return Coalesce(*shown, Value(""))


def vim_matching(*, connection: Connection) -> Vim | None:
    """The VIM registered with exactly this connection, password included.

    Not for users who may not register VIMs: they could guess the password by it.
    """
    return next((vim for vim in _same_place(connection) if _of_project_of(vim, connection) == connection), None)


def vim_of_same_user(*, connection: Connection) -> Vim | None:
    """The first VIM registered with the same Keystone, region, project and user; the password is not compared.

    Without a region, it is the one VIM that there is in any.
    """
    found = list(_same_place(connection))
    same = [vim for vim in found if vim.region == connection.region]
    if same:
        return same[0]
    return found[0] if len(found) == 1 and not connection.region else None


def vim_of_project(*, connection: Connection) -> Vim | None:
    """The one VIM that is registered with the same Keystone and project id, by any user; None without an id."""
    if not connection.project_id:
        return None
    found = _in_project(connection)
    if connection.region:
        found = found.filter(region=connection.region)
    rows = list(found.order_by("created_at", "id")[:2])
    return rows[0] if len(rows) == 1 else None


def vim_named(text: str) -> Vim | None:
    """The VIM with this id, or else with this name: an NFVO may call clouds as its own inventory does."""
    with suppress(ValueError):
        return Vim.objects.filter(id=UUID(text)).first()
    return Vim.objects.filter(name=text).first() if text else None


def vim_only() -> Vim | None:
    """The VIM that is registered; None where there is none, or more than one."""
    known = list(Vim.objects.order_by("created_at")[:2])
    return known[0] if len(known) == 1 else None


def _same_place(connection: Connection) -> QuerySet[Vim]:
    """VIMs of the same user and project, in any region."""
    found = _in_project(connection).filter(
        username=connection.username,
        user_domain_name=connection.user_domain_name,
        application_credential_id=connection.application_credential_id,
        application_credential_name=connection.application_credential_name,
    )
    return found.order_by("created_at", "id")


def _in_project(connection: Connection) -> QuerySet[Vim]:
    """VIMs of the same Keystone and project, which either side may call by its name in a domain or by its id.

    A name means a project of its own domain only: that of a cloud registered by id is known since its first probe.
    """
    url, domain = connection.auth_url.rstrip("/"), connection.project_domain_name
    called = connection.project_id or connection.project_name
    project = Q(project_name=called, project_domain_name=domain, project_id="")
    if called:
        project |= Q(scoped_project_name=called, scoped_project_domain_name=domain)
        project |= Q(project_id=called) | Q(scoped_project_id=called)
    return Vim.objects.filter(project, auth_url__in=(url, f"{url}/"))


def _of_project_of(vim: VimRecord, connection: Connection) -> Connection:
    """The VIM's connection with its project written as in `connection`: `_same_place` has compared that."""
    return replace(
        connection_of(vim),
        project_id=connection.project_id,
        project_name=connection.project_name,
        project_domain_name=connection.project_domain_name,
    )


def reachability(vim: VimRecord) -> VimReachable:
    """As last observed; ask it for `at(now)` before showing it."""
    return VimReachable(
        status=cast("Truth", vim.reachable),  # written by vim_reachability_record alone
        reason=vim.reachable_reason,
        message=vim.reachable_message,
        last_transition_time=vim.reachable_since,
        observed_at=vim.reachable_observed_at,
    )


def vim_reachable(*, vim_id: UUID) -> Truth:
    """The status of `reachability` as it is stored now."""
    return cast("Truth", Vim.objects.values_list("reachable", flat=True).get(id=vim_id))


def is_paused(vim: VimRecord, now: datetime) -> bool:
    """Whether large requests wait, because the cloud answers late."""
    return vim.paused_until is not None and now < vim.paused_until <= now + MAX_PAUSE


def quotas_of(vim: VimRecord) -> dict[str, QuotaUse]:
    """Quotas of the cloud's project by resource, as of the last probe."""
    return {resource: QuotaUse(**quota) for resource, quota in vim.quotas.items()}


def vim_resources(vim: VimRecord) -> Mapping[str, Any]:
    """Flavors, images and networks of the last probe, empty before the first; names of zones, key pairs and volume
    types, None where they are not known.
    """
    unknown = {"zones": None, "key_pairs": None, "volume_types": None}
    return {"flavors": [], "images": [], "networks": [], **unknown, **vim.resources}


def vim_features(vim: VimRecord) -> Mapping[str, Any]:
    """Abilities for templates by the names of `clouds.types.Features`; None for what is not known."""
    return {"hot_functions": None, "resource_types": None, "network_extensions": None, **vim.features}


def vim_resources_view(vim: VimRecord) -> VimResources:
    """The resources and features of the last probe, typed."""
    stored = dict(vim_resources(vim))
    return VimResources(
        flavors=tuple(Flavor(**row) for row in stored.pop("flavors")),
        images=tuple(Image(**row) for row in stored.pop("images")),
        networks=tuple(map(network_of, stored.pop("networks"))),
        observed_at=vim.probed_at,
        **stored,
        **vim_features(vim),
    )


def network_of(row: Mapping[str, Any]) -> Network:
    """The network of a row of `vim_resources`."""
    return Network(**{**row, "subnets": tuple(Subnet(**subnet) for subnet in row["subnets"])})


def artefact_of(row: VimArtefact) -> ArtefactRecord:
    return ArtefactRecord(**{each.name: getattr(row, each.name) for each in fields(ArtefactRecord)})


def artefact_get(key: ArtefactKey) -> ArtefactRecord | None:
    row = VimArtefact.objects.filter(**asdict(key)).first()
    return artefact_of(row) if row else None


def artefact_ids(*, vim_id: UUID | None, keys: Collection[str]) -> dict[str, str]:
    """Key → id in the cloud, "" before its content was verified."""
    return dict(VimArtefact.objects.filter(vim=vim_id, key__in=keys).values_list("key", "resource_id"))


def artefacts_ready(*, vim_id: UUID | None) -> dict[str, str]:
    """Key → id in the cloud, of those that any operation may use."""
    rows = VimArtefact.objects.filter(vim=vim_id, ready_at__isnull=False)
    return dict(rows.values_list("key", "resource_id"))


def artefacts_known(*, resource_ids: Collection[str], making: Collection[str]) -> list[ArtefactRecord]:
    """Those with one of these ids in any cloud, and those not yet ready with one of the keys `making`."""
    found = Q(resource_id__in=resource_ids) | Q(key__in=making, ready_at__isnull=True)
    return [artefact_of(row) for row in VimArtefact.objects.filter(found)]


def own_images(*, without: Collection[str]) -> list[ArtefactRecord]:
    """The images that we uploaded, but for these keys."""
    rows = VimArtefact.objects.filter(kind=VimArtefact.Kind.IMAGE).exclude(made_id="").exclude(key__in=without)
    return [artefact_of(row) for row in rows]


def is_artefact_maker(maker_id: UUID) -> bool:
    """Whether an artefact is being made, or removed, by this operation or removal."""
    return VimArtefact.objects.filter(maker_id=maker_id).exists()
