"""How a cloud tells us of news: webhooks of its alarms, and its message bus. What it tells only rings."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from vnfm.clouds.types import BusConnection
from vnfm.inventory.domain.bus import transport_urls
from vnfm.inventory.domain.cloud_alarms import Told, speaks_of
from vnfm.inventory.models import CloudAlarm, VimPush, VnfInstance
from vnfm.inventory.services import instance_changed, instances_lock, look_ring
from vnfm.kit.problem import FieldError, ProblemError, conflict, unprocessable
from vnfm.kit.seal import seal, unseal
from vnfm.vims.domain.reachability import Truth
from vnfm.vims.models import Vim

CALLED_TO = timedelta(seconds=10)
"""How exactly it is kept when a webhook was last called: a storm of alarms must not become one of writes to one row."""


@transaction.atomic
def bus_set(*, push: VimPush, url: str | None, exchanges: Sequence[str], topic: str, queue: str) -> VimPush:
    """Listen there from now on; `url` None: where we have listened so far. Raises 422 at the field to blame."""
    if url is None and push.sealed_bus is None:
        raise _bad_url("This is needed.")
    if url is not None:
        try:
            transport_urls(url)
        except ValueError as error:
            raise _bad_url(str(error)) from error
        push.sealed_bus = seal({"url": url})
    push.exchanges, push.topic, push.queue = list(exchanges), topic, queue
    push.listening, push.listening_reason, push.listening_since = "Unknown", "NotTried", None
    push.listening_message = "Nobody has tried to listen since this was set."
    return _write(push)


def bus_drop(*, push: VimPush) -> None:
    """Listen no longer."""
    push.sealed_bus, push.exchanges, push.queue, push.heard_at = None, [], "", None
    push.listening, push.listening_reason, push.listening_since = "Unknown", "NotTried", None
    push.listening_message = "There is nothing to listen to."
    _write(push)


def _write(push: VimPush) -> VimPush:
    """Raises 409 when somebody else changed it since it was read."""
    columns = {
        name: getattr(push, name)
        for name in (
            *("sealed_bus", "exchanges", "topic", "queue", "heard_at"),
            *("listening", "listening_reason", "listening_message", "listening_since"),
        )
    }
    if push._state.adding:  # noqa: SLF001 - Django documents it
        VimPush.objects.get_or_create(vim_id=push.vim_id, defaults={"version": push.version})
    known = VimPush.objects.filter(vim=push.vim_id, version=push.version)
    if not known.update(**columns, version=F("version") + 1):
        raise conflict("STALE", "What is listened to was changed meanwhile.", "Look again, then repeat.")
    return VimPush.objects.get(vim=push.vim_id)


def _bad_url(words: str) -> ProblemError:
    step = "Give the transport_url of the cloud's services, or one made for us with rights to read."
    return unprocessable("INVALID_BUS", f"The message bus: {words}", [FieldError("/transportUrl", words)], step)


def bus_connection(push: VimPush) -> BusConnection:
    """With the password in clear: for the moment of connecting. The bus is trusted as the VIM's services are."""
    assert push.sealed_bus is not None
    return BusConnection(
        urls=transport_urls(unseal(push.sealed_bus)["url"]),
        exchanges=tuple(push.exchanges),
        topic=push.topic,
        queue=push.queue,
        cacert=push.vim.cacert,
        insecure=push.vim.insecure,
    )


def listening_record(*, push: VimPush, listening: Truth, reason: str, message: str, now: datetime) -> None:
    """Note whether the bus is heard; nothing is written while that stays as it is, or when the settings are others."""
    told = {"listening": listening, "listening_reason": reason, "listening_message": message}
    known = VimPush.objects.filter(vim=push.vim_id, version=push.version)
    known.exclude(listening=listening).update(listening_since=now)
    known.exclude(**told).update(**told)


def heard_record(*, push: VimPush, now: datetime) -> None:
    VimPush.objects.filter(vim=push.vim_id, version=push.version).update(heard_at=now)


