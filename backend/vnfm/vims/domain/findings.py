"""Findings of a probe, as the JSON that is stored with the VIM."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from vnfm.clouds.types import Flavor, Image, Network, Probe


@dataclass(frozen=True, slots=True)
class Findings:
    """Field names are those of the VIM's columns."""

    versions: dict[str, str]
    capabilities: dict[str, bool | None]
    features: dict[str, Any]
    """`clouds.types.Features`."""
    quotas: dict[str, dict[str, int | None]]
    """Resource to its `limit` (-1: unlimited; None: the cloud does not say) and `used`."""
    resources: dict[str, list[Any] | None]
    """`flavors`, `images` and `networks` with the fields of `clouds.types`, by name; names of `zones`, `key_pairs` and
    `volume_types`, None where the cloud does not tell.
    """
    scoped_project_id: str = ""
    scoped_project_name: str = ""
    scoped_project_domain_name: str = ""


Rows = list[dict[str, Any]]


def rows_of(resources: Sequence[Flavor | Image | Network]) -> Rows:
    """The resources as they are stored, by name."""
    return sorted((_plain(asdict(row)) for row in resources), key=_name)


def with_resource(rows: Rows, resource: Flavor | Image | Network) -> Rows:
    """The stored resources of a kind and this one, which may be among them."""
    others = [row for row in rows if row["id"] != resource.id]
    return sorted([*others, *rows_of([resource])], key=_name)


def _name(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["name"], row["id"]


def findings_of(probe: Probe) -> Findings:
    found: dict[str, Sequence[Flavor | Image | Network]] = {
        "flavors": probe.flavors,
        "images": probe.images,
        "networks": probe.networks,
    }
    names: dict[str, list[Any] | None] = {
        "zones": _plain(probe.zones),
        "key_pairs": _plain(probe.key_pairs),
        "volume_types": _plain(probe.volume_types),
    }
    return Findings(
        versions=dict(probe.versions),
        capabilities=dict(probe.capabilities),
        features=_plain(asdict(probe.features)),
        quotas={quota.resource: {"limit": quota.limit, "used": quota.used} for quota in probe.quotas},
        resources={**{kind: rows_of(rows) for kind, rows in found.items()}, **names},
        scoped_project_id=probe.project_id,
        scoped_project_name=probe.project_name,
        scoped_project_domain_name=probe.project_domain_name,
    )


def _plain(value: Any) -> Any:
    """As JSON gives it back, so that a stored probe equals a fresh one when nothing changed."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
