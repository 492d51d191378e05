"""The two published versions of SOL003's VNF LCM interface that we serve, and all that differs between them.

Inside, everything has the shape of V3.7.1 (API 2.3.0, `v2`). V2.6.1 (API 1.3.0, `v1`) is translated at the door: the
same views, given the other edition.

What 2.6.1 did otherwise, as far as our attributes go:

- `vimConnectionInfo` and `cpConfig` are arrays; an entry of `vimConnectionInfo` carries its key as `id`;
- `virtualLinkResourceInfo` is the name of what 3.x calls `vnfVirtualLinkResourceInfo`;
- no `maxScaleLevels`, no `cpConfigId` in `extCpInfo`, no `currentVnfExtCpData` in `extVirtualLinkInfo`;
- no links to `change_vnfpkg` and snapshots, which are served for clients that mix the versions (Itential's);
- no `targetScaleLevelInfo`, no `vnfdId` in a ScaleInfo;
- no `warnings`, `affectedExtLinkPorts` and `modificationsTriggeredByVnfPkgChange` in an op occ;
- `virtualLinkDescId` in AffectedVirtualLink is the name of what 3.x calls `vnfVirtualLinkDescId`;
- `vnfPkgId`, which left VnfInstance in 2.5.1, is still shown: clients of that time look for it.

An operation that `v2` started is shown by `v1` as well, whatever its type: it is what stands in the way of another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from rest_framework import serializers

from vnfm.kit.etsi.selection import EVERYTHING
from vnfm.kit.problem import FieldError, Problem
from vnfm.kit.web.wire import AnswerSerializer
from vnfm.lcm.domain.states import Operation

Json = dict[str, Any]

_SINCE_3 = (Operation.CHANGE_VNFPKG, Operation.CREATE_SNAPSHOT, Operation.REVERT_TO_SNAPSHOT)
_ALL_TASKS = tuple(operation for operation in Operation if operation != Operation.MODIFY_INFO)


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of the interface, as its URLs and bodies show it."""

    name: str
    """The major version in the URL."""
    tasks: tuple[Operation, ...]
    """Operations with a task resource below the VNF instance."""
    later_tasks: tuple[Operation, ...]
    """Those of later versions that are served as well, and not linked to: clients mix the versions."""
    maps: bool
    """True if a keyed list is a map, and not an array."""
    networks: str
    """The attribute with the internal virtual links of an instance."""
    link_descriptor: str
    """The attribute that names the descriptor of an affected virtual link."""
    missing: frozenset[str] = frozenset()
    """Attributes of requests and answers that it does not have."""
    package_id: bool = False

    @property
    def instances(self) -> str:
        """Path of the VNF instances."""
        return f"/vnflcm/{self.name}/vnf_instances"

    @property
    def operations(self) -> str:
        """Path of the op occs."""
        return f"/vnflcm/{self.name}/vnf_lcm_op_occs"

    @property
    def snapshots(self) -> str:
        """Path of the VNF snapshots."""
        return f"/vnflcm/{self.name}/vnf_snapshots"

    def keyed(self, entries: Mapping[str, Json], key: str = "") -> Any:
        """A map as this edition shows it; in arrays `key` names the member that holds the key."""
        if self.maps:
            return dict(entries)
        return [({key: name} if key else {}) | entry for name, entry in entries.items()]

    def located(self, problem: Problem, body: Any) -> Problem:
        """The problem with its fields where this edition's client finds them: a map inside may be an array there."""
        if self.maps or not isinstance(body, Mapping):
            return problem
        keys = [entry.get("id") for entry in body.get("vimConnectionInfo") or () if isinstance(entry, Mapping)]
        return replace(problem, errors=tuple(_by_place(error, keys) for error in problem.errors))

    def without_missing(self, body: Json) -> Json:
        """The body without what this edition does not have."""
        return {name: value for name, value in body.items() if name not in self.missing} if self.missing else body


def _by_place(error: FieldError, keys: list[Any]) -> FieldError:
    _, top, *rest = error.field.split("/") if "/" in error.field else ("", "")
    if top != "vimConnectionInfo" or not rest or rest[0] not in keys:
        return error
    return FieldError("/".join(["", top, str(keys.index(rest[0])), *rest[1:]]), error.message)


V1 = Edition(
    name="v1",
    tasks=tuple(operation for operation in _ALL_TASKS if operation not in _SINCE_3),
    later_tasks=_SINCE_3,
    maps=False,
    networks="virtualLinkResourceInfo",
    link_descriptor="virtualLinkDescId",
    missing=frozenset(
        {
            "maxScaleLevels",
            "cpConfigId",
            "currentVnfExtCpData",
            "targetScaleLevelInfo",
            "warnings",
            "affectedExtLinkPorts",
            "lcmCoordinations",
            "rejectedLcmCoordinations",
            "modificationsTriggeredByVnfPkgChange",
            "vnfSnapshotInfoId",
        }
    ),
    package_id=True,
)
V2 = Edition(
    name="v2",
    tasks=_ALL_TASKS,
    later_tasks=(),
    maps=True,
    networks="vnfVirtualLinkResourceInfo",
    link_descriptor="vnfVirtualLinkDescId",
)

EDITIONS = (V1, V2)


class EditionSerializer(AnswerSerializer):
    """A type as the `edition` of the context shows it, without what the context's Selection `chosen` leaves out."""

    paths: ClassVar[Mapping[str, str]] = {}
    """Attributes that can be left out, and how a selector names them."""

    @cached_property
    def edition(self) -> Edition:
        found: Edition = self.context.get("edition", V2)
        return found

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        chosen, missing = self.context.get("chosen", EVERYTHING), self.edition.missing
        return {
            name: field
            for name, field in super().get_fields().items()
            if name not in missing and (name not in self.paths or chosen.wants(self.paths[name]))
        }
