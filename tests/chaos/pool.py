"""Instances that an operation left whole and that the next may begin with: most of a run would else be their making."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from tests.chaos.operations import DEFAULT, OPERATIONS, SPENT, Chain, Operation

USES = 8
"""Operations after which an instance is only terminated: what was left over by any of them shows then."""
MOST_IDLE = 12


@dataclass(slots=True)
class Pooled:
    """An idle instance, and where it stands."""

    instance: str
    at: Chain


class Pool:
    def __init__(self) -> None:
        self._idle: list[Pooled] = []
        self._uses: dict[str, int] = {}

    @property
    def idle(self) -> list[str]:
        return [pooled.instance for pooled in self._idle]

    def take(self, operation: Operation) -> tuple[str | None, list[str]]:
        """The idle instance nearest to where the operation begins, None for a new one; and the operations between."""
        if operation.product != DEFAULT:
            return None, list(operation.after)
        if operation.task == "terminate" and (spent := self._first(SPENT)):
            return spent, []
        for at, names in _ways_to(operation.after):
            found = self._first(at)
            if found or not at:
                return found, names
        raise AssertionError(f"nothing leads to {operation.after}")

    def _first(self, at: Chain) -> str | None:
        found = next((pooled for pooled in self._idle if pooled.at == at), None)
        if found is None:
            return None
        self._idle.remove(found)
        return found.instance

    def give_back(self, operation: Operation, instance: str, end: str) -> bool:
        """Keep an instance after an operation that it survived; False when it must be terminated instead."""
        if operation.product != DEFAULT or len(self._idle) >= MOST_IDLE:
            return False
        if end == "COMPLETED":
            at = operation.leaves
        elif end == "ROLLED_BACK" and not operation.damage:
            at = operation.after
        else:
            return False
        uses = self._uses[instance] = USES if at == SPENT else self._uses.get(instance, 0) + 1
        if not at and uses > USES:
            return False
        self._idle.append(Pooled(instance, SPENT if at and uses >= USES else at))
        return True

    def forget(self, instances: Iterable[str]) -> None:
        """They are no more."""
        self._idle = [pooled for pooled in self._idle if pooled.instance not in set(instances)]

    def drain(self) -> list[str]:
        """All that are idle, to be terminated."""
        found, self._idle = self.idle, []
        return found


def _ways_to(goal: Chain) -> list[tuple[Chain, list[str]]]:
    """Where an instance may stand, and the names of the operations from there to the goal; the shortest ways first."""
    found: dict[Chain, list[str]] = {goal: []}
    waiting = deque([goal])
    while waiting:
        at = waiting.popleft()
        for operation in OPERATIONS:
            steps = operation.leaves == at and not operation.damage and operation.product == DEFAULT
            if steps and operation.after not in found:
                found[operation.after] = [operation.name, *found[at]]
                waiting.append(operation.after)
    return sorted(found.items(), key=lambda way: (len(way[1]), not way[0]))
