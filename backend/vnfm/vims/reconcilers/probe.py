"""Probes of clouds, made by a worker: of a connection before it is registered, and of registered VIMs."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db.models import Q

from vnfm.clouds.errors import CloudError, TooSlow
from vnfm.clouds.ports import CloudProvider
from vnfm.clouds.types import Connection
from vnfm.kit import clock
from vnfm.kit.durable import lease, tasks, worker_request
from vnfm.kit.problem import ProblemError
from vnfm.vims.domain.findings import findings_of
from vnfm.vims.domain.pace import MAX_PAUSE
from vnfm.vims.domain.reachability import PROBE_PERIOD, STALE_AFTER, reachability_of_error
from vnfm.vims.domain.registration import refusal
from vnfm.vims.models import Vim
from vnfm.vims.selectors import connection_of, is_paused
from vnfm.vims.services import PROBE, vim_answer_record, vim_findings_record, vim_reachability_record

_LEASE = "vim-probe:"

log = structlog.get_logger(__name__)


def probe_connection(request_id: UUID, provider: CloudProvider) -> None:
    """Probe a connection that is to be registered. Harmless when run twice."""

    def findings(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        connection = Connection(**arguments["connection"])
        try:
            return asdict(findings_of(provider.connect(connection).probe()))
        except CloudError as error:
            log.info("vims.connection_refused", auth_url=connection.auth_url, error=error.message)
            raise ProblemError(refusal(error, connection)) from error

    worker_request.answer(request_id, findings)


def probe_vim(vim_id: UUID, provider: CloudProvider, now: datetime) -> None:
    """Probe a VIM and store the findings; one worker at a time, the others skip it."""
    with lease.hold(f"{_LEASE}{vim_id}") as active:
        vim = Vim.objects.filter(id=vim_id).first()
        if active is None or vim is None:
            return
        if active.is_deadly:
            words = lease.worker_died(f"The probe of {vim.name}").detail
            vim_reachability_record(vim=vim, reachable="Unknown", reason="WorkerDied", message=words, now=now)
            return
        if is_paused(vim, now):
            return
        began = time.monotonic()
        try:
            probe = provider.connect(connection_of(vim)).probe()
        except CloudError as error:
            if isinstance(error, TooSlow):
                seconds = {"resources": time.monotonic() - began}
                vim_answer_record(vim=vim, answers=seconds, unanswered="resources", now=clock.now())
            _record_failure(vim, error, now)
        else:
            # A probe is a dozen requests, most of them at once: late is one that takes as long as several.
            seconds = {"resources": (time.monotonic() - began) / 2}
            vim_answer_record(vim=vim, answers=seconds, now=clock.now())
            vim_findings_record(vim_id=vim_id, findings=findings_of(probe), now=now)


def sweep(now: datetime) -> int:
    """Enqueue the VIMs that were not probed for PROBE_PERIOD; also prune abandoned worker requests.

    Those whose probe killed its workers are left out: a poll may say that they answer.
    """
    worker_request.prune()
    due = Q(probed_at__isnull=True) | Q(probed_at__lte=now - PROBE_PERIOD)
    vims = Vim.objects.filter(due).exclude(paused_until__gt=now, paused_until__lte=now + MAX_PAUSE)
    vims = vims.exclude(id__in=lease.deadly(_LEASE, PROBE_PERIOD))
    return tasks.enqueue_due((PROBE, vim_id) for vim_id in vims.values_list("id", flat=True))


def _record_failure(vim: Vim, error: CloudError, now: datetime) -> None:
    """A failure of Keystone makes the VIM unreachable. That of another service does not while bulk polls succeed."""
    log.warning("vims.probe_failed", vim=vim.name, service=error.source, error=error.message)
    watched = vim.reachable_observed_at is not None and now - vim.reachable_observed_at <= STALE_AFTER
    if (error.source != "keystone" or isinstance(error, TooSlow)) and watched:
        return
    reachable, reason = reachability_of_error(error)
    message = f"{error.source}: {error.message}"
    vim_reachability_record(vim=vim, reachable=reachable, reason=reason, message=message, now=now)
