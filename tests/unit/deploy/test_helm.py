"""The Helm chart: linted and rendered by helm, and true to docker-compose.yml."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.yaml_text import load_yaml
from tools.release import VERSIONS, set_version

ROOT = Path(__file__).parents[3]
CHART = ROOT / "backend" / "deploy" / "helm" / "vnfm"
SET = ("--set", "publicUrl=https://vnfm.example", "--set", "backup.passphraseSecret=vnfm-passphrase")
PROCESSES = ("web", "worker", "beat", "relay", "watch", "elements", "counters", "traps")

needs_helm = pytest.mark.skipif(shutil.which("helm") is None, reason="needs helm on PATH")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return load_yaml((ROOT / "docker-compose.yml").read_text())["services"]


def _helm(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["helm", *arguments], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def rendered() -> dict[tuple[str, str], dict[str, Any]]:
    done = _helm("template", "one", str(CHART), *SET)
    assert done.returncode == 0, done.stderr
    objects = [found for found in yaml.safe_load_all(done.stdout) if found]
    return {(found["kind"], found["metadata"]["name"].removeprefix("one-")): found for found in objects}


def _container(deployment: dict[str, Any]) -> dict[str, Any]:
    return deployment["spec"]["template"]["spec"]["containers"][0]


def test_every_process_is_there_once() -> None:
    values = load_yaml((CHART / "values.yaml").read_text())
    assert tuple(values["replicas"]) == PROCESSES
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    chart = load_yaml((CHART / "Chart.yaml").read_text())
    assert version is not None
    assert (chart["version"], chart["appVersion"]) == (version[1], version[1])


def test_a_release_sets_the_version_everywhere(tmp_path: Path) -> None:
    names = [name for name, *_ in VERSIONS]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    set_version("7.8.9", tmp_path)
    chart = load_yaml((tmp_path / "backend/deploy/helm/vnfm/Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"], chart["apiVersion"]) == ("7.8.9", "7.8.9", "v2")
    assert tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["version"] == "7.8.9"
    lock = json.loads((tmp_path / "frontend/package-lock.json").read_text())
    assert (lock["version"], lock["packages"][""]["version"]) == ("7.8.9", "7.8.9")
    before = {name: (ROOT / name).read_text().splitlines() for name in names}
    changed = {
        name: sum(a != b for a, b in zip((tmp_path / name).read_text().splitlines(), before[name], strict=True))
        for name in names
    }
    assert list(changed.values()) == [1, 1, 2, 2], changed


@needs_helm
def test_helm_finds_nothing_to_mend() -> None:
    linted = _helm("lint", "--strict", str(CHART), *SET)
    assert linted.returncode == 0, linted.stdout


@needs_helm
def test_without_an_address_nothing_is_rendered() -> None:
    refused = _helm("template", "one", str(CHART))
    assert refused.returncode != 0
    assert "publicUrl must be the address that browsers see" in refused.stderr


@needs_helm
def test_commands_are_those_of_compose(
    rendered: dict[tuple[str, str], dict[str, Any]], services: dict[str, Any]
) -> None:
    for name in PROCESSES:
        command = _container(rendered["Deployment", name])["command"]
        command = command[: command.index("--grace")] if "--grace" in command else command
        wanted = [word for word in services[name]["command"] if "WEB_PROCESSES" not in word and word != "--workers"]
        assert sorted(command) == sorted(wanted), name


@needs_helm
def test_pods_end_without_a_request_refused_or_a_task_cut_off(
    rendered: dict[tuple[str, str], dict[str, Any]], services: dict[str, Any]
) -> None:
    pods = {name: rendered["Deployment", name]["spec"]["template"]["spec"] for name in PROCESSES}
    seconds = {name: pod["terminationGracePeriodSeconds"] for name, pod in pods.items()}
    assert seconds == dict.fromkeys(PROCESSES, 30) | {"web": 20, "worker": 60}
    assert services["worker"]["stop_grace_period"] == f"{seconds['worker']}s"
    hooks = {
        name: pod["containers"][0]["lifecycle"] for name, pod in pods.items() if "lifecycle" in pod["containers"][0]
    }
    assert hooks == {"web": {"preStop": {"exec": {"command": ["sleep", "5"]}}}}
    web = pods["web"]["containers"][0]["command"]
    drain, answers = 5, int(web[web.index("--grace") + 1])
    assert drain + answers < seconds["web"], "it ends by itself"


@needs_helm
def test_compose_has_the_same_settings(
    rendered: dict[tuple[str, str], dict[str, Any]], services: dict[str, Any]
) -> None:
    names = {variable["name"] for variable in _container(rendered["Deployment", "worker"])["env"]}
    assert names <= set(services["worker"]["environment"])


@needs_helm
def test_pods_have_no_more_rights_than_they_need(rendered: dict[tuple[str, str], dict[str, Any]]) -> None:
    pods = [found["spec"]["template"]["spec"] for (kind, _), found in rendered.items() if kind in ("Deployment", "Job")]
    assert len(pods) == len(PROCESSES) + 2
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"]
            assert not security["allowPrivilegeEscalation"]
            assert security["capabilities"] == {"drop": ["ALL"]}


@needs_helm
def test_mounts_services_and_claims_fit(rendered: dict[tuple[str, str], dict[str, Any]]) -> None:
    claims = {name for kind, name in rendered if kind == "PersistentVolumeClaim"}
    for (kind, _), found in rendered.items():
        if kind in ("Deployment", "Job"):
            pod = found["spec"]["template"]["spec"]
            volumes = {volume["name"]: volume for volume in pod["volumes"]}
            mounts = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
            assert mounts <= set(volumes)
            used = [v["persistentVolumeClaim"]["claimName"] for v in volumes.values() if "persistentVolumeClaim" in v]
            assert {name.removeprefix("one-") for name in used} <= claims
    for name in ("web", "traps"):
        service = rendered["Service", name]["spec"]
        labels = rendered["Deployment", name]["spec"]["template"]["metadata"]["labels"]
        assert service["selector"].items() <= labels.items()
        ports = {port["name"] for port in _container(rendered["Deployment", name])["ports"]}
        assert {port["targetPort"] for port in service["ports"]} <= ports


DIGEST = "sha256:" + "0" * 64


@needs_helm
@pytest.mark.parametrize(
    ("given", "image"),
    [((), None), (("image.tag=9.8.7",), "vnfm:9.8.7"), ((f"image.digest={DIGEST}",), f"vnfm@{DIGEST}")],
)
def test_the_image_is_a_version_or_a_digest(given: tuple[str, ...], image: str | None) -> None:
    done = _helm("template", "one", str(CHART), *SET, *(part for each in given for part in ("--set", each)))
    assert done.returncode == 0, done.stderr
    version = load_yaml((CHART / "Chart.yaml").read_text())["appVersion"]
    assert set(re.findall(r"image: (.*)", done.stdout)) == {f'"{image or f"vnfm:{version}"}"'}


@needs_helm
@pytest.mark.parametrize("given", ["image.tag=latest", "image.digest=sha256:12"])
def test_an_image_that_may_become_another_is_refused(given: str) -> None:
    assert "must" in _helm("template", "one", str(CHART), *SET, "--set", given).stderr


@needs_helm
def test_pods_take_connections_to_the_web_and_traps_only(rendered: dict[tuple[str, str], dict[str, Any]]) -> None:
    policies = {name: found["spec"] for (kind, name), found in rendered.items() if kind == "NetworkPolicy"}
    assert policies.keys() == {"pods", "web", "traps"}
    assert (policies["pods"]["ingress"], policies["pods"]["policyTypes"]) == ([], ["Ingress", "Egress"])
    assert "169.254.0.0/16" in policies["pods"]["egress"][0]["to"][0]["ipBlock"]["except"]
    assert policies["traps"]["ingress"] == [{"ports": [{"port": "traps", "protocol": "UDP"}]}]


def test_the_chart_names_no_image_that_changes() -> None:
    values = load_yaml((CHART / "values.yaml").read_text())
    assert values["image"]["tag"] == "", "the chart's version"
    assert "latest" not in {line.partition("#")[0].strip() for line in (CHART / "values.yaml").read_text().splitlines()}
