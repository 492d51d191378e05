"""The clock that no step of the machine's clock moves, and that of the database."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.clock import Clock

BEGIN = """
import os, struct, time
from datetime import timedelta
from vnfm.kit import clock

def set_forward(hours):
    with open(os.environ["CLOCK_STEP_FILE"], "r+b") as file:
        file.write(struct.pack("l", hours * 3600))
"""
STEADY = """
hour, before = timedelta(hours=1), clock.now()
with clock.steady():
    set_forward(1)
    inside = clock.now()
    with clock.steady():
        nested = clock.now()
assert before <= inside <= nested < before + hour / 2, (before, inside, nested)
assert clock.now() - before >= hour
"""
FOLLOW = """
hour, minute, begun = timedelta(hours=1), timedelta(minutes=1), clock.now()
clock.follow(begun + hour, time.monotonic())
assert hour <= clock.now() - begun < hour + minute
set_forward(2)
assert hour <= clock.now() - begun < hour + minute, "only the machine's clock was set"
before = clock.now()
clock.follow(before - minute, time.monotonic() - 120)
assert before <= clock.now() < before + minute, "a slow answer, which may be of any of two minutes, moves nothing"
clock.follow(before - hour, time.monotonic())
assert before - hour <= clock.now() < before - hour + minute, "the database's clock was set back"
"""


@pytest.mark.parametrize("script", [STEADY, FOLLOW], ids=["steady", "follow"])
def test_a_step_of_the_machines_clock_does_not_show(tmp_path: Path, script: str) -> None:
    clock = Clock(tmp_path)
    if not clock.is_real:
        pytest.skip("no C compiler")
    backend = Path(__file__).parents[3] / "backend"
    environment = {**os.environ, **clock.environment, "DATABASE_URL": "none", "PYTHONPATH": str(backend)}
    subprocess.run([sys.executable, "-c", BEGIN + script], env=environment, check=True, timeout=60)
