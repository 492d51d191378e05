"""/api/v1/elements.csv."""

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_site
from tests.support.csv_rows import csv_rows
from vnfm.kit import clock

CSV = "/api/v1/elements.csv"


@pytest.mark.django_db(transaction=True)
def test_csv_has_all_elements_of_the_list(viewer_api: APIClient) -> None:
    now = clock.now()
    seen = {"reachable": "True", "reachable_reason": "Answers", "reachable_since": now, "observed_at": now}
    make_element(name="sr-2", site=make_site(name="Berlin"), chassis_type="=7750", **seen)
    make_element(name="sr-1")

    def rows(**query: str) -> list[dict[str, str]]:
        answer = viewer_api.get(CSV, query)
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv")
        return csv_rows(answer)

    one, other = rows(sort="name")
    assert (one["name"], other["name"], other["siteName"], one["siteName"]) == ("sr-1", "sr-2", "Berlin", "")
    assert (one["reachable"], other["reachable"], other["chassisType"]) == ("Unknown", "True", "'=7750")
    assert [row["name"] for row in rows(filter="(eq,siteName,Berlin)")] == ["sr-2"]
    assert [row["name"] for row in rows(sort="-reachable")] == ["sr-1", "sr-2"]