def webhook_token(push: VimPush) -> str:
    """Signs "this VIM may be rung": with the secret key of the installation and a salt of the VIM's own."""
    value = f"{push.vim_id} {push.webhook_salt}"
    return salted_hmac("vnfm.inventory.webhook.aodh", value, algorithm="sha256").hexdigest()


@transaction.atomic
def webhook_make(*, vim: Vim, now: datetime) -> VimPush:
    """A new URL for the VIM's alarms; the one before stops working at once."""
    VimPush.objects.get_or_create(vim=vim)
    VimPush.objects.filter(vim=vim).update(
        webhook_salt=secrets.token_urlsafe(32), webhook_made_at=now, webhook_called_at=None
    )
    return VimPush.objects.get(vim=vim)


@transaction.atomic
def webhook_drop(*, vim: Vim) -> None:
    """From now on nobody may ring; what was told is forgotten, for nobody would tell that it is over."""
    VimPush.objects.filter(vim=vim).update(webhook_salt="", webhook_made_at=None, webhook_called_at=None)
    told = CloudAlarm.objects.filter(vim=vim)
    for instance in instances_lock(set(told.exclude(instance=None).values_list("instance", flat=True))):
        instance_changed(instance)
    told.delete()
    look_ring(vim_id=vim.id)


def webhook_push(*, vim_id: UUID, token: str) -> VimPush | None:
    """The VIM that this token lets ring; None when it lets ring none."""
    push = VimPush.objects.filter(vim_id=vim_id).exclude(webhook_salt="").first()
    return push if push is not None and constant_time_compare(webhook_token(push), token) else None


@transaction.atomic
def cloud_alarm_record(*, push: VimPush, told: Told, now: datetime) -> None:
    """Keep what a webhook told, with the instance that it speaks of, and have the VIM looked at."""
    values: dict[str, Any] = {
        "name": told.name,
        "state": told.state,
        "severity": told.severity,
        "reason": told.reason,
        "reason_data": dict(told.reason_data),
        "server_id": told.server_id,
        "told_at": now,
    }
    values["instance_id"] = _spoken_of(push.vim_id, told)
    known = CloudAlarm.objects.filter(vim_id=push.vim_id, alarm_id=told.alarm_id)
    instances = instances_lock({*known.values_list("instance", flat=True), values["instance_id"]} - {None})
    row = known.select_for_update(no_key=True).first()
    if row is None or any(getattr(row, name) != values[name] for name in _SHOWN):
        for instance in instances:
            instance_changed(instance)
    if row is None:
        CloudAlarm.objects.update_or_create(
            vim_id=push.vim_id, alarm_id=told.alarm_id, defaults=values, create_defaults={**values, "since": now}
        )
    else:
        since = {} if row.state == told.state else {"since": now}
        known.update(**values, **since)
    called = VimPush.objects.filter(vim_id=push.vim_id).exclude(webhook_called_at__gt=now - CALLED_TO)
    called.update(webhook_called_at=now)
    look_ring(vim_id=push.vim_id)


_SHOWN = ("instance_id", "name", "state", "severity", "reason")
"""What the instance's alarm shows of it: repeated as it was, it is no news."""


def _spoken_of(vim_id: UUID, told: Told) -> UUID | None:
    """The instance with that server, else the one that the alarm's name names best; of several the first made."""
    there = VnfInstance.objects.filter(vim=vim_id).order_by("created_at", "id")
    if told.server_id:
        owner = there.filter(vnfcs__server_id=told.server_id).values_list("id", flat=True).first()
        if owner is not None:
            return owner
    named = {
        row_id: speaks_of(told.name, instance_id=str(row_id), stack_name=stack_name)
        for row_id, stack_name in there.values_list("id", "stack_name")
    }
    best = max(named, key=named.__getitem__, default=None)
    return best if best is not None and named[best] else None
