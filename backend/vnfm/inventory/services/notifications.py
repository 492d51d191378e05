"""Notifications of a cloud: webhooks of its alarms, and its message bus. A notification only requests a poll."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from vnfm.clouds.types import BusConnection
from vnfm.inventory.domain.aodh_webhook import AodhNotification, match_length
from vnfm.inventory.domain.message_bus import transport_urls
from vnfm.inventory.models import CloudAlarm, VimNotifications, VnfInstance
from vnfm.inventory.services.instances import instance_changed, instances_lock
from vnfm.inventory.services.polling import poll_request
from vnfm.kit.problem import FieldError, ProblemError, conflict, unprocessable
from vnfm.kit.seal import seal, unseal
from vnfm.vims.domain.reachability import Truth
from vnfm.vims.domain.vim_record import VimRecord

CALLED_AT_PRECISION = timedelta(seconds=10)
"""Precision of the stored time of the last call: a storm of alarms must not become one of writes to one row."""


@transaction.atomic
def bus_set(
    *, settings: VimNotifications, url: str | None, exchanges: Sequence[str], topic: str, queue: str
) -> VimNotifications:
    """Set where to listen; `url` None keeps the present one. Raises 422 that names the field."""
    if url is None and settings.sealed_bus is None:
        raise _bad_url("This is needed.")
    if url is not None:
        try:
            transport_urls(url)
        except ValueError as error:
            raise _bad_url(str(error)) from error
        settings.sealed_bus = seal({"url": url})
    settings.exchanges, settings.topic, settings.queue = list(exchanges), topic, queue
    settings.listening, settings.listening_reason, settings.listening_since = "Unknown", "NotTried", None
    settings.listening_message = "No connection was tried since this was set."
    return _write(settings)


def bus_delete(*, settings: VimNotifications) -> None:
    """Stop listening."""
    settings.sealed_bus, settings.exchanges, settings.queue, settings.received_at = None, [], "", None
    settings.listening, settings.listening_reason, settings.listening_since = "Unknown", "NotTried", None
    settings.listening_message = "There is nothing to listen to."
    _write(settings)


_BUS_COLUMNS = (
    "sealed_bus",
    "exchanges",
    "topic",
    "queue",
    "received_at",
    "listening",
    "listening_reason",
    "listening_message",
    "listening_since",
)


def _write(settings: VimNotifications) -> VimNotifications:
    """Raises 409 when it was changed since it was read."""
    columns = {name: getattr(settings, name) for name in _BUS_COLUMNS}
    if settings._state.adding:  # noqa: SLF001 - Django documents it
        VimNotifications.objects.get_or_create(vim_id=settings.vim_id, defaults={"version": settings.version})
    known = VimNotifications.objects.filter(vim=settings.vim_id, version=settings.version)
    if not known.update(**columns, version=F("version") + 1):
        raise conflict("STALE", "The message bus was changed by someone else.", "Reload it and repeat your change.")
    return VimNotifications.objects.get(vim=settings.vim_id)


def _bad_url(words: str) -> ProblemError:
    step = "Give the transport_url of the cloud's services, or one made for us with rights to read."
    return unprocessable("INVALID_BUS", f"The message bus: {words}", [FieldError("/transportUrl", words)], step)


def bus_connection(settings: VimNotifications) -> BusConnection:
    """With the password in clear, so for connecting only. TLS trusts the same authorities as for the VIM's services."""
    assert settings.sealed_bus is not None
    return BusConnection(
        urls=transport_urls(unseal(settings.sealed_bus)["url"]),
        exchanges=tuple(settings.exchanges),
        topic=settings.topic,
        queue=settings.queue,
        cacert=settings.vim.cacert,
        insecure=settings.vim.insecure,
    )


def bus_status_record(
    *, settings: VimNotifications, listening: Truth, reason: str, message: str, now: datetime
) -> None:
    """Record whether we listen; writes nothing while that stays the same, or when the settings have changed."""
    values = {"listening": listening, "listening_reason": reason, "listening_message": message}
    known = VimNotifications.objects.filter(vim=settings.vim_id, version=settings.version)
    known.exclude(listening=listening).update(listening_since=now)
    known.exclude(**values).update(**values)


