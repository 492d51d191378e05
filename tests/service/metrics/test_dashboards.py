"""Alert rules and dashboards are true to what /metrics serves, and Debian's Prometheus takes them."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml

from tests.factories.accounts import make_user
from tests.support.installation import until
from tests.support.product import web
from tests.support.routersim_process import free_udp_port
from tests.support.yaml_text import load_yaml
from vnfm.accounts.tokens import token_issue
from vnfm.config.metrics.element_series import ElementSelection, element_series
from vnfm.config.metrics.manager_series import manager_series
from vnfm.metrics import store

ROOT = Path(__file__).parents[3]
MONITORING = ROOT / "backend" / "docs" / "monitoring"
ALERTS = load_yaml((MONITORING / "alerts.yml").read_text())
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
DASHBOARDS = sorted(MONITORING.glob("grafana-*.json"))
_NAME = re.compile(r"\bvnfm_[a-z_]+")
_SELECTOR = re.compile(r"\b(vnfm_[a-z_]+)\{([^}]*)\}")
_LABEL = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)")

needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is absent (Debian: prometheus)")


@pytest.fixture
def families(telemetry: object) -> dict[str, set[str]]:
    """Names of all series that we may serve, with their labels."""
    found: dict[str, set[str]] = {}
    for family in [*manager_series(), *element_series(ElementSelection(interfaces="all"))]:
        suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(family.type, ("",))
        for suffix in suffixes:
            found[family.name + suffix] = {*family._labelnames, "le"}
    return found


def _expressions() -> Iterator[tuple[str, str]]:
    for rule in RULES:
        yield rule["alert"], rule["expr"]
    for path in DASHBOARDS:
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel["targets"]:
                yield f"{path.name}: {panel['title']}", target["expr"]


def test_every_series_and_label_of_rules_and_dashboards_exists(families: dict[str, set[str]]) -> None:
    expressions = list(_expressions())
    assert len(expressions) > 40
    unknown = {(where, name) for where, text in expressions for name in _NAME.findall(text) if name not in families}
    assert unknown == set()
    labels = {
        (where, name, label)
        for where, text in expressions
        for name, inside in _SELECTOR.findall(text)
        for label in _LABEL.findall(inside)
        if label not in families[name]
    }
    assert labels == set()


def test_every_alert_has_a_runbook_that_names_it() -> None:
    for rule in RULES:
        runbook = ROOT / rule["annotations"]["runbook"]
        assert runbook.exists(), runbook
        text = runbook.read_text()
        assert rule["alert"] in text or f"Manager{rule['alert'].removeprefix('Vnfm')}" in text, rule["alert"]


def test_every_alert_has_a_test() -> None:
    tests = load_yaml((MONITORING / "alerts.test.yml").read_text())["tests"]
    assert {row["alertname"] for test in tests for row in test["alert_rule_test"]} == {row["alert"] for row in RULES}


@needs_promtool
@pytest.mark.parametrize("words", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts.test.yml")])
def test_promtool_accepts_the_rules(words: tuple[str, ...]) -> None:
    done = subprocess.run(["promtool", *words], cwd=MONITORING, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def prometheus(product_env: dict[str, str], transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """A real Prometheus with our example of a configuration, reading a real web process; its URL."""
    _, secret = token_issue(user=make_user(role="viewer"), name="prometheus")
    (tmp_path / "token").write_text(secret)
    config = load_yaml((MONITORING / "prometheus.yml").read_text())
    config["global"]["scrape_interval"] = "1s"
    config["rule_files"] = [str(MONITORING / "alerts.yml")]
    port = free_udp_port()
    with web(product_env) as url:
        for job in config["scrape_configs"]:
            job |= {"scheme": "http", "static_configs": [{"targets": [url.removeprefix("http://")]}]}
            job |= {"scrape_interval": "1s", "scrape_timeout": "1s"}
            job["authorization"]["credentials_file"] = str(tmp_path / "token")
        (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(config))
        flags = (f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data")
        command = ["prometheus", *flags, f"--web.listen-address=127.0.0.1:{port}"]
        with (tmp_path / "log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="Prometheus is absent (Debian: prometheus)")
@pytest.mark.django_db(transaction=True)
def test_prometheus_reads_us_and_evaluates_every_rule(prometheus: str) -> None:
    def query(path: str) -> Any:
        try:
            return requests.get(prometheus + path, timeout=5).json()["data"]
        except (requests.RequestException, ValueError, KeyError):
            return None

    def up() -> bool | None:
        found = query("/api/v1/query?query=up") or {"result": []}
        return {row["metric"]["job"]: row["value"][1] for row in found["result"]} == {
            "vnfm": "1",
            "vnfm-elements": "1",
        } or None

    until(up, 60, "both jobs are up")

    def counted() -> bool | None:
        found = query("/api/v1/query?query=vnfm_http_requests_total{route='metrics',status='200'}") or {"result": []}
        return bool(found["result"]) or None

    until(counted, 60, f"our own scrapes are counted within {store.FLUSH_SECONDS:.0f} s")

    def evaluated() -> list[dict[str, Any]] | None:
        groups = (query("/api/v1/rules") or {"groups": []})["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        return rules if rules and all(rule["health"] != "unknown" for rule in rules) else None

    rules = until(evaluated, 90, "all rules are evaluated")
    assert {rule["name"] for rule in rules if rule["health"] == "ok"} == {rule["alert"] for rule in RULES}
