"""Reads of VIMs."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from django.db.models import Q, QuerySet

from vnfm.clouds.types import Connection
from vnfm.kit.problem import not_found
from vnfm.kit.seal import unseal
from vnfm.vims.domain.pace import MAX_PAUSE
from vnfm.vims.domain.reachability import Reachability, Truth
from vnfm.vims.models import Vim


def vim_get(*, vim_id: UUID) -> Vim:
    """Raises a 404 problem when there is none."""
    vim = Vim.objects.filter(id=vim_id).first()
    if vim is None:
        raise not_found("VIM", vim_id)
    return vim


def vim_list() -> QuerySet[Vim]:
    return Vim.objects.all()


def connection_of(vim: Vim) -> Connection:
    """With the password in clear: for the moment of connecting."""
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
    """The one VIM that is registered with the same Keystone and project id, by any user; None without an id.

    Its project id is known by registration, or since its first probe.
    """
    if not connection.project_id:
        return None
    project = Q(project_id=connection.project_id) | Q(scoped_project_id=connection.project_id)
    url = connection.auth_url.rstrip("/")
    found = Vim.objects.filter(project, auth_url__in=(url, f"{url}/"))
    if connection.region:
        found = found.filter(region=connection.region)
    rows = list(found.order_by("created_at", "id")[:2])
    return rows[0] if len(rows) == 1 else None


def vim_named(text: str) -> Vim | None:
    """The VIM with this id, or else with this name: an NFVO may call clouds as its own inventory does."""
    with suppress(ValueError):
        return Vim.objects.filter(id=UUID(text)).first()
    return Vim.objects.filter(name=text).first() if text else None


def _same_place(connection: Connection) -> QuerySet[Vim]:
    """In any region."""
    url = connection.auth_url.rstrip("/")
    project = Q(project_name=connection.project_name, project_domain_name=connection.project_domain_name, project_id="")
    if connection.project_id:
        # One that is registered by the project's name is known by its id since its first probe.
        project = Q(project_id=connection.project_id) | Q(scoped_project_id=connection.project_id)
    found = Vim.objects.filter(
        project,
        auth_url__in=(url, f"{url}/"),
        username=connection.username,
        user_domain_name=connection.user_domain_name,
        application_credential_id=connection.application_credential_id,
        application_credential_name=connection.application_credential_name,
    )
    return found.order_by("created_at", "id")


def _of_project_of(vim: Vim, connection: Connection) -> Connection:
    """The VIM's connection with its project written as in `connection`: `_same_place` has compared that."""
    return replace(
        connection_of(vim),
        project_id=connection.project_id,
        project_name=connection.project_name,
        project_domain_name=connection.project_domain_name,
    )


def reachability(vim: Vim) -> Reachability:
    """As last observed; ask it for `at(now)` before showing it."""
    return Reachability(
        status=cast("Truth", vim.reachable),  # written by vim_reachability_record alone
        reason=vim.reachable_reason,
        message=vim.reachable_message,
        last_transition_time=vim.reachable_since,
        observed_at=vim.reachable_observed_at,
    )


def is_paused(vim: Vim, now: datetime) -> bool:
    """Whether large requests wait, because the cloud answers late."""
    return vim.paused_until is not None and now < vim.paused_until <= now + MAX_PAUSE


def vim_resources(vim: Vim) -> Mapping[str, Any]:
    """Flavors, images and networks of the last probe, empty before the first; names of zones, key pairs and volume
    types, None where they are not known.
    """
    unknown = {"zones": None, "key_pairs": None, "volume_types": None}
    return {"flavors": [], "images": [], "networks": [], **unknown, **vim.resources}


def vim_features(vim: Vim) -> Mapping[str, Any]:
    """What templates can use, as `clouds.types.Features`; None for what is not known."""
    return {"hot_functions": None, "resource_types": None, "network_extensions": None, **vim.features}
