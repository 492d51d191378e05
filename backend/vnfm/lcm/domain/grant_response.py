"""An NFVO's grant (SOL003 9.5.2.3 Grant), and whether we can follow it: pure.

A grant may name a zone, images, networks and more. What we cannot follow is reported as an error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from jsonschema import Draft202012Validator

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.kit.problem import FieldError
from vnfm.kit.web.message import from_json, from_stored
from vnfm.lcm.domain.grant import GrantCheck
from vnfm.lcm.domain.grant_request import LISTS, VIM_KEY
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.request_types import ExtVirtualLink
from vnfm.lcm.domain.requests import Request, StackRequest
from vnfm.lcm.domain.states import Operation
from vnfm.vims.domain.project import Project

TAKES_ASSETS = (Operation.INSTANTIATE, Operation.CHANGE_VNFPKG)
"""Operations whose grant may name other VIM assets than those in use (SOL003 9.5.2.3 NOTE 3)."""
TAKES_LINKS = (*TAKES_ASSETS, Operation.CHANGE_FLAVOUR, Operation.CHANGE_EXT_CONN)
"""Operations whose request may name external links, so that the grant may override them (NOTE 5)."""

_TEXT = {"type": "string", "maxLength": 1000}
_OBJECT = {"type": "object"}


def _rows(**properties: Any) -> dict[str, Any]:
    """JSON Schema of a list of objects that require the first of these properties."""
    items = {"type": "object", "required": list(properties)[:1], "properties": properties}
    return {"type": "array", "maxItems": 10_000, "items": items}


_INFO = _rows(
    resourceDefinitionId=_TEXT,
    vimConnectionId=_TEXT,
    zoneId=_TEXT,
    reservationId=_TEXT,
    resourceProviderId=_TEXT,
)
_LINKS = _rows(id=_TEXT, resourceId=_TEXT, extCps=_rows(cpdId=_TEXT))
_LINKS["items"]["required"] = ["id", "resourceId"]
_SCHEMA = {
    "type": "object",
    "required": ["id", "vnfInstanceId", "vnfLcmOpOccId"],
    "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 255},
        "vnfInstanceId": _TEXT,
        "vnfLcmOpOccId": _TEXT,
        "vimConnectionInfo": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {"vimId": _TEXT, "interfaceInfo": _OBJECT, "accessInfo": _OBJECT},
            },
        },
        "zones": _rows(id=_TEXT, zoneId=_TEXT, vimConnectionId=_TEXT),
        **dict.fromkeys(LISTS.values(), _INFO),
        "vimAssets": {
            "type": "object",
            "properties": {
                "computeResourceFlavours": _rows(vnfdVirtualComputeDescId=_TEXT, vimFlavourId=_TEXT),
                "softwareImages": _rows(vnfdSoftwareImageId=_TEXT, vimSoftwareImageId=_TEXT),
            },
        },
        "extVirtualLinks": _LINKS,
        "extManagedVirtualLinks": {"type": "array"},
        "additionalParams": _OBJECT,
    },
}
_VALIDATOR = Draft202012Validator(_SCHEMA)


@dataclass(frozen=True, slots=True)
class GrantVim:
    """A VIM connection of a grant, without its credentials."""

    key: str
    vim_id: str
    endpoint: str
    project: str
    """Its id, or else its name."""
    region: str


@dataclass(frozen=True, slots=True)
class OperationVim:
    """The registered VIM in which the operation runs."""

    id: str
    auth_url: str
    project: Project
    region: str
    connection: str = VIM_KEY
    """The NFVO's key of the connection to it."""


