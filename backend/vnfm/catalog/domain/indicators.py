"""VNF indicators that a VNFD declares (ETSI GS NFV-IFA 011 7.1.11), and what we observe as their value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.kit.patterns import pattern

_NAME = pattern(r"[^/\x00-\x1f]{1,200}")

STATE, VNFCS, ALARMS, UNOBSERVED = "state", "vnfcs", "alarms", ""
METRICS = tuple(
    [f"V{resource}Usage{kind}Vnf" for resource in ("Cpu", "Memory") for kind in ("Mean", "Peak")]
    + [
        f"{unit}{way}Vnf{cp}Cp"
        for cp in ("Int", "Ext")
        for unit in ("Byte", "Packet")
        for way in ("Incoming", "Outgoing")
    ]
)
"""Metrics of IFA 027 that the counters of its network elements measure of a VNF."""
SOURCES = (STATE, VNFCS, ALARMS, *METRICS)


@dataclass(frozen=True, slots=True)
class Indicator:
    id: str
    name: str
    """For people; "" where the VNFD has none."""
    source: str
    """One of SOURCES; UNOBSERVED where nothing of ours has its value."""


OBSERVED = (
    Indicator(STATE, "State of the VNF", STATE),
    Indicator(VNFCS, "VNFCs at work", VNFCS),
    Indicator(ALARMS, "Worst severity of its alarms", ALARMS),
)
"""Indicators of a VNF whose VNFD declares none."""
MEASURED = (
    Indicator("VCpuUsageMeanVnf", "Processor load", "VCpuUsageMeanVnf"),
    Indicator("VMemoryUsageMeanVnf", "Memory in use", "VMemoryUsageMeanVnf"),
)
"""As OBSERVED, where network elements measure it."""


def read_indicators(data: Mapping[str, Any]) -> tuple[Indicator, ...]:
    """Read the indicators of a valid vnfd.yaml."""
    if "indicators" not in data:
        return OBSERVED + (MEASURED if "element" in data else ())
    return tuple(Indicator(each["id"], each.get("name", ""), each.get("source", "")) for each in data["indicators"])


def foreign_indicators(names: Iterable[str]) -> list[dict[str, str]]:
    """For vnfd.yaml: those that a foreign VNFD declares, and OBSERVED. One by the name of a source has its value."""
    ours = [{"id": each.id, "name": each.name, "source": each.source} for each in OBSERVED]
    known = {each.id for each in OBSERVED}
    theirs = [name for name in dict.fromkeys(names) if name not in known]
    return ours + [{"id": name, **({"source": name} if name in SOURCES else {})} for name in theirs]


def valid_id(text: str) -> bool:
    """Return whether it can stand as one segment of a URL."""
    return _NAME.fullmatch(text) is not None
