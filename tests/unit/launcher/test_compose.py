"""Compose file and Dockerfile: what Compose v1 and v2 both read, and true to the processes that `up` runs."""

import re
from pathlib import Path
from typing import Any

import pytest

from launcher.cloud import Cloud
from launcher.layout import Checkout, Instance
from launcher.product import Endpoints, Product
from tests.support.yaml_text import load_yaml

ROOT = Path(__file__).parents[3]
OURS = {
    "secrets",
    "migrate",
    "backups",
    "web",
    "worker",
    "beat",
    "relay",
    "watch",
    "elements",
    "counters",
    "traps",
    "cloudsim",
}
UNKNOWN_TO_V1 = {"name", "develop", "include"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return load_yaml((ROOT / "docker-compose.yml").read_text())


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, Any]:
    return compose["services"]


def test_all_processes_are_there(services: dict[str, Any]) -> None:
    assert set(services) == {"db", "broker", *OURS}


def test_both_generations_of_compose_read_each_key(compose: dict[str, Any]) -> None:
    assert not UNKNOWN_TO_V1 & set(compose)
    assert all(not UNKNOWN_TO_V1 & set(service) for service in compose["services"].values())
    assert {key for key in compose if not key.startswith("x-")} == {"services", "networks", "volumes"}


def test_images_can_be_replaced_by_variables(services: dict[str, Any]) -> None:
    assert all(re.fullmatch(r"\$\{[A-Z_]+:-[a-z0-9:.-]+\}", service["image"]) for service in services.values())


def test_the_worker_scales(services: dict[str, Any]) -> None:
    assert not {"container_name", "ports", "hostname"} & set(services["worker"])


def test_only_web_and_traps_are_published_by_default_on_loopback(
    services: dict[str, Any],
) -> None:
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert list(published) == ["web", "traps"]
    assert all(port.startswith("127.0.0.1:") for port in published["web"])
    assert published["traps"] == ["${VNFM_TRAP_LISTEN:-127.0.0.1:9162}:9162/udp"]


def test_no_password_is_in_the_file_and_every_service_has_a_limit_of_memory(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert re.fullmatch(r"\$\{VNFM_[A-Z_]*MEMORY:-\w+\}", service["mem_limit"]), name
        for variable, value in service.get("environment", {}).items():
            assert "PASSWORD" not in variable or re.fullmatch(r"/secrets/[a-z-]+|\$\{\w+:-\}", value), (name, variable)
            assert not re.search(r"//[^/@]*:[^@]*@", value), (name, variable)
    for name in ("db", "broker"):
        assert services[name]["depends_on"] == {"secrets": {"condition": "service_completed_successfully"}}


def test_only_what_makes_passwords_and_what_renews_them_may_write_them(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "secrets:/secrets" in service.get("volumes", ())} == {
        "secrets",
        "migrate",
    }


def test_the_trap_receiver_has_a_fixed_host_name(services: dict[str, Any]) -> None:
    """Its row is stored under the host name, and each new container has another."""
    assert services["traps"]["hostname"] == "traps"


def test_nothing_of_ours_starts_before_the_schema_is_there(services: dict[str, Any]) -> None:
    for name in OURS - {"secrets", "migrate", "cloudsim"}:
        assert services[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    waits_for = {name: wait["condition"] for name, wait in services["migrate"]["depends_on"].items()}
    assert waits_for == dict.fromkeys(("db", "broker", "cloudsim"), "service_healthy")
    assert all("healthcheck" in services[name] for name in waits_for)


def test_every_service_has_a_health_check(services: dict[str, Any]) -> None:
    once_or_timed = {"secrets", "migrate", "backups"}
    assert {name for name, service in services.items() if "healthcheck" not in service} == once_or_timed
    for name in OURS - once_or_timed - {"web", "cloudsim"}:
        assert services[name]["healthcheck"]["test"] == ["CMD", "python", "-m", "launcher.heartbeats", name]


def test_the_processes_get_the_launchers_settings(services: dict[str, Any], tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    product = Product(Checkout(ROOT), instance)
    cloud = Cloud(tmp_path / "clouds.yaml", "mine", simulated=False)
    local = "http://127.0.0.1:1"
    env = product.environment(Endpoints(local, local, "postgresql://db", "redis://broker", cloud))
    given = {name for name in env if name.startswith("VNFM_") or name in ("DATABASE_URL", "REDIS_URL")}
    given -= {"VNFM_TEST_CLOUD", "VNFM_TEST_CLOUDS_YAML", "VNFM_SCREENSHOTS"}  # the tests' own
    given -= {"VNFM_LOCAL_URL"}  # a container's programs reach the web as localhost
    given = given - {"REDIS_URL"} | {"REDIS_URL_FILE"}  # as it holds a password
    assert given <= set(services["web"]["environment"])
    assert services["web"]["command"][:3] == ["python", "-m", "vnfm.config.serve"]
    for service in product.background(env):
        flags = {word for word in service.command if word.startswith("--")}
        assert flags <= set(services[service.name]["command"]), service.name


def test_every_named_volume_and_network_is_declared(compose: dict[str, Any], services: dict[str, Any]) -> None:
    mounts = [mount for service in services.values() for mount in service.get("volumes", [])]
    named = [re.sub(r"^\$\{VNFM_BACKUPS:-(\w+)\}", r"\1", mount) for mount in mounts]
    passphrase = "${VNFM_BACKUP_PASSPHRASE:-/dev/null}:/run/backup-passphrase:ro"
    volumes = {mount.split(":")[0] for mount in named if mount != passphrase}
    networks = {network for service in services.values() for network in service["networks"]}
    assert volumes == set(compose["volumes"])
    assert networks == set(compose["networks"])


def test_the_image_has_no_node_and_no_root() -> None:
    text = (ROOT / "backend" / "Dockerfile").read_text()
    last_stage = text[text.rindex("\nFROM ") :]
    assert "PYTHON_IMAGE" in last_stage.splitlines()[1]
    assert "\nUSER vnfm\n" in last_stage
    assert "npm" not in last_stage
    assert "# syntax" not in text, "would be fetched from a registry before anything else"


def test_files_that_the_image_copies_are_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "backend" / "Dockerfile").read_text(), re.MULTILINE)
    assert {source.split("/")[0] for line in copied for source in line.split()} <= allowed