@dataclass(frozen=True, slots=True)
class GrantDecision:
    """The parts of a grant that we use; `as_json` is stored with the operation and holds no credentials."""

    id: str
    resources: tuple[str, ...]
    """Ids of the granted resource definitions."""
    connections: tuple[str, ...]
    """Keys of the VIM connections to use."""
    vims: tuple[GrantVim, ...]
    zones: tuple[str, ...]
    """The VIM's names of the availability zones to use."""
    placed: bool
    """True if the grant places resources in zones."""
    flavors: Mapping[str, str]
    """VDU id to Nova flavor id."""
    images: Mapping[str, str]
    """Software image id to Glance image id."""
    links: tuple[Mapping[str, Any], ...]
    """ExtVirtualLinkData (SOL003 4.4.1.11)."""
    unsupported: tuple[str, ...]
    """The parts of the grant that we never support, as sentences."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "GrantDecision":
        return from_stored(cls, data)


def read_grant(grant: Mapping[str, Any], op_id: str, instance_id: str) -> GrantDecision | str:
    """The NFVO's grant for this operation, or why it is invalid."""
    fault = next(_VALIDATOR.iter_errors(grant), None)
    if fault is not None:
        return f"Its grant is not as SOL003 9.5.2.3 has it at {fault.json_path}: {fault.message[:200]}"
    if (grant["vnfLcmOpOccId"], grant["vnfInstanceId"]) != (op_id, instance_id):
        return "Its grant is another operation's."
    infos = [info for name in LISTS.values() for info in grant.get(name) or ()]
    zones = {zone["id"]: zone for zone in grant.get("zones") or ()}
    placed = {info["zoneId"] for info in infos if info.get("zoneId")}
    used = [zones[zone_id] for zone_id in sorted(placed & zones.keys())] if placed else list(zones.values())
    assets = grant.get("vimAssets") or {}
    compute, images = assets.get("computeResourceFlavours") or (), assets.get("softwareImages") or ()
    named = [*infos, *used, *compute, *images]
    return GrantDecision(
        id=grant["id"],
        resources=tuple(info["resourceDefinitionId"] for info in infos),
        connections=tuple(sorted({one["vimConnectionId"] for one in named if one.get("vimConnectionId")})),
        vims=tuple(_vim(key, info) for key, info in (grant.get("vimConnectionInfo") or {}).items()),
        zones=tuple(sorted({zone.get("zoneId") or zone["id"] for zone in used})),
        placed=bool(placed),
        flavors={row["vnfdVirtualComputeDescId"]: row.get("vimFlavourId", "") for row in compute},
        images={row["vnfdSoftwareImageId"]: row.get("vimSoftwareImageId", "") for row in images},
        links=tuple(grant.get("extVirtualLinks") or ()),
        unsupported=tuple(_unsupported(grant, infos, placed - zones.keys())),
    )


def _vim(key: str, info: Mapping[str, Any]) -> GrantVim:
    interface, access = info.get("interfaceInfo") or {}, info.get("accessInfo") or {}
    project = access.get("projectId") or access.get("project") or access.get("projectName")
    texts = (info.get("vimId"), interface.get("endpoint"), project, access.get("region"))
    vim_id, endpoint, project, region = (str(text or "") for text in texts)
    return GrantVim(key, vim_id, endpoint, project, region)


def _unsupported(
    grant: Mapping[str, Any], infos: Iterable[Mapping[str, Any]], unknown_zones: Iterable[str]
) -> Iterator[str]:
    yield from (
        f"It places resources into zone {zone_id!r}, which it does not describe." for zone_id in sorted(unknown_zones)
    )
    for attribute, meaning in (("reservationId", "reservations"), ("resourceProviderId", "other resource providers")):
        if values := sorted({info[attribute] for info in infos if info.get(attribute)}):
            yield f"It wants {meaning} used ({', '.join(values)}), which no step of ours can do."
    if grant.get("extManagedVirtualLinks"):
        yield "It brings extManagedVirtualLinks, which are taken from the request alone: name them there."
    if params := grant.get("additionalParams"):
        yield f"It brings additionalParams that mean nothing here: {', '.join(sorted(params))}."


