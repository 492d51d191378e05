"""The image that all processes are forked from (ADR-0052) has nothing in it that only upgrades use."""

import subprocess
import sys
from pathlib import Path

from launcher.product import PRELOAD, SIMULATORS, WARM_UP

BACKEND = Path(__file__).parents[2] / "backend"
IMAGE = ", ".join((PRELOAD, *SIMULATORS, WARM_UP))
LOADED = f"""
import sys, threading, {IMAGE}
assert threading.active_count() == 1, threading.enumerate()
print(*{{name.partition(".")[0] for name in sys.modules}})
"""


def test_the_image_has_no_sqlalchemy_and_no_threads() -> None:
    """It describes the history's tables to Alembic (ADR-0003); processes that write and read them speak SQL."""
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=BACKEND, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"django", "celery", "psycopg_pool", "vnfm"} <= loaded
    assert loaded & {"sqlalchemy", "alembic", "mako"} == set()
