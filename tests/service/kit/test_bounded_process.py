"""A process for what may take too long: its limits, and that the interpreter of the caller goes on."""

import operator
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.waiting import until
from vnfm.kit.bounded_process import (
    MAX_ANSWER_BYTES,
    BoundedProcesses,
    ProcessDiedError,
    ResultTooLargeError,
    TimeOverError,
    UnpicklableResultError,
)

PATIENCE = 60.0
BACKTRACKING = ("(a+)+$", "a" * 40 + "!")
"""Would take hours, in C, without letting another thread of its interpreter run."""


@pytest.fixture(scope="module")
def processes():
    return BoundedProcesses("operator", visible=["DEBUG"])


def test_values_and_errors_of_the_function_come_back(processes):
    assert processes.call(PATIENCE, operator.add, 1, 2) == 3
    with pytest.raises(ZeroDivisionError):
        processes.call(PATIENCE, operator.truediv, 1, 0)


def test_calls_share_a_process_that_is_not_ours(processes):
    first, second = (processes.call(PATIENCE, os.getpid) for _ in range(2))
    assert first == second != os.getpid()


def test_what_takes_too_long_is_ended_and_the_next_call_works(processes):
    before = processes.call(PATIENCE, os.getpid)
    started, cpu = time.monotonic(), time.process_time()
    with pytest.raises(TimeOverError):
        processes.call(0.5, re.match, *BACKTRACKING)
    assert time.monotonic() - started < PATIENCE
    assert time.process_time() - cpu < 0.4, "the caller only waits"
    assert not Path(f"/proc/{before}").exists()
    assert processes.call(PATIENCE, os.getpid) != before


def test_one_that_does_not_heed_its_alarm_is_killed(monkeypatch, processes):
    from vnfm.kit import bounded_process

    monkeypatch.setattr(bounded_process, "GRACE_SECONDS", 0.2)
    pid = processes.call(PATIENCE, os.getpid)
    processes.call(PATIENCE, signal.signal, signal.SIGALRM, signal.SIG_IGN)
    with pytest.raises(TimeOverError):
        processes.call(0.2, time.sleep, PATIENCE)
    assert not Path(f"/proc/{pid}").exists()


def test_a_process_that_dies_is_reported(processes):
    with pytest.raises(ProcessDiedError, match="ended its process with code 7"):
        processes.call(PATIENCE, os._exit, 7)
    assert processes.call(PATIENCE, operator.add, 1, 2) == 3


def test_a_call_that_ends_a_process_of_earlier_calls_runs_once(processes, tmp_path):
    """A second process would be killed as the first one was."""
    script = tmp_path / "hostile.sh"
    script.write_text("echo called >>calls\nkill -9 $PPID\n")
    processes.call(PATIENCE, os.chdir, tmp_path)
    with pytest.raises(ProcessDiedError, match="with code -9"):
        processes.call(PATIENCE, os.system, f"exec sh {script}")
    assert (tmp_path / "calls").read_text() == "called\n"


def test_an_answer_is_bounded(processes):
    with pytest.raises(ResultTooLargeError, match=f"{MAX_ANSWER_BYTES} are allowed"):
        processes.call(PATIENCE, bytes, MAX_ANSWER_BYTES)
    assert processes.call(PATIENCE, len, bytes(1000)) == 1000


def test_an_answer_that_is_larger_than_agreed_is_not_read(processes):
    """A hostile file may have taken the process over."""
    descriptors = Path(f"/proc/{processes.call(PATIENCE, os.getpid)}/fd").iterdir()
    (socket,) = (each.name for each in descriptors if str(each.readlink()).startswith("socket:"))
    header = (MAX_ANSWER_BYTES + 1).to_bytes(4, "big")
    with pytest.raises(ProcessDiedError):
        processes.call(PATIENCE, os.write, int(socket), header)
    assert processes.call(PATIENCE, operator.add, 1, 2) == 3


def test_an_answer_that_cannot_be_sent_is_an_error(processes):
    with pytest.raises(UnpicklableResultError, match="The answer of memoryview cannot be sent between processes: "):
        processes.call(PATIENCE, memoryview, b"")
    assert processes.call(PATIENCE, operator.add, 1, 2) == 3


def test_memory_is_limited(processes):
    with pytest.raises(MemoryError):
        processes.call(PATIENCE, bytearray, 2 * 1024**3)


def test_a_process_that_ended_while_idle_is_replaced(processes):
    pid = processes.call(PATIENCE, os.getpid)
    os.kill(pid, signal.SIGKILL)
    assert processes.call(PATIENCE, operator.add, 1, 2) == 3


def test_it_has_nothing_of_our_environment(processes, monkeypatch):
    monkeypatch.setenv("VNFM_SECRET_KEY_FILE", "/run/secrets/key")
    fresh = BoundedProcesses("operator")
    assert fresh.call(PATIENCE, os.getenv, "VNFM_SECRET_KEY_FILE") is None


def test_it_ends_with_the_process_that_started_it(tmp_path):
    lines = [
        "import os, django.conf",
        "django.conf.settings.configure()",
        "from vnfm.kit.bounded_process import BoundedProcesses",
        "print(BoundedProcesses('operator').call(60.0, os.getpid), flush=True)",
        "os.kill(os.getpid(), 9)",
    ]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "backend")}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    pid = int(done.stdout)
    until(lambda: not Path(f"/proc/{pid}").exists(), f"process {pid} to end")
