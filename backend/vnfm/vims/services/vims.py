"""Register, change, delete and probe VIMs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, IntegrityError, transaction
from django.db.models import F, ProtectedError
from django.db.models.deletion import Collector

from vnfm.clouds.types import Connection, Flavor, Network
from vnfm.kit import clock
from vnfm.kit.durable import outbox, tasks, worker_request
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, unprocessable
from vnfm.kit.seal import seal
from vnfm.vims.clouds_file import read_connection
from vnfm.vims.domain.findings import Findings, rows_of, with_resource
from vnfm.vims.domain.pace import SLOW_SECONDS, after_answer, lateness, pause_until
from vnfm.vims.domain.reachability import Truth
from vnfm.vims.domain.registration import DESTINATION, POINTERS, connection_errors, connection_json
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.models import Vim
from vnfm.vims.selectors import connection_of, vim_get, vim_matching

PROBE, PROBE_CONNECTION, CREATE_NETWORK = "vims.probe", "vims.probe_connection", "vims.create_network"


def vim_create(
    *, name: str, description: str = "", connection: Connection, scheduler_filters: Sequence[str] | None = None
) -> Vim:
    """Register after a worker has probed the connection; one that does not work is not stored.

    Raises 409 for a name in use, 422 at the field at fault, 503 when no worker answers.
    """
    _check_form(connection)
    _check_name(name)
    findings = connection_probe(connection)
    with transaction.atomic():
        vim = _insert(name, description, connection, scheduler_filters)
        _store(vim, findings, clock.now())
    return vim_get(vim_id=vim.id)


def vim_update(*, vim: Vim, changes: Mapping[str, Any]) -> Vim:
    """`changes` by field of `Vim` or `Connection`, password included. A changed connection is probed first.

    Raises as `vim_create`, and 422 for a stored password that would be sent to another server; then all stays as it
    was.
    """
    connection = connection_of(vim)
    changed = replace(connection, **{key: value for key, value in changes.items() if hasattr(connection, key)})
    if "password" not in changes:
        _check_destination(connection, changed)
    name = changes.get("name", vim.name)
    if name != vim.name:
        _check_name(name)
    findings = None
    if changed != connection:
        _check_form(changed)
        findings = connection_probe(changed)
        if (findings.scoped_project_id, changed.region) != (vim.scoped_project_id, connection.region):
            _require_unused(vim, findings)
    with transaction.atomic():
        plain = {key: changes.get(key, getattr(vim, key)) for key in ("description", "scheduler_filters")}
        _write(vim, changed, name=name, **plain)
        if findings is not None:
            _store(vim, findings, clock.now())
        outbox.publish("vim.changed", vim.id, vim.version)
    return vim_get(vim_id=vim.id)


@transaction.atomic
def vim_delete(*, vim: Vim) -> None:
    """Forget a VIM; the cloud is left as it is. Raises 409 naming the VNF instances and snapshots that live there."""
    version = vim.version + 1
    vim_id = vim.id
    try:
        vim.delete()
    except ProtectedError as error:
        names = _names(error)
        raise conflict(
            "VIM_IN_USE",
            f"The VIM {vim.name} is in use by {', '.join(names)}.",
            "Terminate and delete these VNF instances, and delete these snapshots, first. Where the cloud is gone for "
            "good: manage.py instance_forget and snapshot_forget.",
            usedBy=names,
        ) from error
    outbox.publish("vim.changed", vim_id, version)


def _users_of(vim: Vim) -> list[str]:
    """Names of the VNF instances and snapshots that live there."""
    collector = Collector(using=DEFAULT_DB_ALIAS)
    try:
        collector.collect([vim])
    except ProtectedError as error:
        return _names(error)
    return []


def _names(error: ProtectedError) -> list[str]:
    return sorted(str(getattr(user, "name", user)) for user in error.protected_objects)


def _require_unused(vim: Vim, findings: Findings) -> None:
    """Raise 409 where something lives in the present project: another one answers 404 for all of it, as if deleted."""
    if vim.scoped_project_id and (names := _users_of(vim)):
        raise conflict(
            "VIM_IN_USE",
            f"This login leads to another project or region (project {findings.scoped_project_id}), and "
            f"{', '.join(names)} {'lives' if len(names) == 1 else 'live'} in project {vim.scoped_project_id}.",
            "Register the other project as a cloud of its own.",
            usedBy=names,
        )


def connection_probe(connection: Connection) -> Findings:
    """Return the findings of a worker's probe of the connection.

    Raises 422 when the cloud refuses it or does not answer, 503 when no worker takes it up.
    """
    detail = f"The cloud did not answer within {worker_request.WAIT_SECONDS:.0f} seconds."
    errors = [FieldError("/authUrl", detail)]
    next_step = "Check the cloud and the network between, then try again."
    too_slow = unprocessable("VIM_TOO_SLOW", detail, errors, next_step)
    arguments = {"connection": connection_json(connection)}
    return Findings(**worker_request.call_worker(PROBE_CONNECTION, arguments, too_slow=too_slow))


def vim_probe_request(*, vim: Vim) -> None:
    """Have a worker probe the VIM now; a change is published."""
    tasks.enqueue_on_commit(PROBE, vim.id)


def vim_for_connection(*, connection: Connection) -> Vim:
    """The VIM of these credentials, registered on the spot when there is none (SOL003 4.4.1.6: full accessInfo)."""
    known = vim_matching(connection=connection)
    if known is not None:
        return known
    host = urlsplit(connection.auth_url).hostname or "cloud"
    project = connection.project_name or connection.project_id or connection.username or "vnf"
    base = f"{project}@{host}"[:90]
    used = set(Vim.objects.filter(name__startswith=base).values_list("name", flat=True))
    name = next(name for n in range(len(used) + 1) if (name := f"{base}-{n + 1}" if n else base) not in used)
    return vim_create(name=name, description="Registered from a request's vimConnectionInfo.", connection=connection)


def vim_register_from_clouds_yaml(*, path: Path, name: str) -> Vim:
    """Register the entry `name` of a clouds.yaml, or bring the VIM of that name up to date with it.

    Does not wait for a probe: a worker makes it when one runs. Raises CloudsYamlError or OSError for an unusable file.
    """
    connection = read_connection(path, name)
    with transaction.atomic():
        vim = Vim.objects.select_for_update().filter(name=name).first()
        if vim is None:
            vim = _insert(name, f"From {path.name}.", connection)
        elif (stored := connection_of(vim)) != connection:
            _write(vim, connection, name=name, **_unprobed(stored, connection))
            outbox.publish("vim.changed", vim.id, vim.version)
        vim_probe_request(vim=vim)
    return vim


@transaction.atomic
def vim_findings_record(*, vim_id: UUID, findings: Findings, now: datetime) -> None:
    """Store the findings of a probe; publishes a change."""
    vim = Vim.objects.select_for_update(no_key=True).filter(id=vim_id).first()
    if vim is not None:  # else it was deleted during the probe
        _store(vim, findings, now)


@transaction.atomic
def vim_flavor_record(*, vim: VimRecord, flavor: Flavor) -> None:
    """Store a flavor that was created since the last probe; publishes a change."""
    _record_resource(vim, "flavors", flavor)


def vim_network_create(*, vim: Vim, name: str, cidr: str, dhcp: bool) -> Mapping[str, Any]:
    """Have a worker create a network with one subnet in the VIM's project; returns it as the VIM's resources have it.

    Raises the cloud's refusal; 503 or 504 without an answer.
    """
    words = f"{vim.name} did not create the network within {worker_request.WAIT_SECONDS:.0f} seconds; it still may."
    step = "Look at the networks of the cloud before you try again."
    too_slow = ProblemError(Problem(504, "VIM_TOO_SLOW", "The cloud is too slow", words, step))
    arguments = {"vim": str(vim.id), "name": name, "cidr": cidr, "dhcp": dhcp}
    created: Mapping[str, Any] = worker_request.call_worker(CREATE_NETWORK, arguments, too_slow=too_slow)["network"]
    return created


@transaction.atomic
def vim_network_record(*, vim: VimRecord, network: Network) -> Mapping[str, Any]:
    """Store a network that was created since the last probe; publishes a change. Returns it as it is stored."""
    _record_resource(vim, "networks", network)
    return rows_of([network])[0]


def _record_resource(vim: VimRecord, kind: str, resource: Flavor | Network) -> None:
    row = Vim.objects.select_for_update(no_key=True).filter(id=vim.id).first()
    if row is None:  # it has been deleted
        return
    row.resources = {**row.resources, kind: with_resource(row.resources.get(kind, []), resource)}
    row.version += 1
    row.save(update_fields=["resources", "version"])
    outbox.publish("vim.changed", row.id, row.version)


def vim_reachability_record(*, vim: VimRecord, reachable: Truth, reason: str, message: str, now: datetime) -> None:
    """Store whether the VIM answered; publishes a change of the status or its reason."""
    unchanged = Vim.objects.filter(id=vim.id, reachable=reachable, reachable_reason=reason)
    if unchanged.update(reachable_observed_at=now):
        return
    with transaction.atomic():
        _change_reachability(vim.id, reachable, reason, message, now)


def vim_answer_record(*, vim: VimRecord, answers: Mapping[str, float], unanswered: str = "", now: datetime) -> None:
    """Store how late a cloud answers: `answers` by request in seconds, the last one `unanswered`. Updates `vim`.

    Writes nothing while all come in time.
    """
    in_time = not unanswered and all(seconds < SLOW_SECONDS for seconds in answers.values())
    if in_time and not vim.late and not Vim.objects.filter(id=vim.id).exclude(late={}).exists():
        return  # `vim` was read before the requests: others may have found the cloud late since then
    with transaction.atomic():
        row = Vim.objects.select_for_update(no_key=True).filter(id=vim.id).only("late", "paused_until").first()
        late, before = ({}, None) if row is None else (row.late, row.paused_until)
        for request, seconds in answers.items():
            late = after_answer(late, request, seconds, timed_out=request == unanswered, now=now)
        paused_until = pause_until(late, now) if unanswered or not late else before
        Vim.objects.filter(id=vim.id).update(late=late, paused_until=paused_until)
    vim.late, vim.paused_until = late, paused_until


def vim_answering_record(*, vim: VimRecord, now: datetime) -> None:
    """Store that the VIM answers: late, or in time."""
    reason, words = ("Slow", lateness(vim.late)) if vim.late else ("Answers", f"{vim.name} answers.")
    vim_reachability_record(vim=vim, reachable="True", reason=reason, message=words, now=now)


def _change_reachability(vim_id: UUID, reachable: Truth, reason: str, message: str, now: datetime) -> None:
    row = Vim.objects.select_for_update(no_key=True).filter(id=vim_id).first()
    if row is None or (row.reachable, row.reachable_reason) == (reachable, reason):
        return
    since = {"reachable_since": now} if row.reachable != reachable else {}
    Vim.objects.filter(id=vim_id).update(
        reachable=reachable,
        reachable_reason=reason,
        reachable_message=message,
        reachable_observed_at=now,
        version=F("version") + 1,
        **since,
    )
    payload = {"at": now.isoformat(), "reachable": reachable, "reason": reason}
    outbox.publish("vim.changed", vim_id, row.version + 1, payload)


def _store(vim: Vim, findings: Findings, now: datetime) -> None:
    found = asdict(findings)
    changed = any(getattr(vim, column) != value for column, value in found.items())
    before, since = {**vim.capabilities, **vim.features}, vim.capabilities_since
    found["capabilities_since"] = {
        name: since[name] if name in since and before.get(name) == value else now.isoformat(timespec="seconds")
        for name, value in {**findings.capabilities, **findings.features}.items()
    }
    version = F("version") + 1 if changed else F("version")
    Vim.objects.filter(id=vim.id).update(**found, probed_at=now, version=version)
    if changed:
        outbox.publish("vim.changed", vim.id, vim.version + 1)
    vim_answering_record(vim=vim, now=clock.now())  # polls may have recorded later answers than the probe's beginning


def _insert(name: str, description: str, connection: Connection, scheduler_filters: Sequence[str] | None = None) -> Vim:
    filters = None if scheduler_filters is None else list(scheduler_filters)
    try:
        with transaction.atomic():
            columns = _columns(connection)
            vim = Vim.objects.create(name=name, description=description, scheduler_filters=filters, **columns)
    except IntegrityError as error:
        raise _name_conflict(name) from error
    outbox.publish("vim.changed", vim.id, vim.version)
    return vim


def _write(vim: Vim, connection: Connection, *, name: str, **plain: Any) -> None:
    """Raises 409 when the VIM was changed since `vim` was read, or the name is in use."""
    columns = {"name": name, **plain, **_columns(connection)}
    try:
        with transaction.atomic():
            updated = Vim.objects.filter(id=vim.id, version=vim.version).update(**columns, version=F("version") + 1)
    except IntegrityError as error:
        raise _name_conflict(name) from error
    if not updated:
        raise conflict("STALE", f"The VIM {vim.name} was changed by someone else.", "Reload it and repeat your change.")
    vim.refresh_from_db()


def _unprobed(stored: Connection, changed: Connection) -> dict[str, Any]:
    """The columns that are unknown until a probe, as the login may lead to another project."""
    if replace(changed, password=stored.password, cacert=stored.cacert, insecure=stored.insecure) == stored:
        return {}
    return {
        **dict.fromkeys(("scoped_project_id", "scoped_project_name", "scoped_project_domain_name"), ""),
        "reachable": "Unknown",
        "reachable_reason": "NotProbed",
        "reachable_message": "No probe has run since the login was changed.",
        "reachable_since": clock.now(),
    }


def _columns(connection: Connection) -> dict[str, Any]:
    columns = asdict(connection)
    del columns["vim"]  # the registration's own name
    columns["sealed_credentials"] = seal({"password": columns.pop("password")})
    return columns


def _check_form(connection: Connection) -> None:
    errors = connection_errors(connection)
    if errors:
        where = ", ".join(error.field for error in errors)
        words = f"The connection is not valid: {where}."
        raise unprocessable("INVALID_VIM", words, errors, "Correct the named fields.")


def _check_destination(stored: Connection, changed: Connection) -> None:
    """Raises 422 for a change that may send the stored password, or a token obtained with it, to another server."""
    moved = [name for name in DESTINATION if getattr(stored, name) != getattr(changed, name)]
    if moved:
        errors = [FieldError(POINTERS["password"], "Enter the password again.")]
        names = ", ".join(POINTERS[name].removeprefix("/") for name in moved)
        detail = f"The stored password is not sent with another {names}."
        raise unprocessable("PASSWORD_NEEDED", detail, errors, "Send the password in the same request.")


def _check_name(name: str) -> None:
    if Vim.objects.filter(name=name).exists():
        raise _name_conflict(name)


def _name_conflict(name: str) -> ProblemError:
    detail = f"There is already a VIM named {name}."
    errors = (FieldError("/name", detail),)
    return ProblemError(Problem(409, "NAME_TAKEN", "Conflict", detail, "Choose another name.", errors=errors))
