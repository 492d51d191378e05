"""The shards that this process polls: those whose lease it holds."""

from contextlib import ExitStack

from vnfm.elements.reconcilers.polled_elements import SHARDS
from vnfm.kit.durable import lease

MAX_ACQUIRED_AT_ONCE = 2
"""Shards taken at one time, so that processes that start together share them."""


class Shards:
    """Leases, acquired few at a time and released at the end."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[ExitStack, lease.ActiveLease]] = {}

    def acquire(self) -> set[int]:
        """Shards whose lease is current; tries to acquire a few free ones first."""
        current = lease.current([held for _, held in self._held.values()]) if self._held else set()
        for shard, (stack, held) in list(self._held.items()):
            if held not in current:
                del self._held[shard]
                stack.close()
        acquired = 0
        for shard in set(range(SHARDS)) - self._held.keys():
            if acquired < MAX_ACQUIRED_AT_ONCE and self._acquire(shard):
                acquired += 1
        return set(self._held)

    def _acquire(self, shard: int) -> bool:
        stack = ExitStack()
        held = stack.enter_context(lease.hold(f"elements:{shard}"))
        if held is None:
            stack.close()
            return False
        self._held[shard] = stack, held
        return True

    def release(self) -> None:
        """Release all leases, for other processes to acquire at once."""
        for stack, _ in self._held.values():
            stack.close()
        self._held.clear()
