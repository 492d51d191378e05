"""These belong to no context: health, the UI's pages, headers, and unknown paths."""

import base64
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.support.yaml_text import openapi

pytestmark = pytest.mark.django_db
HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9"}


@pytest.fixture
def ui() -> Path:
    """A built UI, as small as can be."""
    folder = Path(settings.UI_DIR)
    (folder / "index.html").write_text("<!doctype html><title>VNF manager</title>")
    yield folder
    (folder / "index.html").unlink()


def test_healthy_is_when_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("path", ["/", "/instances", "/instances/0f/operations"])
def test_every_address_of_the_ui_gives_its_page_and_may_not_be_cached(client: Client, ui: Path, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/html")
    assert answer["Cache-Control"] == "no-cache"
    assert b"VNF manager" in answer.content


def test_a_ui_that_is_not_built_says_so_in_a_sentence(client: Client) -> None:
    answer = client.get("/", headers=HTML)
    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert "not built" in answer.content.decode()


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/api/v1/nothing", HTML),
        ("GET", "/vnflcm/v2/nothing", HTML),
        ("POST", "/vnflcm/v9/vnf_instances", {}),
        ("POST", "/instances", HTML),
        ("GET", "/assets/gone-12345678.js", {"Accept": "*/*"}),
    ],
)
def test_unknown_paths_are_a_404_problem(client: Client, ui: Path, method: str, path: str, headers: dict) -> None:
    answer = client.generic(method, path, headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert path in answer.json()["detail"]


def test_a_foreign_host_name_is_a_problem_too(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/healthz", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")
    (record,) = (each for each in caplog.records if each.name == "django.security.DisallowedHost")
    assert (record.levelname, record.exc_info) == ("WARNING", None), "one line"


def test_an_error_of_ours_is_a_problem_and_keeps_its_words_to_itself(rf) -> None:
    from django.urls import get_resolver

    answer = get_resolver().resolve_error_handler(500)(rf.get("/"))
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/session", "/", "/nothing"])
def test_every_answer_carries_policy_and_request_id(client: Client, path: str) -> None:
    answer = client.get(path, headers={"X-Request-ID": "from-outside_1.2"})
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Request-ID"] == "from-outside_1.2"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"


def test_no_script_runs_but_from_files_of_ours(client: Client) -> None:
    policy = dict(each.split(maxsplit=1) for each in client.get("/healthz")["Content-Security-Policy"].split("; "))
    assert policy.get("script-src", policy["default-src"]) == "'self'", "neither inline nor evaluated"
    assert not {name for name in policy if name.startswith("script-src-")}
    assert (policy["object-src"], policy["base-uri"], policy["form-action"]) == ("'none'", "'none'", "'self'")


@pytest.mark.parametrize("given", ["", "two words", "x" * 65, "line\tbreak"])
def test_a_request_id_that_would_spoil_the_log_is_replaced(client: Client, given: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": given})
    assert answer["X-Request-ID"].startswith("req-")


def test_the_schema_is_served_to_users(api) -> None:
    answer = api.get("/api/v1/schema")
    assert answer.status_code == 200
    assert b"/api/v1/session" in answer.content


def test_the_schema_is_the_committed_file_and_sent_once(client: Client) -> None:
    first = client.get("/api/v1/schema")
    assert first.content == Path(settings.BACKEND_DIR, "openapi.yaml").read_bytes()
    again = client.get("/api/v1/schema", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert client.get("/api/v1/schema", headers={"If-None-Match": '"other"'}).status_code == 200
    assert client.post("/api/v1/schema").status_code == 405


def test_no_cache_stores_answers_of_the_api(api) -> None:
    assert api.get("/vnflcm/v2/vnf_instances")["Cache-Control"] == "no-store"
    assert api.get("/api/v1/users")["Cache-Control"] == "no-store"
    assert api.get("/api/v1/nothing")["Cache-Control"] == "no-store"
    made = api.post("/vnfpkgm/v1/vnf_packages", {}, format="json")
    assert made["ETag"]
    assert made["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", ["/api/v1/vnfds?q=%00", "/api/v1/search?q=a%00b", "/vnflcm/v2/vnf_instances/%00"])
def test_an_address_with_nul_is_refused(api, path: str) -> None:
    assert api.get(path).status_code in (400, 404)


BAD_JSON = {
    "deep": "[" * 900 + "]" * 900,
    "deeper": "[" * 100_000,
    "nul": '{"username": "a\\u0000", "password": "x", "userDefinedData": {"k": "\\u0000"}}',
    "surrogate": '{"username": "\\ud800", "password": "x", "userDefinedData": {"k": "\\ud800"}}',
    "infinite": '{"username": 1e400, "password": "x", "userDefinedData": {"k": 1e400}}',
}


@pytest.mark.parametrize("text", BAD_JSON.values(), ids=BAD_JSON)
@pytest.mark.parametrize("path", ["/api/v1/session", "/vnfpkgm/v1/vnf_packages", "/vnflcm/v2/vnf_instances"])
def test_json_that_nothing_can_hold_is_refused_by_its_place(api, path: str, text: str) -> None:
    answer = api.generic("POST", path, text, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_REQUEST")
    assert answer.json()["errors"]


MARKERS = ['["2026", "\\ud800"]', '["\\u0000", "x"]', "[" * 5000, "[1e400, 1]", "null", "[[[[1]]], {}]", '[true, "x"]']
LISTS = ["/vnflcm/v2/vnf_instances", "/vnffm/v1/alarms", "/api/v1/users", "/api/v1/audit", "/api/v1/vnfds"]


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("marker", MARKERS, ids=range(len(MARKERS)))
def test_no_page_marker_is_an_error_of_ours(api, path: str, marker: str) -> None:
    text = base64.urlsafe_b64encode(marker.encode()).decode()
    assert api.get(path, {"nextpage_opaque_marker": text}).status_code in (200, 400)


def test_a_page_of_the_api_for_people_names_every_operation(client: Client) -> None:

    page = client.get("/api/v1/docs")
    text = page.content.decode()
    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")
    document = openapi()
    ids = [each["operationId"] for methods in document["paths"].values() for each in methods.values()]
    assert [name for name in ids if f"<details id={name}>" not in text] == []
    assert [name for name in document["components"]["schemas"] if f"<details id=schema-{name}>" not in text] == []
    for path in ("/vnflcm/v1/vnf_instances", "/vnfpm/v1/subscriptions", "/vnfpkgm/v2/vnf_packages"):
        assert f"<code>{path}</code>" in text
    assert "<script" not in text, "nor does anything come from elsewhere"
    assert "http" not in "".join(part.partition('"')[0] for part in text.split('href="')[1:])
    assert client.get("/api/v1/docs.css")["Content-Type"] == "text/css"
