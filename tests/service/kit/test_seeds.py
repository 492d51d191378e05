"""Requests from which something once broke, kept in seeds.yaml; and random ones of the same kinds."""

import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.yaml_text import load_yaml

SEEDS: list[dict[str, Any]] = load_yaml(Path(__file__).with_name("seeds.yaml").read_text())
LISTS = (
    "/api/v1/alarms",
    "/api/v1/audit",
    "/api/v1/elements",
    "/api/v1/vims",
    "/vnffm/v1/alarms",
    "/vnflcm/v2/vnf_instances",
    "/vnflcm/v2/vnf_lcm_op_occs",
    "/vnfpkgm/v1/vnf_packages",
)
ATTRIBUTES = (
    "id",
    "name",
    "state",
    "vnfInstanceName",
    "operationState",
    "alarmRaisedTime",
    "startTime",
    "at",
    "_links",
)
VALUES = st.sampled_from(["", "'", "''", "'a'", "-1", "1e400", "true", "NaN", "9999-12-31T24:00:00Z", "()", ";", "\\"])
WORDS = st.text(max_size=8) | VALUES | st.sampled_from(ATTRIBUTES)
OPERATORS = st.sampled_from(["eq", "neq", "in", "nin", "gt", "gte", "lt", "lte", "cont", "ncont", "EQ", ""])
ENTRIES = st.builds("({},{},{})".format, OPERATORS, st.sampled_from(ATTRIBUTES) | WORDS, st.lists(WORDS).map(",".join))
FILTERS = st.lists(ENTRIES, max_size=3).map(";".join) | WORDS
SELECTORS = st.lists(WORDS, max_size=3).map(",".join)
MARKED = st.lists(st.none() | st.booleans() | st.integers() | st.text(max_size=5), max_size=3)
MARKERS = MARKED.map(lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).decode()) | WORDS
QUERIES = st.fixed_dictionaries(
    {},
    optional={
        "filter": FILTERS,
        "nextpage_opaque_marker": MARKERS,
        "sort": WORDS,
        "fields": SELECTORS,
        "exclude_fields": SELECTORS,
    },
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", SEEDS, ids=[seed["why"].replace(" ", "-") for seed in SEEDS])
def test_regressions_of_malformed_requests(api, seed: dict[str, Any]) -> None:
    body = "[" * seed["nested"] + "]" * seed["nested"] if "nested" in seed else seed.get("body", "")
    answer = api.generic(seed.get("method", "GET"), seed["path"], body, content_type="application/json")
    assert answer.status_code == seed["status"], answer.content
    assert answer.json()["detail"]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(LISTS), QUERIES)
def test_any_query_gets_a_list_or_is_refused(api, path: str, query: dict[str, str]) -> None:
    encoded = "&".join(f"{name}={quote(value.encode(errors='surrogatepass'))}" for name, value in query.items())
    answer = api.generic("GET", f"{path}?{encoded}")
    assert answer.status_code in {200, 400}, (query, answer.content)
