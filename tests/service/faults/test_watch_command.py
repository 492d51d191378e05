"""`manage.py watch` as the supervisor runs it: a process of its own, ended by SIGTERM."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.watching import deploy
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.faults.models import Alarm
from vnfm.inventory.models import Vnfc
from vnfm.vims.selectors import connection_of
from vnfm.vims.services import vim_register_from_clouds_yaml

pytestmark = pytest.mark.django_db(transaction=True)
BACKEND = Path(__file__).parents[3] / "backend"


@pytest.fixture
def watch(transactional_db: None, product_env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    env = product_env | {"VNFM_POLL_SECONDS": "0.5"}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "watch"],
        cwd=BACKEND,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    yield process
    if process.poll() is None:
        process.kill()
    process.wait()


def test_a_vim_registered_meanwhile_is_watched_and_sigterm_ends_it_cleanly(
    watch: subprocess.Popen[str], cloudsim: CloudsimProcess
) -> None:
    cloudsim.control("POST", "/reset")
    vim = vim_register_from_clouds_yaml(path=Path(cloudsim.clouds_yaml), name="cloudsim")
    deploy(OpenStackProvider().connect(connection_of(vim)), vim, "iom-1")
    until(lambda: Vnfc.objects.filter(instance__vim__poll_state__servers_at__isnull=False), "the first look")
    server = Vnfc.objects.get().server_id
    cloudsim.control("POST", f"/servers/{server}/stop")
    until(lambda: Alarm.objects.filter(fault_type="VmDown", cleared_at__isnull=True), "the alarm", seconds=30)
    cloudsim.control("POST", f"/servers/{server}/start")
    until(lambda: not Alarm.objects.filter(cleared_at__isnull=True).exists(), "the alarm to clear", seconds=30)
    watch.send_signal(signal.SIGTERM)
    output, _ = watch.communicate(timeout=20)
    assert watch.returncode == 0, output
    assert "watch.started" in output
    assert f"vim_id={vim.id}" in output
    assert "Traceback" not in output