def notification_received_record(*, settings: VimNotifications, now: datetime) -> None:
    VimNotifications.objects.filter(vim=settings.vim_id, version=settings.version).update(received_at=now)


def webhook_token(settings: VimNotifications) -> str:
    """Authenticates calls for this VIM: a HMAC by the installation's secret key over a salt of the VIM's own."""
    value = f"{settings.vim_id} {settings.webhook_salt}"
    return salted_hmac("vnfm.inventory.webhook.aodh", value, algorithm="sha256").hexdigest()


@transaction.atomic
def webhook_create(*, vim: VimRecord, now: datetime) -> VimNotifications:
    """A new URL for the VIM's alarms; the one before stops working at once."""
    VimNotifications.objects.get_or_create(vim_id=vim.id)
    VimNotifications.objects.filter(vim=vim.id).update(
        webhook_salt=secrets.token_urlsafe(32), webhook_created_at=now, webhook_called_at=None
    )
    return VimNotifications.objects.get(vim=vim.id)


@transaction.atomic
def webhook_delete(*, vim: VimRecord) -> None:
    """Revoke the URL, and forget the alarms received by it: no call would say that they are over."""
    VimNotifications.objects.filter(vim=vim.id).update(webhook_salt="", webhook_created_at=None, webhook_called_at=None)
    alarms = CloudAlarm.objects.filter(vim=vim.id)
    for instance in instances_lock(set(alarms.exclude(instance=None).values_list("instance", flat=True))):
        instance_changed(instance)
    alarms.delete()
    poll_request(vim_id=vim.id)


def webhook_authenticate(*, vim_id: UUID, token: str) -> VimNotifications | None:
    """The settings of the VIM, when the token is its own."""
    settings = VimNotifications.objects.filter(vim_id=vim_id).exclude(webhook_salt="").first()
    return settings if settings is not None and constant_time_compare(webhook_token(settings), token) else None


@transaction.atomic
def cloud_alarm_record(*, settings: VimNotifications, notification: AodhNotification, now: datetime) -> None:
    """Record the alarm of a webhook call, with the instance that it concerns, and request a poll of the VIM."""
    values: dict[str, Any] = {
        "name": notification.name,
        "state": notification.state,
        "severity": notification.severity,
        "reason": notification.reason,
        "reason_data": dict(notification.reason_data),
        "server_id": notification.server_id,
        "received_at": now,
    }
    values["instance_id"] = _matching_instance(settings.vim_id, notification)
    known = CloudAlarm.objects.filter(vim_id=settings.vim_id, alarm_id=notification.alarm_id)
    instances = instances_lock({*known.values_list("instance", flat=True), values["instance_id"]} - {None})
    row = known.select_for_update(no_key=True).first()
    if row is None or any(getattr(row, name) != values[name] for name in _ALARM_COLUMNS):
        for instance in instances:
            instance_changed(instance)
    if row is None:
        CloudAlarm.objects.update_or_create(
            vim_id=settings.vim_id,
            alarm_id=notification.alarm_id,
            defaults=values,
            create_defaults={**values, "since": now},
        )
    else:
        since = {} if row.state == notification.state else {"since": now}
        known.update(**values, **since)
    called = VimNotifications.objects.filter(vim_id=settings.vim_id).exclude(
        webhook_called_at__gt=now - CALLED_AT_PRECISION
    )
    called.update(webhook_called_at=now)
    poll_request(vim_id=settings.vim_id)


_ALARM_COLUMNS = ("instance_id", "name", "state", "severity", "reason")
"""Columns that the instance's alarm shows: a call that repeats it changes nothing."""


def _matching_instance(vim_id: UUID, notification: AodhNotification) -> UUID | None:
    """The instance with that server, else the one that the alarm's name matches best; of several the oldest."""
    candidates = VnfInstance.objects.filter(vim=vim_id).order_by("created_at", "id")
    if notification.server_id:
        owner = candidates.filter(vnfcs__server_id=notification.server_id).values_list("id", flat=True).first()
        if owner is not None:
            return owner
    matches = {
        row_id: match_length(notification.name, instance_id=str(row_id), stack_name=stack_name)
        for row_id, stack_name in candidates.values_list("id", "stack_name")
    }
    best = max(matches, key=matches.__getitem__, default=None)
    return best if best is not None and matches[best] else None
