"""docker-compose.yml with images built here, from a Debian root where no registry of images can be reached."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

from launcher.ports import free_port
from tests.support.installation import OVER, VIM_TYPE, until

ROOT = Path(__file__).parents[2]
STANDINS = Path(__file__).with_name("standins")
IMAGES = {"base": "python:3.12-slim", "redis": "redis:8", "postgres": "postgres:18", "node": "node:24-slim"}
"""Stage of the stand-ins' Dockerfile → the name that ours and docker-compose.yml ask for."""
NOT_IN_IMAGE = ("./proc/*", "./sys/*", "./dev/*", "./var/cache/apt/archives/*.deb")


def build_standins(debian: Path, context: Path, run: Callable[..., str]) -> None:
    """Images by the names that the Dockerfile begins with; `debian` is a root by debootstrap with python3-venv."""
    tar = ["tar", "-C", str(debian), *(f"--exclude={name}" for name in NOT_IN_IMAGE), "-c", "."]
    with subprocess.Popen(tar, stdout=subprocess.PIPE) as packed:
        run("docker", "import", "-", "base-import", stdin=packed.stdout)
    for name in STANDINS.iterdir():
        shutil.copy(name, context)
    shutil.copy(os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"), context / "ca.crt")
    (context / "site").mkdir()
    for place in (Path("/etc/apt/apt.conf.d"), Path("/etc/apt/sources.list.d")):
        shutil.copytree(place, context / "site" / place.name)
    for stage, image in IMAGES.items():
        run("docker", "build", "--quiet", "--network", "host", "--target", stage, "--tag", image, str(context))


class Stack:
    """One project of Compose, with a client of its API."""

    def __init__(self, project: str, docker_host: str, folder: Path) -> None:
        self.project = project
        self.url = f"http://127.0.0.1:{free_port()}"
        passphrase = folder / "passphrase"
        passphrase.write_text("a passphrase for tests only\n")
        passphrase.chmod(0o644)
        self._env = os.environ | {
            "DOCKER_HOST": docker_host,
            "DOCKER_BUILDKIT": "1",
            "COMPOSE_DOCKER_CLI_BUILD": "1",
            "PATH": f"/usr/bin:{os.environ['PATH']}",  # Debian's client: a later one has no BuildKit without a plugin
            "COMPOSE_PROFILES": "backup",
            "VNFM_BACKUP_DIR": "/backups",
            "VNFM_BACKUP_PASSPHRASE": str(passphrase),
            "VNFM_PORT": self.url.rpartition(":")[2],
            "VNFM_TRAP_LISTEN": "127.0.0.1:0",
        }
        self._session = requests.Session()
        self._session.trust_env = False

    def run(self, *command: str, stdin: Any = subprocess.DEVNULL) -> str:
        done = subprocess.run(
            command, env=self._env, cwd=ROOT, stdin=stdin, capture_output=True, text=True, timeout=1200, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout

    def compose(self, *arguments: str) -> str:
        return self.run("docker-compose", "--project-name", self.project, *arguments)

    def build(self) -> None:
        """Our image, with the network of the host, by which this machine reaches the package registries."""
        self.run(
            "docker", "build", "--quiet", "--network", "host", "--file", "backend/Dockerfile", "--tag", "vnfm", "."
        )

    def up(self, workers: int) -> None:
        self.compose("up", "--detach", "--scale", f"worker={workers}")
        until(lambda: self._answers() or None, 300, "the web answers", every=1.0)
        token = self.compose("exec", "-T", "web", "python", "manage.py", "issue_token", "--username", "admin").split()[
            -1
        ]
        self._session.headers["Authorization"] = f"Bearer {token}"

    def _answers(self) -> bool:
        try:
            return self._session.get(f"{self.url}/healthz", timeout=5).ok
        except requests.RequestException:
            return False

    def request(self, method: str, path: str, body: Any = None) -> requests.Response:
        """Repeated while the web or its database is being started again."""

        def ask() -> requests.Response | None:
            try:
                answer = self._session.request(method, self.url + path.removeprefix(self.url), json=body, timeout=30)
            except requests.RequestException:
                return None
            return None if answer.status_code >= 500 else answer

        answer = until(ask, 180, f"{method} {path} is answered", every=0.5)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer

    def get(self, path: str) -> Any:
        return self.request("GET", path).json()

    def instantiate(self, vnfd_id: str, name: str) -> tuple[str, str]:
        """Id of a new instance, and the path of its operation."""
        body = {"vnfdId": vnfd_id, "vnfInstanceName": name}
        instance = str(self.request("POST", "/vnflcm/v2/vnf_instances", body).json()["id"])
        vim = {"vim1": {"vimId": self.get("/api/v1/vims")[0]["id"], "vimType": VIM_TYPE}}
        body = {"flavourId": "default", "vimConnectionInfo": vim}
        answer = self.request("POST", f"/vnflcm/v2/vnf_instances/{instance}/instantiate", body)
        return instance, "/vnflcm/" + answer.headers["Location"].partition("/vnflcm/")[2]

    def terminate(self, instance: str) -> str:
        path = f"/vnflcm/v2/vnf_instances/{instance}/terminate"
        answer = self.request("POST", path, {"terminationType": "FORCEFUL"})
        return "/vnflcm/" + answer.headers["Location"].partition("/vnflcm/")[2]

    def over(self, operation: str) -> str:
        def look() -> str | None:
            state = str(self.get(operation)["operationState"])
            return state if state in OVER else None

        return until(look, 300, f"{operation} ends", every=0.5)

    def servers(self, name: str) -> int:
        """Return how many VMs of the instance `name` its simulated cloud has."""
        code = (
            "import openstack, sys; c = openstack.connect(cloud='cloudsim'); "
            "print(sum(sys.argv[1] in s.name for s in c.compute.servers()))"
        )
        words = ("-e", "OS_CLIENT_CONFIG_FILE=/cloudsim/clouds.yaml", "cloudsim", "python", "-c", code, name)
        return int(self.compose("exec", "-T", *words).split()[-1])

    def kill(self, service: str) -> None:
        """Kill its first container from outside, as the kernel would; Docker starts it again."""
        container = self.compose("ps", "-q", service).split()[0]
        state = json.loads(self.run("docker", "inspect", container))[0]["State"]
        os.kill(state["Pid"], 9)

        def back() -> bool | None:
            now = json.loads(self.run("docker", "inspect", container))[0]["State"]
            return (now["Running"] and now["Pid"] != state["Pid"]) or None

        until(back, 120, f"{service} runs again", every=0.5)

    def memory_mib(self) -> dict[str, float]:
        """By service, as Docker shows it."""
        units = {"KiB": 1 / 1024, "MiB": 1.0, "GiB": 1024.0}
        rows = self.run("docker", "stats", "--no-stream", "--format", "{{.Name}} {{.MemUsage}}").splitlines()
        found = {}
        for row in rows:
            name, used = row.split()[:2]
            unit = next(unit for unit in units if used.endswith(unit))
            found[name.removeprefix(f"{self.project}_")] = float(used.removesuffix(unit)) * units[unit]
        return found

    def down(self, *flags: str) -> None:
        self.compose("down", "--timeout", "20", *flags)


def wait_started(process: "subprocess.Popen[bytes]", socket: Path) -> None:
    deadline = time.monotonic() + 60
    while not socket.exists():
        assert process.poll() is None, "dockerd ended"
        assert time.monotonic() < deadline, "dockerd does not start"
        time.sleep(0.2)
