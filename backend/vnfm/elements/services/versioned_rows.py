"""Writing rows with optimistic locking (`version`), unique names, and an outbox event for each change."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, ProtectedError

from vnfm.elements.models import DiscoveryRule, ManagementProfile, MediationPolicy, NetworkElement, Site
from vnfm.kit.durable import outbox
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict

R = TypeVar("R", Site, MediationPolicy, ManagementProfile, NetworkElement, DiscoveryRule)

TOPICS: Mapping[type[Any], str] = {
    Site: "site.changed",
    MediationPolicy: "mediation_policy.changed",
    ManagementProfile: "management_profile.changed",
    NetworkElement: "network_element.changed",
    DiscoveryRule: "discovery_rule.changed",
}
NOUNS: Mapping[type[Any], str] = {
    Site: "site",
    MediationPolicy: "mediation policy",
    ManagementProfile: "management profile",
    NetworkElement: "network element",
    DiscoveryRule: "discovery rule",
}


def insert_row(model: type[R], columns: Mapping[str, Any]) -> R:
    """A new row. Raises 409 for a name in use."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                row = model.objects.create(**columns)
        except IntegrityError as error:
            raise _name_conflict(model, columns["name"]) from error
        publish_change(row)
    return row


def update_row(row: R, columns: Mapping[str, Any]) -> R:
    """The row as updated. Raises 409 STALE when it was changed since it was read, and for a name in use."""
    model = type(row)
    with transaction.atomic():
        try:
            with transaction.atomic():
                updated = model.objects.filter(id=row.id, version=row.version).update(
                    **columns, version=F("version") + 1
                )
        except IntegrityError as error:
            raise _name_conflict(model, columns["name"]) from error
        if not updated:
            message = f"The {NOUNS[model]} {row.name} was changed by someone else."
            raise conflict("STALE", message, "Reload it and repeat your change.")
        row.refresh_from_db()
        publish_change(row)
    return row


def delete_row(row: R, code: str) -> None:
    """Delete it. Raises a 409 `code` that names its users."""
    row_id, version, model = row.id, row.version + 1, type(row)
    with transaction.atomic():
        try:
            row.delete()
        except ProtectedError as error:
            names = sorted(str(getattr(user, "name", user)) for user in error.protected_objects)
            raise conflict(
                code,
                f"The {NOUNS[model]} {row.name} is in use by {', '.join(names)}.",
                "Give those another one first.",
                usedBy=names,
            ) from error
        outbox.publish(TOPICS[model], row_id, version)


def elements_touch(ids: Collection[UUID]) -> set[UUID]:
    """A new version and an event for these elements, as facts about them changed; locks them in the order of ids.

    Which of them exist. To be called in the transaction of the change.
    """
    locked = list(NetworkElement.objects.select_for_update(no_key=True).filter(id__in=ids).order_by("id"))
    found = {element.id for element in locked}
    NetworkElement.objects.filter(id__in=found).update(version=F("version") + 1)
    for element in locked:
        element.version += 1
        publish_change(element)
    return found


def publish_change(row: R) -> None:
    """Publish in the transaction of the change."""
    outbox.publish(TOPICS[type(row)], row.id, row.version)


def _name_conflict(model: type[R], name: str) -> ProblemError:
    detail = f"There is already a {NOUNS[model]} named {name}."
    errors = (FieldError("/name", detail),)
    return ProblemError(Problem(409, "NAME_TAKEN", "Conflict", detail, "Choose another name.", errors=errors))
