"""The product by docker-compose.yml: four workers, the lifecycle, each container killed in the middle of it, data kept.

Needs root, debootstrap, Debian's docker.io and docker-compose 1.29, and package registries: minutes, on request.
"""

import logging
import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.containers.compose_stack import Stack, build_standins, wait_started
from tests.support.installation import until

WORKERS = 4
PRODUCT = "vEPC"
"""No router: nothing in Compose plays one."""
KILLED = ("worker", "beat", "relay", "watch", "elements", "counters", "traps", "web", "db", "broker")
DOUBLED = ("beat=2", "relay=2", "watch=2", "elements=2", "counters=2")
NEEDED = ("debootstrap", "dockerd", "docker-compose")

pytestmark = [
    pytest.mark.containers,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        os.geteuid() != 0 or any(shutil.which(name) is None for name in NEEDED), reason=f"needs root and {NEEDED}"
    ),
]
log = logging.getLogger(__name__)


@pytest.fixture(scope="module")
def docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A daemon of its own, which changes no firewall."""
    folder = tmp_path_factory.mktemp("docker")
    places = {"--data-root": "data", "--exec-root": "exec", "-p": "pid"}
    flags = [word for flag, name in places.items() for word in (flag, str(folder / name))]
    socket = folder / "socket"
    with (folder / "log").open("wb") as output:
        command = ["dockerd", "--iptables=false", "--ip-forward=false", *flags, "-H", f"unix://{socket}"]
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        wait_started(process, socket)
        yield f"unix://{socket}"
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def stack(docker: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("compose")
    stack = Stack("vnfmtest", docker, folder)
    debian, context = folder / "debian", folder / "standins"
    context.mkdir()
    packages = "python3,python3-venv,ca-certificates"
    command = ("debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", debian)
    subprocess.run(command, capture_output=True, check=True, timeout=900)
    build_standins(debian, context, stack.run)
    stack.build()
    try:
        stack.up(WORKERS)
        yield stack
    finally:
        stack.down("--volumes")


def _vnfd(stack: Stack) -> str:
    return next(vnfd["vnfdId"] for vnfd in stack.get("/api/v1/vnfds") if vnfd["productName"] == PRODUCT)


def _through_a_life(stack: Stack, name: str, disturb: str = "") -> None:
    instance, operation = stack.instantiate(_vnfd(stack), name)
    if disturb:
        until(lambda: stack.get(operation)["operationState"] != "STARTING" or None, 120, "it is being processed")
        stack.kill(disturb)
    assert stack.over(operation) == "COMPLETED"
    assert stack.servers(name) > 0
    assert stack.over(stack.terminate(instance)) == "COMPLETED"
    assert stack.servers(name) == 0


def test_an_operation_survives_each_killed_container(stack: Stack) -> None:
    for service in KILLED:
        _through_a_life(stack, f"killed-{service}", service)
        log.info("%s: killed, operation completed", service)
    log.info("memory: %s", stack.memory_mib())


def test_doubles_of_a_role_do_no_harm(stack: Stack) -> None:
    scales = [word for scale in (f"worker={WORKERS}", *DOUBLED) for word in ("--scale", scale)]
    stack.compose("up", "--detach", *scales)
    _through_a_life(stack, "doubled")
    assert len(stack.get("/vnflcm/v2/vnf_instances?filter=(eq,vnfInstanceName,doubled)")) == 1


def test_servers_require_generated_passwords_and_a_default_one_is_replaced(stack: Stack) -> None:
    """The volume is that of a release whose Compose file had a password by default."""
    connect = "import psycopg; psycopg.connect('postgresql://vnfm@db/vnfm', {}).execute({!r})"
    renamed = connect.format("passfile='/secrets/pgpass', autocommit=True", "ALTER ROLE vnfm PASSWORD 'vnfm'")
    stack.compose("exec", "-T", "web", "python", "-c", renamed)
    stack.down()
    stack.up(WORKERS)
    tried = connect.format("password='vnfm'", "SELECT 1") + ".close()"
    ping = "import redis; redis.Redis('broker').ping()"
    for code, refusal in ((tried, "password authentication failed"), (ping, "AuthenticationError")):
        shell = 'python -c "$0" 2>&1 || true'
        assert refusal in stack.compose("exec", "-T", "web", "sh", "-c", shell, code)
    _through_a_life(stack, "renewed")


def test_data_survive_down_and_up_and_are_backed_up(stack: Stack) -> None:
    instance, operation = stack.instantiate(_vnfd(stack), "kept")
    assert stack.over(operation) == "COMPLETED"
    stack.down()
    stack.up(WORKERS)
    assert stack.get(f"/vnflcm/v2/vnf_instances/{instance}")["instantiationState"] == "INSTANTIATED"
    phrase = ("--passphrase-file", "/run/backup-passphrase")
    stack.compose("run", "--rm", "backups", "python", "-m", "recovery", "create", "/backups/one.backup", *phrase)
    checked = stack.compose(
        "run", "--rm", "backups", "python", "-m", "recovery", "check", "/backups/one.backup", *phrase
    )
    assert "is whole" in checked
    assert "keys can be opened" in checked
    assert stack.over(stack.terminate(instance)) == "COMPLETED"
