"""Real processes beat by the work that they do, into their file and their row; a stopped one does so no more."""

import signal
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from tests.chaos.clock import Clock
from tests.support.installation import until
from tests.support.product import running, web_process, worker_of
from vnfm.kit.durable.heartbeat import BEAT_SECONDS
from vnfm.kit.models import ProcessHeartbeat

pytestmark = [pytest.mark.django_db(transaction=True)]

COMMANDS = {
    "worker": worker_of(2),
    "relay": ("manage.py", "relay"),
    "watch": ("manage.py", "watch"),
    "elements": ("manage.py", "elements"),
    "counters": ("manage.py", "counters"),
    "traps": ("manage.py", "traps"),
}
SECONDS = 90.0


def _beat_of(name: str) -> ProcessHeartbeat | None:
    return ProcessHeartbeat.objects.filter(name=name).first()


def _beat_at_work(name: str) -> ProcessHeartbeat | None:
    """Once it waits for nothing: the first may say that it connects to the broker."""
    return ProcessHeartbeat.objects.filter(name=name, waiting_for="").first()


def _next_beat(name: str, after: ProcessHeartbeat) -> bool | None:
    row = _beat_of(name)
    return (row is not None and row.at > after.at) or None


def test_every_process_beats_again_and_again(product_env: dict[str, str], tmp_path: Path) -> None:
    env = product_env | {"VNFM_HEARTBEAT_DIR": str(tmp_path), "VNFM_TRAP_LISTEN": "127.0.0.1:0"}
    with ExitStack() as stack:
        processes = {name: stack.enter_context(running(*command, env=env)) for name, command in COMMANDS.items()}
        processes["beat"] = stack.enter_context(running("manage.py", "beat", env=env))
        _, processes["web"] = stack.enter_context(web_process(env))
        for name, process in processes.items():
            first = until(lambda name=name: _beat_at_work(name), SECONDS, f"{name} beats")
            assert first.pid == process.popen.pid
            assert (tmp_path / f"{name}.{process.popen.pid}").exists()
            until(lambda name=name, first=first: _next_beat(name, first), SECONDS, f"{name} beats again")


def test_a_stopped_worker_beats_no_more_until_it_goes_on(product_env: dict[str, str]) -> None:
    """The relay next to it beats three times while it waits, so that the worker had the time to."""
    with running(*COMMANDS["worker"], env=product_env) as worker, running(*COMMANDS["relay"], env=product_env):
        until(lambda: _beat_of("worker"), SECONDS, "the worker beats")
        worker.popen.send_signal(signal.SIGSTOP)
        last = until(lambda: _beat_of("worker"), SECONDS, "the last beat")
        for _ in range(3):
            before = until(lambda: _beat_of("relay"), SECONDS, "the relay beats")
            until(lambda before=before: _next_beat("relay", before), SECONDS, "the relay beats again")
        now = ProcessHeartbeat.objects.get(name="worker").at
        assert (now - last.at).total_seconds() < BEAT_SECONDS, "at most one beat was under way"
        worker.popen.send_signal(signal.SIGCONT)
        until(lambda: _next_beat("worker", last), SECONDS, "the worker beats again")


START_WITHOUT_DATABASE = """
import django
django.setup()
from datetime import timedelta
from django.db import connections
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat

database = connections["default"].settings_dict
host, database["HOST"] = database["HOST"], "/nonexistent"
heartbeat.register("relay")
connections.close_all()
assert abs(clock.machine() - clock.now()) < timedelta(minutes=1)
connections["default"].close_pool()
database["HOST"] = host
connections["default"].ensure_connection()
print("ahead", round((clock.machine() - clock.now()) / timedelta(hours=1)))
connections["default"].close_pool()
"""


def test_a_process_that_starts_without_the_database_goes_by_its_clock_from_the_first_connection(
    product_env: dict[str, str], tmp_path: Path
) -> None:
    clock = Clock(tmp_path)
    if not clock.is_real:
        pytest.skip("no C compiler")
    clock.set(3600)
    env = product_env | clock.environment | {"DJANGO_SETTINGS_MODULE": "vnfm.config.settings"}
    with running("-c", START_WITHOUT_DATABASE, env=env) as process:
        process.expect("ahead 1")


def test_a_process_goes_by_the_clock_of_the_database_and_says_how_wrong_its_own_is(
    product_env: dict[str, str], tmp_path: Path
) -> None:
    clock = Clock(tmp_path)
    if not clock.is_real:
        pytest.skip("no C compiler")
    clock.set(3600)
    with running(*COMMANDS["relay"], env=product_env | clock.environment):
        row = until(lambda: _beat_of("relay"), SECONDS, "the relay beats")
    assert row.clock_ahead is not None
    assert abs(row.clock_ahead - timedelta(hours=1)) < timedelta(minutes=1)
    assert row.started_at <= row.at
