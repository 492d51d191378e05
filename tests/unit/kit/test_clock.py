"""The clock that no step of the machine's clock moves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.clock import Clock

SCRIPT = """
import os, struct
from datetime import timedelta
from vnfm.kit import clock

def set_forward(hours):
    with open(os.environ["CLOCK_STEP_FILE"], "r+b") as file:
        file.write(struct.pack("l", hours * 3600))

hour, before = timedelta(hours=1), clock.now()
with clock.steady():
    set_forward(1)
    inside = clock.now()
    with clock.steady():
        nested = clock.now()
assert before <= inside <= nested < before + hour / 2, (before, inside, nested)
assert clock.now() - before >= hour
"""


def test_a_step_of_the_clock_shows_only_after_the_block(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    if not clock.is_real:
        pytest.skip("no C compiler")
    backend = Path(__file__).parents[3] / "backend"
    environment = {**os.environ, **clock.environment, "DATABASE_URL": "none", "PYTHONPATH": str(backend)}
    subprocess.run([sys.executable, "-c", SCRIPT], env=environment, check=True, timeout=60)
