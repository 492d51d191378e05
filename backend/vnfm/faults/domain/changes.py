"""What must be done to the open alarms of one managed object so that they say what was evaluated. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from vnfm.faults.domain.evaluate import Fault, Key, Verdict


@dataclass(frozen=True, slots=True)
class OpenAlarm:
    """The parts of an alarm that is not cleared which an evaluation may change."""

    severity: str
    details: tuple[str, ...]
    vnfc_ids: tuple[str, ...]
    root: Key | None
    suppressed: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """Faults that an operation of ours explains while it runs: recorded, but told to nobody."""

    everything: bool = False
    stack: bool = False
    """Only the stack's state: the operation that failed tells of it."""

    def covers(self, key: Key) -> bool:
        if key.fault_type in {"VimUnreachable", "VimAuthFailed"}:
            return False
        return self.everything or (self.stack and key.fault_type == "StackFailed")


@dataclass(frozen=True, slots=True)
class Change:
    """Bring the alarm of `key` to `after`; `raises` when people hear of it for the first time."""

    key: Key
    after: OpenAlarm
    resource_name: str
    raises: bool


@dataclass(frozen=True, slots=True)
class Changes:
    put: tuple[Change, ...]
    clear: tuple[Key, ...]
    reroot: Mapping[Key, Key | None]
    """Alarms that stay as they are under another root cause."""

    def __bool__(self) -> bool:
        return bool(self.put or self.clear or self.reroot)


def changes(open_alarms: Mapping[Key, OpenAlarm], verdict: Verdict, explained: Explained) -> Changes:
    """The difference between what is on record and the verdict. Applied, and asked again, it is empty.

    An alarm that people have heard of is not taken back because an operation begins; it goes when its fault goes.
    """
    found = {fault.key: fault for fault in verdict.faults}
    put = []
    for key, fault in found.items():
        before = open_alarms.get(key)
        after = _wanted(fault, before, explained)
        if before != after:
            raises = not after.suppressed and (before is None or before.suppressed)
            put.append(Change(key, after, fault.resource_name, raises))
    others = [key for key in open_alarms if key not in found and key.fault_type not in verdict.undecided]
    if verdict.blind is None:
        return Changes(tuple(put), tuple(others), {})
    reroot: dict[Key, Key | None] = {
        key: verdict.blind for key in others if not _is_vim(key) and open_alarms[key].root != verdict.blind
    }
    return Changes(tuple(put), tuple(key for key in others if _is_vim(key)), reroot)


def _wanted(fault: Fault, before: OpenAlarm | None, explained: Explained) -> OpenAlarm:
    heard = before is not None and not before.suppressed
    return OpenAlarm(
        severity=fault.severity,
        details=fault.details,
        vnfc_ids=fault.vnfc_ids,
        root=fault.root,
        suppressed=not heard and explained.covers(fault.key),
    )


def _is_vim(key: Key) -> bool:
    """Faults of the VIM itself are known even when the VIM cannot be seen: one of them replaces the other."""
    return key.fault_type in {"VimUnreachable", "VimAuthFailed"}