def apply_grant(decision: GrantDecision, request: Request, vnfd: Vnfd) -> Request | Rejection:
    """The request with the images, flavors and external links of the grant; Rejection where the request has others."""
    if not isinstance(request, StackRequest):
        return request
    settings = request.settings
    assets = dict(_assets(decision, vnfd)) if request.operation in TAKES_ASSETS else {}
    errors = [
        FieldError(f"/additionalParams/{name}", f"The NFVO grants {value!r}, the request wants {settings[name]!r}.")
        for name, value in assets.items()
        if (settings.get(name) or value) != value
    ]
    if errors:
        return Rejection(tuple(errors), "GRANT_DIFFERS")
    granted = {link.id: link for link in (from_json(ExtVirtualLink, link) for link in decision.links)}
    links = [granted.pop(link.id, link) for link in request.ext_virtual_links]
    return replace(request.with_params(assets), ext_virtual_links=(*links, *granted.values()))


def _assets(decision: GrantDecision, vnfd: Vnfd) -> Iterator[tuple[str, str]]:
    """Pairs of HOT parameter and value."""
    for vdu in vnfd.vdus:
        if vdu.flavor_parameter and (flavor := decision.flavors.get(vdu.id)):
            yield vdu.flavor_parameter, flavor
        if vdu.image_parameter and (image := decision.images.get(vdu.software_image)):
            yield vdu.image_parameter, image


def check_grant(
    decision: GrantDecision, operation: Operation, requested: set[str], vim: OperationVim, zones: Sequence[str]
) -> list[GrantCheck]:
    """Check that the grant covers the plan, and that we can follow it; `zones` are those of the VIM."""
    missing = sorted(requested - set(decision.resources))
    covered = f"It does not cover {', '.join(missing)}." if missing else "It covers the whole plan."
    unsupported = list(decision.unsupported)
    if decision.links and operation not in TAKES_LINKS:
        unsupported.append(f"It brings extVirtualLinks, and {operation} attaches none.")
    checks = [
        _check("Resources", covered, ok=not missing),
        _check("Attributes", " ".join(unsupported) or "It asks for nothing that we cannot do.", ok=not unsupported),
        _vim_check(decision, vim),
    ]
    places = decision.zones and any(name.startswith("add/") for name in requested)
    return checks + ([_zone_check(decision, zones)] if places else [])


def _check(name: str, message: str, *, ok: bool) -> GrantCheck:
    return GrantCheck(name, "True" if ok else "False", message, binding=True)


def _vim_check(decision: GrantDecision, vim: OperationVim) -> GrantCheck:
    known = {named.key: named for named in decision.vims}
    own = {VIM_KEY, vim.id, vim.connection}
    if decision.connections:
        foreign = [
            key for key in decision.connections if not (_is_same(known[key], vim) if key in known else key in own)
        ]
    else:
        foreign = [] if not known or any(_is_same(named, vim) for named in known.values()) else sorted(known)
    if foreign:
        return _check("Vim", f"It wants the VIM {', '.join(foreign)} used, and that is not {vim.auth_url}.", ok=False)
    return _check("Vim", "It is for the VIM that the operation runs in.", ok=True)


def _is_same(named: GrantVim, vim: OperationVim) -> bool:
    """The same id, or the same endpoint, and project and region where the grant has them."""
    if named.vim_id == vim.id:
        return True
    if named.project and not vim.project.is_called(named.project):
        return False
    return named.endpoint.rstrip("/") == vim.auth_url.rstrip("/") and named.region in ("", vim.region)


def _zone_check(decision: GrantDecision, zones: Sequence[str]) -> GrantCheck:
    """Nova chooses the zone: we can follow the grant only where Nova has no other choice."""
    only_choice = set(zones) <= set(decision.zones) and (len(decision.zones) == 1 or not decision.placed)
    wants, has = ", ".join(decision.zones), ", ".join(zones) or "none"
    if only_choice:
        return _check("Zones", f"It wants {wants}; the VIM has {has}.", ok=True)
    return _check("Zones", f"It wants {wants}; the VIM has {has}, and Nova would choose by itself.", ok=False)
