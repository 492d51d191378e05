"""Drift: how what runs differs from what was asked for. A pure function of the two."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from vnfm.inventory.domain.observation import ACTIVE, MISSING


class Component(Protocol):
    """A VNFC: what it should be (`name`, `desired`) and what it is (`server_name`, `status`)."""

    @property
    def vdu_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def server_name(self) -> str: ...
    @property
    def desired(self) -> Literal["STARTED", "STOPPED"]: ...
    @property
    def status(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Drift:
    kind: Literal["missing", "extra", "stopped", "started", "renamed"]
    subject: str
    """The VNFC's name, or the VDU's id when it is a matter of how many there are."""
    message: str


def drift(*, wanted: Mapping[str, int], vnfcs: Sequence[Component]) -> list[Drift]:
    """`wanted` counts the VNFCs of each VDU. A server that is gone is drift of its own, not of the count as well."""
    found = [item for vnfc in vnfcs for item in _of_one(vnfc)]
    recorded = Counter(vnfc.vdu_id for vnfc in vnfcs)
    for vdu_id in sorted(wanted.keys() | recorded.keys()):
        have, want = recorded[vdu_id], wanted.get(vdu_id, 0)
        if have != want:
            words = f"{vdu_id} has {have} VNFCs; its level asks for {want}."
            found.append(Drift("missing" if have < want else "extra", vdu_id, words))
    return found


def _of_one(vnfc: Component) -> list[Drift]:
    if vnfc.status == MISSING:
        return [Drift("missing", vnfc.name, f"{vnfc.name} is gone from the cloud.")]
    found = []
    if vnfc.desired == "STARTED" and vnfc.status != ACTIVE:
        found.append(Drift("stopped", vnfc.name, f"{vnfc.name} is {vnfc.status}; it should run."))
    if vnfc.desired == "STOPPED" and vnfc.status == ACTIVE:
        found.append(Drift("started", vnfc.name, f"{vnfc.name} runs; it should be stopped."))
    if vnfc.server_name != vnfc.name:
        words = f"{vnfc.name} is called {vnfc.server_name} in the cloud."
        found.append(Drift("renamed", vnfc.name, words))
    return found
