"""Named environments: settings of an instantiation, saved for the next; one transaction each."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.kit.durable import outbox
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, unprocessable
from vnfm.kit.web.http import json_size
from vnfm.lcm.domain.environment import ImportedEnvironment, environment_errors, hot_environment, read_hot_environment
from vnfm.lcm.domain.requests import InstantiateVnfRequest
from vnfm.lcm.models import Environment
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import vim_named

TOPIC = "environment.changed"
MAX_PARAMS = 256 * 1024
"""Bytes of JSON."""


@transaction.atomic
def environment_create(*, request: Mapping[str, Any], by: str, now: datetime) -> Environment:
    """`request` has name, description, vnfdId, vimId, and parts of an InstantiateVnfRequest under their names.

    Raises 409 for a name that the VNFD has already, and 422 at the field for what cannot be saved, secrets included.
    """
    vnfd = _vnfd(request["vnfdId"])
    params = {name: value for name, value in (request.get("additionalParams") or {}).items() if value is not None}
    vim = _vim(request.get("vimId"))
    instantiation = InstantiateVnfRequest.of(request)
    errors = environment_errors(vnfd, instantiation, params)
    if json_size(params) > MAX_PARAMS:
        errors.append(FieldError("/additionalParams", f"More than {MAX_PARAMS // 1024} KiB of settings."))
    if errors:
        text = " ".join(error.message for error in errors)
        raise unprocessable("ENVIRONMENT_REFUSED", text, errors, "Correct the named settings, or leave them out.")
    environment = Environment(
        name=request["name"],
        description=request.get("description", ""),
        **_versions(vnfd),
        vim_id=vim.id if vim else None,
        vim_name=vim.name if vim else "",
        flavour_id=instantiation.flavour_id,
        instantiation_level_id=instantiation.instantiation_level_id,
        scale_levels={info.aspect_id: info.scale_level for info in instantiation.target_scale_level_info},
        params=params,
        created_by=by,
        changed_by=by,
        changed_at=now,
    )
    _save(environment)
    environment.refresh_from_db()
    return environment


def _versions(vnfd: Vnfd) -> dict[str, Any]:
    return {
        "vnfd_id": vnfd.vnfd_id,
        "provider": vnfd.provider,
        "product_name": vnfd.product_name,
        "software_version": vnfd.software_version,
        "vnfd_version": vnfd.vnfd_version,
    }


@transaction.atomic
def environment_update(*, environment: Environment, changes: Mapping[str, str], by: str, now: datetime) -> Environment:
    """Name and description. Raises 409 for a name in use, and when someone else has changed it."""
    known = Environment.objects.select_for_update(no_key=True).filter(id=environment.id, version=environment.version)
    if not known.exists():
        raise conflict("STALE", "The environment was changed by someone else.", "Reload it and repeat your change.")
    environment.name = changes.get("name", environment.name)
    environment.description = changes.get("description", environment.description)
    environment.version += 1
    environment.changed_by, environment.changed_at = by, now
    _save(environment)
    return environment


@transaction.atomic
def environment_delete(*, environment: Environment) -> None:
    """Instances made with it keep their settings."""
    outbox.publish(TOPIC, environment.id, environment.version + 1)
    environment.delete()


def environment_derive(*, vnfd_id: UUID, document: str) -> ImportedEnvironment:
    """Return the part of a HOT environment file that fits the VNFD; store nothing. Raises 422 for any other file."""
    vnfd = _vnfd(vnfd_id)
    try:
        return read_hot_environment(vnfd, document)
    except PackageError as error:
        fault = error.faults[0]
        raise _no_environment(fault.where() + fault.message, "Correct the file.") from error
    except ValueError as error:
        raise _no_environment(str(error), "Take the file that is given to `openstack stack create -e`.") from error


def environment_as_hot(environment: Environment) -> str:
    """The environment as a file for Heat; see `domain.environment`."""
    package = catalog.packages_onboarded().filter(vnfd_id=environment.vnfd_id).first()
    notes = (
        environment.description,
        f"{environment.product_name} {environment.software_version}, VNFD {environment.vnfd_version}",
        f"Deployment flavour {environment.flavour_id}, instantiation level {environment.instantiation_level_id or '-'}",
        *(f"Scaling aspect {aspect}: level {level}" for aspect, level in environment.scale_levels.items()),
        f"Cloud: {environment.vim_name}" if environment.vim_name else "",
    )
    return hot_environment(environment.name, notes, catalog.vnfd_of(package) if package else None, environment.params)


def _vnfd(vnfd_id: UUID) -> Vnfd:
    try:
        package = catalog.package_by_vnfd(vnfd_id=vnfd_id)
    except ProblemError as error:
        detail = error.problem.detail
        raise unprocessable("UNKNOWN_VNFD", detail, [FieldError("/vnfdId", detail)], "Name an onboarded one.") from None
    return catalog.vnfd_of(package)


def _vim(vim_id: UUID | None) -> VimRecord | None:
    vim = vim_named(str(vim_id)) if vim_id else None
    if vim_id and vim is None:
        detail = f"There is no VIM {vim_id}."
        raise unprocessable("UNKNOWN_VIM", detail, [FieldError("/vimId", detail)], "Name a registered VIM.")
    return vim


def _no_environment(detail: str, next_step: str) -> ProblemError:
    return unprocessable("NO_HOT_ENVIRONMENT", detail, [FieldError("/document", detail)], next_step)


def _save(environment: Environment) -> None:
    try:
        with transaction.atomic():
            environment.save()
            outbox.publish(TOPIC, environment.id, environment.version)
    except IntegrityError as error:
        detail = f"There is an environment named {environment.name!r} for this VNFD already."
        errors = (FieldError("/name", detail),)
        raise ProblemError(
            Problem(409, "NAME_TAKEN", "Conflict", detail, "Choose another name.", errors=errors)
        ) from error
