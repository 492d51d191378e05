"""Drains a router, and takes that back: see `domain.drain`."""

from collections.abc import Sequence

from vnfm.configuration.domain.drain import (
    RULES,
    DrainChange,
    drain_changes,
    drain_text,
    drained_changes,
    undrain_text,
)
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.session import open_session
from vnfm.elements.models import NetworkElement


def why_not_drainable(element: NetworkElement) -> str:
    """As half a sentence; "" where it can be."""
    if element.state != NetworkElement.State.MANAGED:
        return f"it is {element.state.lower()}"
    if element.driver not in RULES:
        return f"no way is known for the driver {element.driver or 'that is not known yet'}"
    if element.netconf_policy is not None:
        return "it is configured by NETCONF, and the lines are commands"
    return "" if element.ssh_policy is not None else "it has no SSH policy"


def read_drain_changes(element: NetworkElement) -> tuple[DrainChange, ...]:
    """The changes that would drain it. Blocks; for workers. Raises DeviceError."""
    with open_session(element, timeout=0) as session:
        return drain_changes(element.driver, session.running())


def drain(element: NetworkElement, changes: Sequence[DrainChange]) -> str:
    """Make the changes, and return the difference. Blocks and raises as `push.load`."""
    return push.load(element, drain_text(element.driver, changes), timeout=0).diff


def undrain(element: NetworkElement, changes: Sequence[DrainChange]) -> str:
    """Take back those that are in force, as `drain`; "" where none is."""
    with open_session(element, timeout=0) as session:
        present = drained_changes(element.driver, session.running(), changes)
    return push.load(element, undrain_text(element.driver, present), timeout=0).diff if present else ""
