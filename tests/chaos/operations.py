"""The table of lifecycle operations that the faults meet: to add one is to add a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from openstack.connection import Connection

from tests.chaos.reconcile import FOREIGN_NETWORK
from tests.factories.networks import make_network
from tests.factories.packages import NEXT_VNFD, edited, zipped
from tests.support.installation import VIM_TYPE

DEFAULT, FRESH = "VSR-PE", "Chaos-PE"
"""The shipped product; and one like it, of which the cloud has neither image nor flavor when its operation starts."""

START, FIVE = frozenset("AB1"), frozenset("AB123")
"""Slots of the smallest VSR-PE, and after scaling out by two."""

Chain = tuple[str, ...]
"""The state of an instance: the operations that bring a new one there."""
RUNNING: Chain = ("INSTANTIATE",)
SCALED: Chain = (*RUNNING, "SCALE out")
STOPPED: Chain = (*RUNNING, "OPERATE stop")
ONE_STOPPED: Chain = (*SCALED, "OPERATE stop one")
SNAPSHOTTED: Chain = (*RUNNING, "CREATE_SNAPSHOT")
SPENT: Chain = ("spent",)
"""No operation begins here but the one that terminates."""

SNAPSHOTS = "/vnflcm/v2/vnf_snapshots"


class Client(Protocol):
    """A client of the product's API."""

    def get(self, path: str, /) -> Any: ...

    def post(self, path: str, body: Mapping[str, Any], /) -> Any:
        """The answer, whose `json` gives its body."""


Body = Callable[[str], Mapping[str, Any]]
"""The request for an instance in the VIM with the given id."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation on an instance, and the expected state once it has COMPLETED."""

    name: str
    task: str
    """Last part of the URL; "" where the instance itself is patched."""
    body: Body
    slots: frozenset[str]
    """Slots with a server afterwards."""
    calls: int
    """The number of calls by which it changes the cloud: the laws of sagas fail each of these calls."""
    undo_calls: int = 0
    """The number of such calls of its rollback, once the last of these calls has failed; 0 where there is no way back
    by then.
    """
    after: Chain = RUNNING
    """It begins in this state."""
    leaves: Chain = SPENT
    """It ends in this state."""
    replaced: frozenset[str] = frozenset()
    """Slots with a new server afterwards; all other servers stay."""
    stopped: frozenset[str] = frozenset()
    """Slots whose servers are SHUTOFF afterwards; all others are ACTIVE."""
    damage: tuple[tuple[str, str], ...] = ()
    """Slot and damage to its server just before, outside the product: stop, error or delete."""
    product: str = DEFAULT
    snapshot: Literal["", "new", "taken"] = ""
    """The VNF snapshot that the request names: one without content, or that of the instance; "": none."""

    @property
    def method(self) -> str:
        return "POST" if self.task else "PATCH"

    def path(self, instance: str) -> str:
        return f"/vnflcm/v2/vnf_instances/{instance}{'/' if self.task else ''}{self.task}"


def _nothing(_: str) -> Mapping[str, Any]:
    return {}


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
    """The VNFCs with these names, or without names all unhealthy ones."""
    return lambda _: {"vnfcInstanceId": list(names), "additionalParams": params} if names else {"cause": "chaos"}


def _operate(state: str, **more: Any) -> Body:
    return lambda _: {"changeStateTo": state, **more}


def _terminate(kind: str) -> Body:
    return lambda _: {"terminationType": kind}


def _to_foreign_network(cpd: str) -> Body:
    link = {"id": "elsewhere", "resourceId": FOREIGN_NETWORK, "extCps": [{"cpdId": cpd}]}
    return lambda _: {"extVirtualLinks": [link]}


def make_foreign_network(cloud: Connection) -> str:
    """The network that instances are moved to; its id."""
    return make_network(cloud, FOREIGN_NETWORK, "192.0.2.0/24")


