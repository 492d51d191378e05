"""Changes of policies by users."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from vnfm.automation.domain.policy import PolicyKind
from vnfm.automation.models import AutomationDecision, AutomationPolicy, AutomationStatus
from vnfm.automation.selectors.policies import policy_get
from vnfm.automation.services.triggers import EVALUATE
from vnfm.catalog import selectors as catalog
from vnfm.inventory.selectors import instance_names
from vnfm.kit.durable import outbox, tasks
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, unprocessable
from vnfm.lcm.selectors.instance_status import flavour_of

TOPIC = "automation_policy.changed"
KEEP_DECISIONS = timedelta(days=90)
"""The operations that were started are kept longer."""

SCALE_FIELDS = ("aspect_id", "source", "metric", "out_above", "out_after_seconds", "in_below", "in_after_seconds")


@transaction.atomic
def policy_create(*, values: Mapping[str, Any], by: str, now: datetime) -> AutomationPolicy:
    """`values` by field of the model, `instance_id` or `package_id` among them.

    Raises 409 for a taken name, and 422 at the field for what the VNFD does not allow.
    """
    policy = AutomationPolicy(created_by=by, changed_at=now, **values)
    _check(policy)
    _save(policy)
    _publish(policy)
    return policy_get(policy_id=policy.id)


@transaction.atomic
def policy_update(*, policy: AutomationPolicy, changes: Mapping[str, Any], now: datetime) -> AutomationPolicy:
    """Kind and target stay. Raises as `policy_create`, and 409 when it has been changed since it was read."""
    fixed = [
        FieldError(_WIRE[name], "A policy keeps it; make another policy.")
        for name in _WIRE
        if name in changes and changes[name] != getattr(policy, name)
    ]
    if fixed:
        raise unprocessable("FIXED", "This cannot be changed.", fixed, "Delete the policy and make another.")
    known = AutomationPolicy.objects.select_for_update(no_key=True).filter(id=policy.id, version=policy.version)
    if not known.exists():
        raise conflict("STALE", "The policy was changed by someone else.", "Reload it and repeat your change.")
    for name, value in changes.items():
        setattr(policy, name, value)
    policy.version += 1
    policy.changed_at = now
    _check(policy)
    _save(policy)
    _publish(policy)
    return policy_get(policy_id=policy.id)


_WIRE = {"kind": "/kind", "instance_id": "/vnfInstanceId", "package_id": "/vnfPkgId"}


@transaction.atomic
def policy_delete(*, policy: AutomationPolicy) -> None:
    """With its decisions; the operations that it started keep its name."""
    outbox.publish(TOPIC, policy.id, policy.version + 1)
    policy.delete()


@transaction.atomic
def policy_resume(*, policy: AutomationPolicy, now: datetime) -> AutomationPolicy:
    """Act again where it has stopped; earlier actions no longer count. Raises 409 when it has stopped nowhere."""
    stopped = AutomationStatus.objects.filter(policy=policy, stopped_at__isnull=False)
    if not stopped.update(stopped_at=None, resumed_at=now):
        raise conflict("NOT_STOPPED", "The policy has not stopped anywhere.", "Nothing to do.")
    _publish(policy)
    return policy_get(policy_id=policy.id)


def decisions_prune(*, now: datetime) -> int:
    """Delete what is older than `KEEP_DECISIONS`; returns how many."""
    deleted, _ = AutomationDecision.objects.filter(at__lt=now - KEEP_DECISIONS).delete()
    return deleted


def _save(policy: AutomationPolicy) -> None:
    try:
        with transaction.atomic():
            policy.save()
    except IntegrityError as error:
        detail = f"There is an automation policy named {policy.name!r} already."
        errors = (FieldError("/name", detail),)
        raise ProblemError(
            Problem(409, "NAME_TAKEN", "Conflict", detail, "Choose another name.", errors=errors)
        ) from error


def _publish(policy: AutomationPolicy) -> None:
    """Publish the change, and have the policy evaluated again, by the sweep at the latest."""
    outbox.publish(TOPIC, policy.id, policy.version)
    AutomationStatus.objects.filter(policy=policy).update(due_at=policy.changed_at)
    if policy.instance_id is not None:
        tasks.enqueue_on_commit(EVALUATE, policy.instance_id)


def _check(policy: AutomationPolicy) -> None:
    errors = [*_target_errors(policy)]
    if not errors:
        errors += _heal_errors(policy) if policy.kind == PolicyKind.HEAL else _scale_errors(policy)
    if errors:
        text = " ".join(error.message for error in errors)
        raise unprocessable("POLICY_REFUSED", text, errors, "Correct the named fields.")


def _target_errors(policy: AutomationPolicy) -> Iterator[FieldError]:
    if (policy.instance_id is None) == (policy.package_id is None):
        yield FieldError("/vnfInstanceId", "Give either vnfInstanceId or vnfPkgId.")
    elif policy.instance_id is not None and not instance_names([policy.instance_id]):
        yield FieldError("/vnfInstanceId", f"There is no VNF instance {policy.instance_id}.")
    elif policy.package_id is not None and not _package_usable(policy.package_id):
        yield FieldError("/vnfPkgId", f"There is no VNF package {policy.package_id} with content.")


def _package_usable(package_id: UUID) -> bool:
    return catalog.packages_onboarded().filter(id=package_id).exists()


def _heal_errors(policy: AutomationPolicy) -> Iterator[FieldError]:
    if policy.heal_after_seconds is None:
        yield FieldError("/heal", "A policy that heals needs it.")
    if any(getattr(policy, name) not in (None, "") for name in SCALE_FIELDS):
        yield FieldError("/scale", "A policy that heals has none.")


def _scale_errors(policy: AutomationPolicy) -> Iterator[FieldError]:
    if policy.heal_after_seconds is not None:
        yield FieldError("/heal", "A policy that scales has none.")
    if not policy.aspect_id:
        yield FieldError("/scale", "A policy that scales needs it.")
        return
    yield from _incomplete(policy)
    known = _aspects(policy)
    if policy.aspect_id not in known:
        words = ", ".join(known) or "none"
        yield FieldError(
            "/scale/aspectId", f"The VNFD has no scaling aspect {policy.aspect_id!r} here; it has {words}."
        )
    if policy.out_above is None and policy.in_below is None:
        yield FieldError("/scale/out", "Give out, in or both.")
    elif policy.out_above is not None and policy.in_below is not None and policy.in_below >= policy.out_above:
        words = f"It must lie below {policy.out_above:g}, or it would scale in and out in turn."
        yield FieldError("/scale/in/below", words)


def _incomplete(policy: AutomationPolicy) -> Iterator[FieldError]:
    """The parts of `scale` that are missing: a change gives it whole."""
    for name, value in (("source", policy.source), ("metric", policy.metric)):
        if not value:
            yield FieldError(f"/scale/{name}", "This is needed.")
    if (policy.out_above is None) != (policy.out_after_seconds is None):
        yield FieldError("/scale/out", "Give above and forSeconds.")
    if (policy.in_below is None) != (policy.in_after_seconds is None):
        yield FieldError("/scale/in", "Give below and forSeconds.")


def _aspects(policy: AutomationPolicy) -> list[str]:
    """The aspects of the instance's flavour, or of all flavours while it has none; its target is known to exist."""
    flavour = flavour_of(policy.instance) if policy.instance is not None else None
    if flavour is not None:
        return [aspect.id for aspect in flavour.aspects]
    package = policy.instance.package if policy.instance is not None else policy.package
    assert package is not None
    vnfd = catalog.vnfd_of(package)
    return sorted({aspect.id for flavour in vnfd.flavours for aspect in flavour.aspects})
