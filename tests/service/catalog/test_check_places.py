"""Two uploads are checked at a time for web requests, in processes of their own; size and time are bounded, and the
cost grows with the size.
"""

import time
from io import BytesIO

import pytest

from tests.factories.packages import zipped
from tests.factories.templates import HOT
from vnfm.catalog.domain.hot.templates import OLDEST
from vnfm.catalog.models import PackageOnboarding
from vnfm.catalog.reconcilers import onboarding as reconciler
from vnfm.catalog.selectors import package_get
from vnfm.catalog.services import check_places, check_process, onboarding
from vnfm.catalog.services.package_checks import report_on
from vnfm.catalog.services.uploads import stage_upload
from vnfm.kit.durable.places import Places

pytestmark = pytest.mark.django_db
PACKAGES, VALIDATE, DERIVE = "/vnfpkgm/v1/vnf_packages", "/api/v1/packages/validate", "/api/v1/packages/derive"
NAMED = "  image: {type: string}\n  flavor: {type: string}\n  net: {type: string}\n"
VM = (
    "  vm: {type: OS::Nova::Server, properties: {image: {get_param: image}, flavor: {get_param: flavor}, "
    "networks: [{network: {get_param: net}}]}}\n"
)
SMALL = f"{HOT}parameters:\n{NAMED}resources:\n{VM}"
MILLISECONDS_EACH = 20
"""Milliseconds of processor for a parameter or a resource, on a machine with much else to do; it takes one."""
OWN_SECONDS = 0.5
"""Seconds of processor in the web's own process for any upload of 1 MiB: it stages and waits. A check in it takes
more."""


def with_parameters(number):
    return (
        f"{HOT}parameters:\n{NAMED}"
        + "".join(f"  p{n}: {{type: string}}\n" for n in range(number))
        + (f"resources:\n{VM}")
    )


def ring(number):
    links = (f"  r{n}: {{type: OS::Heat::RandomString, depends_on: r{(n + 1) % number}}}\n" for n in range(number))
    return SMALL + "".join(links)


@pytest.fixture(autouse=True)
def artifacts(settings, tmp_path):
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"


@pytest.fixture
def others(monkeypatch):
    """Two other requests are being checked, by other processes."""
    monkeypatch.setattr(check_places, "QUEUE_SECONDS", 0.1)
    monkeypatch.setattr(onboarding, "PLACE_SECONDS", 0.1)
    held = Places("package-check", check_places.CHECKS_AT_ONCE)
    taken = [held.take() for _ in range(check_places.CHECKS_AT_ONCE)]
    yield taken
    for place in taken:
        place.leave()


def posted(api, url, text):
    started = time.process_time()
    answer = api.generic("POST", url, zipped({"a.yaml": text}), content_type="application/zip")
    return answer, time.process_time() - started


@pytest.mark.parametrize("url", [VALIDATE, DERIVE])
def test_a_third_check_is_refused_with_a_time_to_try_again(api, others, url):
    answer, _ = posted(api, url, SMALL)
    assert (answer.status_code, answer.json()["code"]) == (503, "CHECKS_BUSY")
    assert answer.headers["Retry-After"] == "5"


def test_an_upload_during_two_checks_is_validated_by_the_worker(api, others):
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content"
    answer = api.generic("PUT", url, zipped({"a.yaml": SMALL}), content_type="application/zip")
    assert answer.status_code == 202
    assert package_get(package_id=package_id).onboarding_state == "PROCESSING"
    assert PackageOnboarding.objects.count() == 1
    reconciler.onboard(package_get(package_id=package_id).id)
    assert package_get(package_id=package_id).onboarding_state == "ONBOARDED"


@pytest.mark.parametrize(("text", "number"), [(with_parameters(990), 990), (ring(990), 990)], ids=["wide", "a ring"])
def test_the_largest_that_is_allowed(api, text, number):
    answer, seconds = posted(api, VALIDATE, text)
    assert answer.status_code == 200
    assert "TEMPLATE_TOO_LARGE" not in {f["code"] for f in answer.json()["validationReport"]}
    assert seconds < OWN_SECONDS


@pytest.mark.parametrize(("text", "number"), [(with_parameters(990), 990), (ring(990), 990)], ids=["wide", "a ring"])
def test_the_cost_grows_with_the_size(tmp_path, text, number):
    archive = stage_upload({"a.yaml": BytesIO(text.encode())}, tmp_path)
    started = time.process_time()
    report_on(archive, tmp_path, None, OLDEST)
    assert time.process_time() - started < number * MILLISECONDS_EACH / 1000


def many(number):
    """Templates that are each as large as is allowed: minutes of processor in all."""
    text = ring(990)
    names = [f"t{n}.yaml" for n in range(number)]
    nested = "".join(f"  n{n}: {{type: {name}}}\n" for n, name in enumerate(names))
    return {"a.yaml": SMALL + nested, **dict.fromkeys(names, text)}


@pytest.mark.parametrize("url", [VALIDATE, DERIVE])
def test_a_check_that_takes_too_long_is_ended(api, monkeypatch, url):
    monkeypatch.setattr(check_process, "CHECK_SECONDS", 1.0)
    started = time.process_time()
    answer = api.generic("POST", url, zipped(many(60)), content_type="application/zip")
    assert (answer.status_code, answer.json()["code"]) == (422, "PACKAGE_TOO_COSTLY"), answer.json()
    assert answer.json()["detail"] == "The check did not end within 1 seconds."
    assert time.process_time() - started < OWN_SECONDS
    assert posted(api, url, SMALL)[0].status_code == 200


def test_an_upload_whose_check_takes_too_long_is_refused_and_can_be_repeated(api, monkeypatch):
    monkeypatch.setattr(check_process, "CHECK_SECONDS", 1.0)
    package_id = api.post(PACKAGES, {}, format="json").json()["id"]
    url = f"{PACKAGES}/{package_id}/package_content"
    answer = api.generic("PUT", url, zipped(many(60)), content_type="application/zip")
    assert (answer.status_code, answer.json()["code"]) == (422, "PACKAGE_TOO_COSTLY")
    assert package_get(package_id=package_id).onboarding_state == "ERROR"
    monkeypatch.undo()
    answer = api.generic("PUT", url, zipped({"a.yaml": SMALL}), content_type="application/zip")
    assert answer.status_code == 202


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_parameters(998), "The file has 1001 parameters; 1000 are allowed."),
        (ring(8000), "The file has 8001 resources; 1000 are allowed."),
        (SMALL + "outputs:\n" + "".join(f"  o{n}: {{value: x}}\n" for n in range(1001)), "The file has 1001 outputs"),
    ],
    ids=["parameters", "resources", "outputs"],
)
def test_what_is_larger_is_refused_at_its_line(api, text, words):
    answer, seconds = posted(api, VALIDATE, text)
    (error,) = (f for f in answer.json()["validationReport"] if f["severity"] == "error")
    assert (error["code"], error["file"]) == ("TEMPLATE_TOO_LARGE", "a.yaml")
    assert error["message"].startswith(words)
    assert error["line"] > 1
    assert seconds < OWN_SECONDS
    derived, _ = posted(api, DERIVE, text)
    assert derived.json()["vnfd"] == ""


def test_twenty_thousand_parameters_are_refused_at_once(api):
    answer, seconds = posted(api, VALIDATE, with_parameters(20_000))
    assert not answer.json()["valid"]
    assert seconds < OWN_SECONDS
