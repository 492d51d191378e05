"""Correct requests of clients that deviate from SOL003 and its registries without another meaning.

Each tolerance is here, once, with whom it is for; `tests/service/lcm/test_dialects.py` replays them. What is written is
always ETSI's.
"""

from collections.abc import Mapping
from typing import Any

OPENSTACK = "ETSINFV.OPENSTACK_KEYSTONE.V_3"
_VIM_TYPES = {"openstack": OPENSTACK, "openstack_v3": OPENSTACK}
"""ONAP SO sends the cloud type of its inventory, in any case of letters."""
_LISTS = ("extVirtualLinks", "extManagedVirtualLinks")
"""IBM's lifecycle driver (2.4.1, and 3.5.1 but for a change of package) begins them as empty objects, to which it adds
entries by their places: {"0": {…}}."""
_DOMAINS = ("userDomain", "projectDomain")


def vim_connection(data: Any) -> Any:
    """A VimConnectionInfo (SOL003 4.4.1.6) with ETSI's keys for Keystone's version 3."""
    if not isinstance(data, Mapping):
        return data
    info, vim_type = dict(data), data.get("vimType")
    if isinstance(vim_type, str):
        info["vimType"] = _VIM_TYPES.get(vim_type.lower(), vim_type)
    if isinstance(data.get("interfaceInfo"), Mapping):
        info["interfaceInfo"] = _renamed(data["interfaceInfo"], {"identityEndPoint": "endpoint"})
    if isinstance(data.get("accessInfo"), Mapping):
        info["accessInfo"] = _access(data["accessInfo"])
    return info


def _access(data: Mapping[str, Any]) -> dict[str, Any]:
    """ONAP SO: the user in `credentials`, the project by id or as `projectName` with the id, one domain for both."""
    access = _renamed(data, {"projectName": "project"})
    credentials = access.pop("credentials", None)
    if isinstance(credentials, Mapping):
        access = {**credentials, **access}
    elif credentials is not None:
        access["credentials"] = credentials  # refused where it stands
    if "project" in access:
        access.pop("projectId", None)  # the name says as much within its domain
    domain = access.pop("domainName", None)
    return access if domain is None else {**dict.fromkeys(_DOMAINS, domain), **access}


def connectivity(data: Any) -> Any:
    """A request with virtual links: as arrays, in the order of their places."""
    if not isinstance(data, Mapping):
        return data
    return {name: _array(value) if name in _LISTS else value for name, value in data.items()}


def _array(value: Any) -> Any:
    """An object whose keys are places, as an array."""
    if isinstance(value, Mapping) and all(str(place).isdecimal() for place in value):
        return [value[place] for place in sorted(value, key=int)]
    return value


def level(data: Any) -> Any:
    """A ScaleVnfToLevelRequest; IBM's lifecycle driver sends an empty `scaleInfo` beside a level."""
    if not isinstance(data, Mapping) or data.get("scaleInfo") != []:
        return data
    return {name: value for name, value in data.items() if name != "scaleInfo"}


def managed_link(data: Any) -> Any:
    """An ExtManagedVirtualLinkData; the first versions of SOL003 had `virtualLinkDescId`."""
    return _renamed(data, {"virtualLinkDescId": "vnfVirtualLinkDescId"}) if isinstance(data, Mapping) else data


def snapshot_task(data: Any) -> Any:
    """A CreateVnfSnapshotRequest or RevertToVnfSnapshotRequest. ETSI's own file (3.7.1) requires `vnfSnapshotResId`,
    which clients made from it send; the standard's text has no such attribute.
    """
    return _renamed(data, {"vnfSnapshotResId": "vnfSnapshotInfoId"}) if isinstance(data, Mapping) else data


def _renamed(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Rename keys to ETSI's names; one that stands there already wins."""
    renamed = {new: data[old] for old, new in names.items() if old in data}
    return {**renamed, **{name: value for name, value in data.items() if name not in names}}
