"""The table of lifecycle operations that the disasters meet: to add one is to add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from openstack.connection import Connection

from tests.chaos.ledger import ELSEWHERE
from tests.factories.networks import make_network
from tests.factories.packages import NEXT_VNFD
from tests.installation import VIM_TYPE

DEFAULT, FRESH = "VSR-PE", "Chaos-PE"
"""The shipped product; and one like it, of which the cloud has neither image nor flavor when its operation starts."""

START, FIVE = frozenset("AB1"), frozenset("AB123")
"""Slots of the smallest VSR-PE, and after scaling out by two."""

Body = Callable[[str], Mapping[str, Any]]
"""The request for an instance in the VIM with the given id."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One operation on an instance, and what is so once it has COMPLETED."""

    name: str
    task: str
    """Last part of the URL; "" where the instance itself is patched."""
    body: Body
    slots: frozenset[str]
    """Slots with a server afterwards."""
    after: tuple[str, ...] = ("INSTANTIATE",)
    """Deeds that bring a new instance to where this one begins."""
    renewed: frozenset[str] = frozenset()
    """Slots that have another server afterwards; all other servers stay."""
    stopped: frozenset[str] = frozenset()
    """Slots whose servers are SHUTOFF afterwards; all others are ACTIVE."""
    harm: tuple[tuple[str, str], ...] = ()
    """Slot, and what happens to its server behind our back just before: stop, error or delete."""
    product: str = DEFAULT

    @property
    def method(self) -> str:
        return "POST" if self.task else "PATCH"

    def path(self, instance: str) -> str:
        return f"/vnflcm/v2/vnf_instances/{instance}{'/' if self.task else ''}{self.task}"


def _instantiate(**params: Any) -> Body:
    def body(vim_id: str) -> Mapping[str, Any]:
        vims = {"vim1": {"vimId": vim_id, "vimType": VIM_TYPE}}
        return {"flavourId": "default", "vimConnectionInfo": vims, "additionalParams": params}

    return body


def _scale(direction: str, steps: int) -> Body:
    return lambda _: {"type": direction, "aspectId": "data-path", "numberOfSteps": steps}


def _level(level: int) -> Body:
    return lambda _: {"scaleInfo": [{"aspectId": "data-path", "scaleLevel": level}]}


def _heal(*names: str, **params: Any) -> Body:
    """The VNFCs with these names, or without names all that are not well."""
    return lambda _: {"vnfcInstanceId": list(names), "additionalParams": params} if names else {"cause": "chaos"}


def _operate(state: str, **more: Any) -> Body:
    return lambda _: {"changeStateTo": state, **more}


def _terminate(kind: str) -> Body:
    return lambda _: {"terminationType": kind}


def _elsewhere(cpd: str) -> Body:
    link = {"id": "elsewhere", "resourceId": ELSEWHERE, "extCps": [{"cpdId": cpd}]}
    return lambda _: {"extVirtualLinks": [link]}


def make_elsewhere(cloud: Connection) -> str:
    """The network that instances are moved to; its id."""
    return make_network(cloud, ELSEWHERE, "192.0.2.0/24")


DEEDS: tuple[Deed, ...] = (
    Deed("INSTANTIATE", "instantiate", _instantiate(), START, after=()),
    Deed(
        "INSTANTIATE, nothing there",
        "instantiate",
        _instantiate(createFlavors=True),
        START,
        after=(),
        product=FRESH,
    ),
    Deed("SCALE out", "scale", _scale("SCALE_OUT", 2), FIVE),
    Deed("SCALE in", "scale", _scale("SCALE_IN", 1), START | {"2"}, after=("INSTANTIATE", "SCALE out")),
    Deed("SCALE_TO_LEVEL up", "scale_to_level", _level(2), FIVE),
    Deed("SCALE_TO_LEVEL down", "scale_to_level", _level(0), START, after=("INSTANTIATE", "SCALE out")),
    Deed("OPERATE stop", "operate", _operate("STOPPED"), START, stopped=START),
    Deed(
        "OPERATE stop gracefully",
        "operate",
        _operate("STOPPED", stopType="GRACEFUL", gracefulStopTimeout=60),
        START,
        stopped=START,
    ),
    Deed("OPERATE start", "operate", _operate("STARTED"), START, after=("INSTANTIATE", "OPERATE stop")),
    Deed(
        "OPERATE stop one",
        "operate",
        _operate("STOPPED", vnfcInstanceId=["data-path/3"]),
        FIVE,
        after=("INSTANTIATE", "SCALE out"),
        stopped=frozenset("3"),
    ),
    Deed("HEAL gently", "heal", _heal(), START, harm=(("1", "error"), ("A", "stop"))),
    Deed(
        "HEAL, server gone",
        "heal",
        _heal(),
        FIVE,
        after=("INSTANTIATE", "SCALE out"),
        renewed=frozenset("2"),
        harm=(("2", "delete"),),
    ),
    Deed(
        "HEAL anew beside a stopped one",
        "heal",
        _heal("data-path/1", method="recreate"),
        FIVE,
        after=("INSTANTIATE", "SCALE out", "OPERATE stop one"),
        renewed=frozenset("1"),
        stopped=frozenset("3"),
    ),
    # A flavor and an image that are there already: what all instances share is the business of INSTANTIATE.
    Deed(
        "CHANGE_FLAVOUR",
        "change_flavour",
        lambda _: {"newFlavourId": "default", "additionalParams": {"data_path_flavor": "vnf.sriov"}},
        START,
    ),
    Deed("CHANGE_EXT_CONN", "change_ext_conn", _elsewhere("data-path-data1"), START),
    Deed(
        "CHANGE_VNFPKG",
        "change_vnfpkg",
        lambda _: {"vnfdId": NEXT_VNFD, "additionalParams": {"image": "tiny"}},
        START,
    ),
    Deed("MODIFY_INFO", "", lambda _: {"vnfInstanceDescription": "modified"}, START),
    Deed("TERMINATE", "terminate", _terminate("FORCEFUL"), frozenset()),
    Deed("TERMINATE gracefully", "terminate", _terminate("GRACEFUL"), frozenset()),
)
BY_NAME = {deed.name: deed for deed in DEEDS}
