"""Loading configuration into an element: what the last steps of a deployment and the jobs of this context call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from vnfm.configuration.contact import PATIENCE_SECONDS, Change, Session, session
from vnfm.configuration.models import ConfigurationVersion
from vnfm.configuration.versions import Reason, version_record
from vnfm.devices.errors import CutOff, DeviceError, DeviceRejected
from vnfm.elements.models import NetworkElement
from vnfm.elements.services.elements import element_resync
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError

DEPLOYMENT = "deployment"
"""Who asked for what `load` does, unless it is told."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of it. `changed` and `diff`: of the running configuration, by a dry run as foreseen."""

    changed: bool
    diff: str
    """Secrets are masked, as it will be shown; one that alone has changed shows as two lines that look the same."""
    version_id: UUID | None
    """The version that is stored of the configuration afterwards; None after a dry run."""


def load(
    element: NetworkElement,
    text: str,
    *,
    dry_run: bool = False,
    by: str = DEPLOYMENT,
    patience: float = PATIENCE_SECONDS,
) -> Loaded:
    """Make `text` part of the element's configuration, and save it; what is there already stays.

    It is lines of its command line, or XML where the element has a NETCONF policy; Rejected for the other one.

    For workers, never for a web request, and not inside a transaction. Raises DeviceError: Rejected keeps the element's
    words and the number of the line that it refused. Where the element edits a candidate (SR OS, VRP) nothing is in
    force then; elsewhere the message says what is. Busy, when another is at the element for longer than `patience`
    seconds, passes by itself, as Unreachable does, whose kind it is.
    """
    with session(element, patience=patience) as open_session:
        change = open_session.read(text)
        with open_session.held():
            before = open_session.running()
            if not dry_run:
                version_record(element=element, text=before, reason=Reason.BEFORE_PUSH, by=by, now=clock.now())
            made = put(element, open_session, change, before, dry_run=dry_run, why=(Reason.PUSH, by))
    return _loaded(open_session, made)


def unload(
    element: NetworkElement, texts: Sequence[str], *, begin: Callable[[], None], patience: float = PATIENCE_SECONDS
) -> Loaded:
    """Send those texts, each of which takes something out of the element's configuration, that still have it there.

    `begin` is called before anything changes. Else as `load`.
    """
    with session(element, patience=patience) as open_session, open_session.held():
        before = open_session.running()
        change = open_session.removal(before, texts)
        if change:
            begin()
        version_record(element=element, text=before, reason=Reason.BEFORE_PUSH, by=DEPLOYMENT, now=clock.now())
        made = put(element, open_session, change, before, dry_run=False, why=(Reason.PUSH, DEPLOYMENT))
    return _loaded(open_session, made)


@dataclass(frozen=True, slots=True)
class Put:
    """`version` and `after` are what the element has then; None after a dry run."""

    diff: str
    after: str | None
    version: ConfigurationVersion | None
    takes_back: bool | None
    """Of a dry run, see `Spoken`."""


def _loaded(open_session: Session, made: Put) -> Loaded:
    version_id = made.version.id if made.version is not None else None
    return Loaded(bool(made.diff), open_session.language.masked_diff(made.diff), version_id)


def put(
    element: NetworkElement,
    open_session: Session,
    change: Change,
    before: str,
    *,
    dry_run: bool,
    why: tuple[str, str],
    scope: Sequence[str] = (),
) -> Put:
    """Make the change in a configuration that was `before`, and record what it is then; `why` is reason and actor.

    Only while the session is held.
    When it has changed, the parts of `scope` are read anew by SNMP, or all.

    Raises DeviceError. What a push that failed has left in force is recorded too, where that can be seen.
    """
    reason, by = why
    try:
        spoken = open_session.load(before, change, dry_run=dry_run)
    except (DeviceRejected, CutOff) as error:
        left = "" if dry_run else _left(open_session, error)
        if left not in ("", before):
            version_record(element=element, text=left, reason=reason, by=by, now=clock.now())
            look_again(element, scope)
        raise
    if spoken.after is None:
        return Put(spoken.diff, None, None, spoken.takes_back)
    version = version_record(element=element, text=spoken.after, reason=reason, by=by, now=clock.now())
    if spoken.diff:
        look_again(element, scope)
    return Put(spoken.diff, spoken.after, version, None)


def _left(open_session: Session, error: DeviceRejected | CutOff) -> str:
    """What runs after a push that failed; "" where nobody can say, and what is to be told is the failure itself."""
    if isinstance(error, CutOff):
        return error.running
    try:
        return open_session.running()
    except DeviceError:
        return ""


def look_again(element: NetworkElement, scope: Sequence[str]) -> None:
    """Have what was configured read back: names and descriptions are no states, and would show minutes later."""
    try:
        element_resync(element=NetworkElement.objects.get(id=element.id), scope=scope)
    except (ProblemError, NetworkElement.DoesNotExist):
        return  # it is not managed any more, or somebody changed it just now: the next look will do
