import asyncio

import pytest

from cloudsim.heat.engine.flow import Flow, ManyFailed
from cloudsim.heat.errors import ResourceFailure, ResourceInError

CHAIN = {"a": set(), "b": {"a"}, "c": {"b"}, "free": set()}


def run(requires, failing=(), **options):
    done = []

    async def work(key):
        await asyncio.sleep(0)
        if key in failing:
            raise ValueError(key)
        done.append(key)

    async def go():
        await Flow(requires, work, **options).run()

    return done, go


def test_work_starts_after_its_requirements():
    done, go = run(CHAIN)
    asyncio.run(go())
    assert sorted(done) == ["a", "b", "c", "free"]
    assert done.index("a") < done.index("b") < done.index("c")


def test_independent_work_runs_at_once():
    barrier = asyncio.Barrier(50)

    async def work(_key):
        await barrier.wait()

    asyncio.run(asyncio.wait_for(Flow({n: set() for n in range(50)}, work).run(), 5))


def test_the_first_failure_stops_new_starts():
    done, go = run(CHAIN, failing={"b"})
    with pytest.raises(ValueError, match="b"):
        asyncio.run(go())
    assert "c" not in done


def test_running_work_may_finish_after_a_failure():
    done = []

    async def work(key):
        if key == "bad":
            raise ValueError(key)
        await asyncio.sleep(0.01)
        done.append(key)

    with pytest.raises(ValueError, match="bad"):
        asyncio.run(Flow({"bad": set(), "slow": set()}, work).run())
    assert done == ["slow"]


def test_collecting_skips_only_dependents_and_reports_all():
    done, go = run({**CHAIN, "x": set()}, failing={"b", "x"}, collect=True)
    with pytest.raises(ManyFailed) as failed:
        asyncio.run(go())
    assert sorted(done) == ["a", "free"]
    assert sorted(map(str, failed.value.failures)) == ["b", "x"]


def test_cancelling_cancels_the_work():
    cancelled = []

    async def work(key):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(key)
            raise

    async def go():
        task = asyncio.create_task(Flow({"a": set(), "b": set()}, work).run())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())
    assert sorted(cancelled) == ["a", "b"]


def test_a_childs_reason_becomes_the_parents():
    inner = ResourceFailure.of(ResourceInError("Message: No valid host was found., Code: 500"), "vm")
    reason = f"Resource CREATE failed: {inner}"
    outer = ResourceFailure.of(ResourceFailure.from_reason(reason, "CREATE"), "0")
    group = ResourceFailure.of(ResourceFailure.from_reason(f"Resource CREATE failed: {outer}", "CREATE"), "ioms")
    assert str(group) == (
        "ResourceInError: resources.ioms.resources[0].resources.vm: "
        'Went to status ERROR due to "Message: No valid host was found., Code: 500"'
    )
