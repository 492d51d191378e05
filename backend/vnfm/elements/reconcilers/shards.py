"""Which shards of the elements are this process's to poll: those whose lease it holds."""

from contextlib import ExitStack

from vnfm.elements.reconcilers.polled_elements import SHARDS
from vnfm.kit import lease

FEW = 2
"""Shards taken at one time, so that processes that start together share them."""


class Shards:
    """Leases, taken little by little and given back at the end."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[ExitStack, lease.Held]] = {}

    def held(self) -> set[int]:
        """Those that are ours now; takes a few more where nobody has them, and drops what was lost."""
        for shard, (stack, held) in list(self._held.items()):
            if not held.is_current():
                del self._held[shard]
                stack.close()
        wanted = [shard for shard in range(SHARDS) if shard not in self._held]
        taken = 0
        for shard in wanted:
            if taken < FEW and self._take(shard):
                taken += 1
        return set(self._held)

    def _take(self, shard: int) -> bool:
        stack = ExitStack()
        held = stack.enter_context(lease.hold(f"elements:{shard}"))
        if held is None:
            stack.close()
            return False
        self._held[shard] = stack, held
        return True

    def release(self) -> None:
        """Give all back, for others to go on at once."""
        for stack, _ in self._held.values():
            stack.close()
        self._held.clear()