OPERATIONS: tuple[Operation, ...] = (
    Operation("INSTANTIATE", "instantiate", _instantiate(), START, calls=3, leaves=RUNNING, undo_calls=2, after=()),
    Operation(
        "INSTANTIATE without artefacts",
        "instantiate",
        _instantiate(createFlavors=True),
        START,
        calls=4,
        undo_calls=3,
        after=(),
        product=FRESH,
    ),
    Operation("SCALE out", "scale", _scale("SCALE_OUT", 2), FIVE, calls=1, leaves=SCALED, undo_calls=1),
    Operation(
        "SCALE in",
        "scale",
        _scale("SCALE_IN", 1),
        START | {"2"},
        calls=1,
        undo_calls=1,
        after=SCALED,
    ),
    Operation("SCALE_TO_LEVEL up", "scale_to_level", _level(2), FIVE, calls=1, leaves=SCALED, undo_calls=1),
    Operation(
        "SCALE_TO_LEVEL down",
        "scale_to_level",
        _level(0),
        START,
        calls=1,
        leaves=RUNNING,
        undo_calls=1,
        after=SCALED,
    ),
    Operation(
        "OPERATE stop", "operate", _operate("STOPPED"), START, calls=3, leaves=STOPPED, undo_calls=3, stopped=START
    ),
    Operation(
        "OPERATE stop gracefully",
        "operate",
        _operate("STOPPED", stopType="GRACEFUL", gracefulStopTimeout=60),
        START,
        calls=3,
        leaves=STOPPED,
        undo_calls=3,
        stopped=START,
    ),
    Operation(
        "OPERATE start",
        "operate",
        _operate("STARTED"),
        START,
        calls=3,
        leaves=RUNNING,
        undo_calls=3,
        after=STOPPED,
    ),
    Operation(
        "OPERATE stop one",
        "operate",
        _operate("STOPPED", vnfcInstanceId=["data-path/3"]),
        FIVE,
        calls=1,
        leaves=ONE_STOPPED,
        undo_calls=1,
        after=SCALED,
        stopped=frozenset("3"),
    ),
    Operation("HEAL gently", "heal", _heal(), START, calls=2, leaves=RUNNING, damage=(("1", "error"), ("A", "stop"))),
    Operation(
        "HEAL, server gone",
        "heal",
        _heal(),
        FIVE,
        calls=3,
        leaves=SCALED,
        after=SCALED,
        replaced=frozenset("2"),
        damage=(("2", "delete"),),
    ),
    Operation(
        "HEAL with a stopped sibling",
        "heal",
        _heal("data-path/1", method="recreate"),
        FIVE,
        calls=6,
        leaves=ONE_STOPPED,
        after=ONE_STOPPED,
        replaced=frozenset("1"),
        stopped=frozenset("3"),
    ),
    # Flavor and image exist: INSTANTIATE covers the creation of shared artefacts.
    Operation(
        "CHANGE_FLAVOUR",
        "change_flavour",
        lambda _: {"newFlavourId": "default", "additionalParams": {"data_path_flavor": "vnf.sriov"}},
        START,
        calls=1,
        undo_calls=1,
    ),
    Operation(
        "CHANGE_EXT_CONN", "change_ext_conn", _to_foreign_network("data-path-data1"), START, calls=2, undo_calls=2
    ),
    Operation(
        "CHANGE_VNFPKG",
        "change_vnfpkg",
        lambda _: {"vnfdId": NEXT_VNFD, "additionalParams": {"image": "tiny"}},
        START,
        calls=3,
        undo_calls=3,
    ),
    Operation("MODIFY_INFO", "", lambda _: {"vnfInstanceDescription": "modified"}, START, calls=0, leaves=RUNNING),
    Operation(
        "CREATE_SNAPSHOT",
        "create_snapshot",
        _nothing,
        START,
        calls=3,
        leaves=SNAPSHOTTED,
        undo_calls=3,
        snapshot="new",
    ),
    Operation(
        "REVERT_TO_SNAPSHOT",
        "revert_to_snapshot",
        _nothing,
        START,
        calls=3,
        leaves=SNAPSHOTTED,
        after=SNAPSHOTTED,
        snapshot="taken",
    ),
    Operation("TERMINATE", "terminate", _terminate("FORCEFUL"), frozenset(), calls=1, leaves=()),
    Operation("TERMINATE gracefully", "terminate", _terminate("GRACEFUL"), frozenset(), calls=4, leaves=()),
)
BY_NAME = {operation.name: operation for operation in OPERATIONS}


def request_of(operation: Operation, vim_id: str, instance: str, client: Client) -> Mapping[str, Any]:
    """The body of the operation's request; a snapshot that it names is made, or found, by the API."""
    body = operation.body(vim_id)
    if operation.snapshot == "new":
        return {**body, "vnfSnapshotInfoId": client.post(SNAPSHOTS, {}).json()["id"]}
    if operation.snapshot == "taken":
        rows = client.get(f"/api/v1/vnf_instances/{instance}/snapshots")
        found = [row["id"] for row in rows if row["state"] == "AVAILABLE"]
        return {**body, "vnfSnapshotInfoId": found[0] if found else instance}
    return body


def fresh_package() -> bytes:
    """Like the shipped one, with images of its own and control VMs so large that no flavor of the cloud will do."""

    def change(vnfd: Any) -> None:
        vnfd.update(vnfdId="5f0c1c2e-7c1d-4f0a-9a53-00000000c405", productName=FRESH)
        vnfd["vdus"][0]["needs"].update(vcpus=8, memoryMib=16384)

    return zipped(edited("vnfd.yaml", change))
