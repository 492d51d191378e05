"""The settings of a planned instantiation with their values, and where each value comes from. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import Setting, Vnfd
from vnfm.lcm.domain.plan import ARTEFACT, Plan

Origin = Literal["request", "profile", "cloud", "package"]


@dataclass(frozen=True, slots=True)
class PlannedSetting:
    name: str
    value: Any
    origin: Origin
    """The request; the management profile; the cloud, such as the subnet of a chosen network; or the package's default.
    """


def planned_settings(
    vnfd: Vnfd, requested: Mapping[str, Any], completed: Mapping[str, Any], plan: Plan
) -> Iterator[PlannedSetting]:
    """The values that Heat gets, without secrets and without images and flavors that a step still makes.

    `requested` are the settings of the request as it came, `completed` with those of the management profile.
    """
    for setting in vnfd.settings:
        value = plan.parameters.get(setting.name)
        unmade = isinstance(value, Mapping) and ARTEFACT in value
        if not setting.hidden and setting.name in plan.parameters and not unmade:
            yield PlannedSetting(setting.name, value, _origin(vnfd, setting, requested, completed, plan))


def _origin(
    vnfd: Vnfd, setting: Setting, requested: Mapping[str, Any], completed: Mapping[str, Any], plan: Plan
) -> Origin:
    """A setting that follows another has its origin, unless it has a value of its own."""
    is_chosen = completed.get(setting.name) is not None or setting.name in plan.settings
    given_by = setting if is_chosen else vnfd.setting(setting.follows) or setting
    if requested.get(given_by.name) is not None:
        return "request"
    if completed.get(given_by.name) is not None:
        return "profile"
    return "package" if _is_default(given_by, plan) else "cloud"


def _is_default(setting: Setting, plan: Plan) -> bool:
    """True if the package gives the value. A network that it names has its id in the plan."""
    by_name = setting.format == "network" and setting.default
    value = plan.parameters.get(setting.name, setting.default)
    return setting.name not in plan.settings and bool(by_name or value == setting.default)
