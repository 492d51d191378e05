"""State that outlives the process, and notices of change."""

from __future__ import annotations

import asyncio

from cloudsim.core.bus import ChangeBus
from cloudsim.core.clock import ManualClock
from cloudsim.core.store import Store
from cloudsim.core.timers import Timers


def test_documents_come_back_in_order(tmp_path):
    store = Store(tmp_path / "db", ChangeBus())
    for name in "cab":
        store.put("thing", name, {"id": name})
    store.put("thing", "c", {"id": "c", "changed": True})
    store.delete("thing", "a")
    store.close()
    again = Store(tmp_path / "db", ChangeBus())
    assert again.list("thing") == [{"id": "c", "changed": True}, {"id": "b"}]


def test_flushed_lines_survive_without_closing(tmp_path):
    store = Store(tmp_path / "db", ChangeBus())
    store.put("thing", "a", {"id": "a"})
    store.flush()
    store.put("thing", "b", {"id": "b"})
    assert [doc["id"] for doc in Store(tmp_path / "db", ChangeBus()).list("thing")] == ["a"]


def test_indexes_follow_changes():
    store = Store(None, ChangeBus())
    store.put("port", "1", {"id": "1", "nets": ["x", "y"]})
    store.index("port", "net", lambda doc: doc["nets"])
    store.put("port", "2", {"id": "2", "nets": ["y"]})
    assert [doc["id"] for doc in store.find("port", "net", "y")] == ["1", "2"]
    store.put("port", "1", {"id": "1", "nets": []})
    assert [doc["id"] for doc in store.find("port", "net", "y")] == ["2"]
    store.delete("port", "2")
    assert store.count("port", "net", "y") == 0


def test_the_bus_wakes_those_who_wait():
    async def story():
        bus = ChangeBus()
        store = Store(None, bus)
        waiting = asyncio.ensure_future(bus.wait("server", "1", timeout=5))
        await asyncio.sleep(0)
        store.put("server", "2", {})
        assert not waiting.done()
        store.put("server", "1", {})
        assert await waiting
        assert not await bus.wait("server", "1", timeout=0.001)

    asyncio.run(story())


def test_timers_fire_in_order_of_their_deadlines_after_a_restart(tmp_path):
    clock, fired = ManualClock(), []

    async def handler(name):
        fired.append(name)

    store = Store(tmp_path / "db", ChangeBus())
    timers = Timers(store, clock)
    for name, seconds in (("late", 20), ("soon", 5), ("next", 7), ("cancelled", 1)):
        ident = timers.after(seconds, "test", name=name)
    timers.cancel(ident)
    store.close()

    clock.advance(10)
    again = Timers(Store(tmp_path / "db", ChangeBus()), clock)
    again.register("test", handler)
    assert asyncio.run(again.run_due()) == 2
    assert fired == ["soon", "next"]
    clock.advance(10)
    asyncio.run(again.run_due())
    assert fired == ["soon", "next", "late"]
