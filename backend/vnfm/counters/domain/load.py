"""Processor and memory of an element, in percent, from the objects of its driver.

TIMETRA-SYSTEM-MIB, HUAWEI-ENTITY-EXTENT-MIB, HOST-RESOURCES-MIB and UCD-SNMP-MIB.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vnfm.devices.types import Table, Value

Scalars = Mapping[str, Value]
Load = tuple[float | None, float | None]
"""Processor, memory."""


@dataclass(frozen=True, slots=True)
class LoadSource:
    scalars: tuple[str, ...]
    columns: tuple[str, ...]
    read: Callable[[Scalars, Table], Load]


_SGI = "1.3.6.1.4.1.6527.3.1.2.1.1"
SGI_CPU, SGI_USED, SGI_FREE = f"{_SGI}.1.0", f"{_SGI}.9.0", f"{_SGI}.10.0"
_ENTITY = "1.3.6.1.4.1.2011.5.25.31.1.1.1.1"
ENTITY_CPU, ENTITY_MEMORY = f"{_ENTITY}.5", f"{_ENTITY}.7"
PROCESSOR_LOAD = "1.3.6.1.2.1.25.3.3.1.2"
_UCD = "1.3.6.1.4.1.2021.4"
TOTAL, FREE, BUFFERS, CACHED = (f"{_UCD}.{n}.0" for n in (5, 6, 14, 15))


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _percent(value: Value) -> float | None:
    """Return None for a value that cannot be a percentage: boards without a sensor answer 255, or -1."""
    found = _number(value)
    return found if found is not None and 0 <= found <= 100 else None  # noqa: PLR2004 - percent


def _share(used: float | None, total: float | None) -> float | None:
    """None where more is used than there is, or less than nothing."""
    return None if used is None or not total else _percent(100.0 * used / total)


def _sros(scalars: Scalars, table: Table) -> Load:
    used, free = _number(scalars.get(SGI_USED)), _number(scalars.get(SGI_FREE))
    memory = None if used is None or free is None else _share(used, used + free)
    return _percent(scalars.get(SGI_CPU)), memory


def _vrp(scalars: Scalars, table: Table) -> Load:
    """The busiest board: boards do not share their load."""
    return _highest(table, ENTITY_CPU), _highest(table, ENTITY_MEMORY)


def _highest(table: Table, column: str) -> float | None:
    return max((value for raw in table.get(column, {}).values() if (value := _percent(raw)) is not None), default=None)


def _host(scalars: Scalars, table: Table) -> Load:
    loads = [value for raw in table.get(PROCESSOR_LOAD, {}).values() if (value := _percent(raw)) is not None]
    total = _number(scalars.get(TOTAL))
    unused = [_number(scalars.get(name)) or 0.0 for name in (FREE, BUFFERS, CACHED)]
    memory = None if total is None or FREE not in scalars else _share(total - sum(unused), total)
    return sum(loads) / len(loads) if loads else None, memory


_HOST = LoadSource((TOTAL, FREE, BUFFERS, CACHED), (PROCESSOR_LOAD,), _host)
_SOURCES: Mapping[str, LoadSource] = {
    "nokia-sros": LoadSource((SGI_CPU, SGI_USED, SGI_FREE), (), _sros),
    "huawei-vrp": LoadSource((), (ENTITY_CPU, ENTITY_MEMORY), _vrp),
}


def load_source(driver: str) -> LoadSource:
    """Return the source of a driver, by its name (`elements.domain.drivers`)."""
    return _SOURCES.get(driver, _HOST)
