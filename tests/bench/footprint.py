"""Memory and processor time of an installation by service, as the kernel counts them (proc(5))."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SERVERS = frozenset({"postgres", "valkey"})
SIMULATORS = frozenset({"cloudsim", "routersim"})
"""For trial only: counted apart."""
_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _USER_TIME, _SYSTEM_TIME = 1, 11, 12
"""Fields of /proc/PID/stat after the name."""


@dataclass(frozen=True)
class Footprint:
    """PSS in MiB (shared pages in equal parts to all that map them) and CPU seconds since the start, by service."""

    mib: Mapping[str, float]
    cpu: Mapping[str, float]

    def own_mib(self) -> float:
        """The figures are of the product's own processes, the launcher included."""
        return sum(mib for name, mib in self.mib.items() if name not in SERVERS | SIMULATORS)

    def with_servers_mib(self) -> float:
        return sum(mib for name, mib in self.mib.items() if name not in SIMULATORS)

    def own_core_share(self, before: "Footprint", seconds: float) -> float:
        """Share of a core that the product's own processes used since `before`."""
        used = Counter(self.cpu)
        used.subtract(before.cpu)
        return sum(cpu for name, cpu in used.items() if name not in SERVERS | SIMULATORS) / seconds


def footprint(services: Mapping[str, int], launcher: int) -> Footprint:
    """`services`: their pids. Each is counted with its descendants."""
    children = defaultdict(list)
    for pid in _pids():
        if fields := _stat(pid):
            children[int(fields[_PARENT])].append(pid)
    mib: dict[str, float] = {"launcher": _pss(launcher)}
    cpu: dict[str, float] = {"launcher": _cpu(launcher)}
    for name, pid in services.items():
        tree = list(_tree(pid, children))
        mib[name], cpu[name] = sum(map(_pss, tree)), sum(map(_cpu, tree))
    return Footprint(mib, cpu)


def _pids() -> Iterator[int]:
    return (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())


def _tree(pid: int, children: Mapping[int, list[int]]) -> Iterator[int]:
    yield pid
    for child in children.get(pid, ()):
        yield from _tree(child, children)


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _cpu(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])) / _TICKS if fields else 0.0


def _pss(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
