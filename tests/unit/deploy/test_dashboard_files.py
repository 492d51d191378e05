"""Grafana would show the dashboards as they are meant: what its import checks, without a Grafana.

Which series and labels there are is checked by `tests/service/metrics/test_dashboards.py`.
"""

import json
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

MONITORING = Path(__file__).parents[3] / "backend" / "docs" / "monitoring"
FILES = sorted(MONITORING.glob("grafana-*.json"))
COLUMNS = 24
_VARIABLE = re.compile(r"\$\{?(\w+)")
BUILT_IN = {"__rate_interval", "__interval", "__range"}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def dashboard(request: pytest.FixtureRequest) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(request.param.read_text())
    return read


def test_there_are_dashboards() -> None:
    uids = [json.loads(path.read_text())["uid"] for path in FILES]
    assert len(set(uids)) == len(uids) >= 2


def test_panels_have_ids_and_places_of_their_own(dashboard: dict[str, Any]) -> None:
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [panel["gridPos"] for panel in panels]
    assert all(place["x"] >= 0 and place["x"] + place["w"] <= COLUMNS for place in places)
    assert not [(a, b) for a, b in combinations(places, 2) if _overlap(a, b)]


def _overlap(a: dict[str, int], b: dict[str, int]) -> bool:
    beside = a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
    above = a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]
    return not (beside or above)


def test_every_variable_is_declared(dashboard: dict[str, Any]) -> None:
    declared = {variable["name"] for variable in dashboard["templating"]["list"]}
    used = set(_VARIABLE.findall(json.dumps([dashboard["panels"], dashboard["templating"]])))
    assert used - BUILT_IN <= declared


def test_queries_go_to_the_chosen_data_source(dashboard: dict[str, Any]) -> None:
    for panel in dashboard["panels"]:
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}, panel["title"]
        references = [target["refId"] for target in panel["targets"]]
        assert len(set(references)) == len(references) > 0, panel["title"]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is absent (Debian: prometheus)")
def test_prometheus_parses_every_query(dashboard: dict[str, Any], tmp_path: Path) -> None:
    """As recording rules; variables stand in strings only."""
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    done = subprocess.run(["promtool", "check", "rules", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
