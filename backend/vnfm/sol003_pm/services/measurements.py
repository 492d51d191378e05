"""The parts that creating, changing and deleting PM jobs and thresholds share: metrics, objects and the callback."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.problem import FieldError, conflict, unprocessable
from vnfm.kit.seal import seal, unseal
from vnfm.notifications.models import Subscription
from vnfm.notifications.services.subscriptions import TEST_ENDPOINT, Login, digest, require_allowed
from vnfm.sol003_pm.domain.metrics import WITHOUT_SUB_OBJECTS, MeasuredType, Metrics, UnknownMetricError, selected
from vnfm.sol003_pm.models import PmJob, PmThreshold
from vnfm.sol003_pm.selectors.measured import Measured, as_one, measured_objects

MeasurementT = TypeVar("MeasurementT", PmJob, PmThreshold)


def metrics_of(object_type: str, names: Sequence[str], groups: Sequence[str], *, at: str) -> Metrics:
    """Raises 422, at the field `at`, when a metric or group does not exist or is not measured."""
    try:
        return selected(names, groups, object_type)
    except UnknownMetricError as error:
        words = str(error)
        raise unprocessable(
            "METRIC_NOT_AVAILABLE", words, [FieldError(at, words)], "Name metrics that are measured."
        ) from error


def require_measured(
    metrics: Metrics, object_ids: Sequence[UUID], sub_ids: Sequence[str] | None, *, at: str, edition: str
) -> None:
    """Raises 422 for an object or sub-object that does not exist, and when no counters measure an object."""
    for object_type in metrics:
        if sub_ids and object_type in WITHOUT_SUB_OBJECTS:
            words = f"{object_type} has no sub-objects."
            raise unprocessable("NO_SUB_OBJECTS", words, [FieldError("/subObjectInstanceIds", words)])
        for object_id in object_ids:
            measured = measured_objects(object_type, [object_id])
            _require_existing(object_type, object_id, measured, sub_ids, at)
            chosen = [each for each in measured if sub_ids is None or each.sub_id in sub_ids]
            if not any(each.sources for each in (as_one(chosen) if edition == PmJob.Edition.V1 else chosen)):
                raise _no_counters(object_type, object_id, at)


def _require_existing(
    object_type: MeasuredType, object_id: UUID, measured: Sequence[Measured], sub_ids: Collection[str] | None, at: str
) -> None:
    if not measured:
        words = f"There is no {object_type} to measure in {object_id}."
        raise unprocessable("NOTHING_TO_MEASURE", words, [FieldError(at, words)], "Check the ids.")
    missing = sorted(set(sub_ids or ()) - {each.sub_id for each in measured})
    if missing:
        words = f"There is no {object_type} {', '.join(missing)} in {object_id}."
        raise unprocessable("NOTHING_TO_MEASURE", words, [FieldError("/subObjectInstanceIds", words)], "Check the ids.")


def _no_counters(object_type: MeasuredType, object_id: UUID, at: str) -> Exception:
    words = f"No counters are read of {object_type} in {object_id}: no managed network element reports on it."
    return unprocessable(
        "METRIC_NOT_AVAILABLE", words, [FieldError(at, words)], "Have the VNF's router managed as a network element."
    )


def measurement_create(
    build: Callable[[Subscription | None, datetime], MeasurementT],
    *,
    identity: UUID,
    interface: str,
    callback: tuple[str, Login | None] | None,
    by: str,
) -> MeasurementT:
    """Store what `build` makes of the subscription, and of the time. `callback`: URI and login; None in edition v1.

    A worker tests the callback afterwards (SOL003 6.4.9.3.2). Raises 422 for a callback that is never called.
    """
    if callback is not None:
        require_allowed(*callback)
    with transaction.atomic():
        now = clock.now()
        subscription = _subscription(identity, interface, callback, by, now) if callback else None
        created = build(subscription, now)
        created.save(force_insert=True)
        audit(actor=by, action=f"{_word(created)}.create", target=str(identity))
    return created


def _subscription(
    identity: UUID, interface: str, callback: tuple[str, Login | None], by: str, now: datetime
) -> Subscription:
    uri, login = callback
    tasks.enqueue_on_commit(TEST_ENDPOINT, identity)
    return Subscription.objects.create(
        id=identity,
        interface=interface,
        callback_uri=uri,
        filter_digest=digest({"id": str(identity)}),
        auth_type=login["type"] if login else "",
        sealed_login=seal(login) if login else None,
        created_by=by,
        settled_at=now,
        never_answered=True,
    )


def callback_update(
    *, measurement: MeasurementT, callback_uri: str | None, login: Login | None, keep_login: bool, by: str
) -> MeasurementT:
    """Send notifications elsewhere, or with another login (SOL003 6.4.3.3.4). The endpoint is tested afterwards.

    Raises 409 when another user was faster.
    """
    subscription = measurement.subscription
    assert subscription is not None
    uri = callback_uri or subscription.callback_uri
    if keep_login:
        _require_login_again(subscription, uri)
        login = unseal(subscription.sealed_login) if subscription.sealed_login is not None else None
    require_allowed(uri, login)
    with transaction.atomic():
        rows = type(measurement).objects.filter(pk=measurement.pk, version=measurement.version)
        if not rows.update(version=measurement.version + 1):
            raise conflict("STALE", "It was changed by someone else.", "Reload it and repeat your change.")
        Subscription.objects.filter(id=subscription.id).update(
            callback_uri=uri,
            auth_type=login["type"] if login else "",
            sealed_login=seal(login) if login else None,
            not_before=None,
            never_answered=True,
            failures=0,
            settled_at=clock.now(),
            last_error="",
            **({"created_by": by} if callback_uri else {}),  # who sees it whole, as `visible_uri` has it
        )
        tasks.enqueue_on_commit(TEST_ENDPOINT, subscription.id)
        audit(actor=by, action=f"{_word(measurement)}.update", target=str(measurement.pk))
    return type(measurement).objects.select_related("subscription").get(pk=measurement.pk)


def _require_login_again(subscription: Subscription, uri: str) -> None:
    """A secret is not sent to an address that its owner has not named together with it."""
    if subscription.sealed_login is not None and uri != subscription.callback_uri:
        words = "Give authentication together with the new callbackUri: the stored one is for the old address."
        raise unprocessable("LOGIN_NEEDED", words, [FieldError("/authentication", words)], "Repeat it with both.")


@transaction.atomic
def measurement_delete(*, measurement: PmJob | PmThreshold, by: str) -> None:
    """Its reports, and notifications that wait for its callback, are deleted, too."""
    audit(actor=by, action=f"{_word(measurement)}.delete", target=str(measurement.pk))
    if measurement.subscription is not None:
        measurement.subscription.delete()
    else:
        measurement.delete()


def _word(measurement: PmJob | PmThreshold) -> str:
    return "pm_job" if isinstance(measurement, PmJob) else "pm_threshold"
