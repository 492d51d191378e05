"""Sources of VNF indicators: three places name them, and must agree."""

import json
from pathlib import Path

from vnfm.catalog.domain.indicators import METRICS, OBSERVED, SOURCES, read_indicators, valid_id
from vnfm.sol003_pm.domain import metrics
from vnfm.sol003_pm.domain.metrics import MeasuredType

SCHEMA = Path(__file__).parents[3] / "catalog/schema/vnfd.schema.json"


def test_metrics_are_those_that_are_measured_of_a_vnf() -> None:
    types = (MeasuredType.VNF, MeasuredType.INT_CP, MeasuredType.EXT_CP)
    assert set(METRICS) == {metric.name for each in types for metric in metrics.METRICS[each]}


def test_the_schema_has_all_sources() -> None:
    indicator = json.loads(SCHEMA.read_text())["$defs"]["indicator"]
    assert indicator["properties"]["source"]["enum"] == list(SOURCES)


def test_a_vnfd_without_indicators_has_what_is_observed() -> None:
    assert read_indicators({}) == OBSERVED
    assert len(read_indicators({"element": {}})) == len(OBSERVED) + 2
    (declared,) = read_indicators({"indicators": [{"id": "sessions"}]})
    assert (declared.id, declared.name, declared.source) == ("sessions", "", "")


def test_an_id_is_one_segment_of_a_url() -> None:
    assert valid_id("sessions")
    assert not any(map(valid_id, ("", "a/b", "a\nb", "x" * 201)))
