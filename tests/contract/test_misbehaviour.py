"""Only a cloud that we can break shows these: errors, cut connections, lies; by one list of each service."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import md5
from io import BytesIO
from time import monotonic

import pytest

from tests.contract.cloud_lists import LISTS
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.errors import CloudError, Denied, RateLimited, TooSlow, Transient, Unknown
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.vims.domain.clouds_yaml import connection_named


@pytest.fixture(scope="module")
def breakable(cloudsim: CloudsimProcess) -> Cloud:
    """With its token and endpoints at hand, so that a failure hits the call that is meant."""
    cloud = OpenStackProvider().connect(connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim"))
    for _, look in LISTS.values():
        look(cloud)
    return cloud


@pytest.fixture(autouse=True)
def healed(cloudsim: CloudsimProcess) -> Iterator[None]:
    yield
    cloudsim.control("DELETE", "/failures")


def broken(sim: CloudsimProcess, service: str, **rule: object) -> None:
    sim.control("POST", "/failures", {"service": service, "method": "GET", **rule})


@pytest.mark.parametrize("service", LISTS)
@pytest.mark.parametrize(
    ("status", "kind"),
    [(500, Transient), (502, Transient), (503, Transient), (429, RateLimited), (403, Denied)],
)
def test_an_error_names_the_service_and_its_message_once(
    cloudsim: CloudsimProcess, breakable: Cloud, service: str, status: int, kind: type[CloudError]
) -> None:
    speaker, look = LISTS[service]
    broken(cloudsim, service, effect="status", status=status, message="The very words", type="Odd")
    with pytest.raises(kind) as caught:
        look(breakable)
    assert (caught.value.source, caught.value.http_status) == (speaker, status)
    assert "The very words" in caught.value.message
    look(breakable)


@pytest.mark.parametrize("service", LISTS)
def test_retry_after_is_read(cloudsim: CloudsimProcess, breakable: Cloud, service: str) -> None:
    _, look = LISTS[service]
    broken(cloudsim, service, effect="status", status=429, headers={"Retry-After": "7"})
    with pytest.raises(RateLimited) as caught:
        look(breakable)
    assert caught.value.retry_after == 7.0
    look(breakable)


def test_a_call_without_answer_times_out_within_a_minute(cloudsim: CloudsimProcess) -> None:
    connection = connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim")
    provider = OpenStackProvider()

    def hang(service: str) -> tuple[str, float]:
        cloud = provider.connect(connection)  # this thread's own
        LISTS[service][1](cloud)
        broken(cloudsim, service, effect="hang")
        began = monotonic()
        with pytest.raises(TooSlow) as caught:
            LISTS[service][1](cloud)
        return caught.value.source, monotonic() - began

    with ThreadPoolExecutor(len(LISTS)) as pool:
        for service, (speaker, seconds) in zip(LISTS, pool.map(hang, LISTS), strict=True):
            assert speaker == LISTS[service][0]
            assert seconds < 60


@pytest.mark.parametrize("service", LISTS)
def test_one_cut_connection_is_not_noticed_and_two_are(
    cloudsim: CloudsimProcess, breakable: Cloud, service: str
) -> None:
    speaker, look = LISTS[service]
    broken(cloudsim, service, effect="drop")
    look(breakable)
    broken(cloudsim, service, effect="drop", times=2)
    with pytest.raises(Transient) as caught:
        look(breakable)
    assert caught.value.source == speaker


def test_a_cut_connection_does_not_create_a_duplicate(cloudsim: CloudsimProcess, breakable: Cloud) -> None:
    cloudsim.control("POST", "/failures", {"service": "image", "method": "POST", "effect": "drop"})
    from vnfm.clouds.types import Image

    with pytest.raises(Transient):
        breakable.images.create(Image("", "contract-dropped", "", 0, "", "raw", "bare"))
    assert breakable.images.find("contract-dropped") is None


@pytest.mark.parametrize("service", LISTS)
def test_a_lie_is_not_understood_and_not_believed(cloudsim: CloudsimProcess, breakable: Cloud, service: str) -> None:
    _, look = LISTS[service]
    broken(cloudsim, service, effect="lie200", body={"nothing": "of the kind"})
    with pytest.raises(Unknown):
        look(breakable)
    look(breakable)


def test_the_right_to_create_flavors_is_not_that_to_delete_them(cloudsim: CloudsimProcess, breakable: Cloud) -> None:
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "member"})
    refused: dict[str, object] = {"effect": "status", "status": 403}
    broken(cloudsim, "compute", **refused | {"method": "DELETE", "path": "/flavors/[^/]+$"})
    may = breakable.flavors.may_create()
    broken(cloudsim, "compute", **refused | {"method": "POST", "path": "/flavors$"})
    may_not = breakable.flavors.may_create()
    cloudsim.control("PUT", "/settings", {"flavor_create_role": "admin"})
    assert (may, may_not) == (True, False)


def queued(cloud: Cloud, request: pytest.FixtureRequest) -> str:
    from vnfm.clouds.types import Image

    image_id = cloud.images.create(Image("", "contract-broken", "", 0, "", "raw", "bare"))
    request.addfinalizer(lambda: cloud.images.delete(image_id))
    return image_id


@pytest.mark.parametrize("effect", ["cut", "stall"])
def test_an_upload_that_breaks_off_is_no_image(
    cloudsim: CloudsimProcess, breakable: Cloud, request: pytest.FixtureRequest, effect: str
) -> None:
    """One that stalls is given up after a while without progress, however long it may take with progress."""
    image_id = queued(breakable, request)
    broken(cloudsim, "image", method="PUT", path="/file$", effect=effect, after_bytes=1024**2)
    began = monotonic()
    with pytest.raises(Transient) as caught:
        breakable.images.upload(image_id, BytesIO(b"x" * 24 * 1024**2), stall_seconds=1.0)
    assert (caught.value.source, caught.value.http_status) == ("glance", 0)
    assert monotonic() - began < 10
    assert breakable.images.show(image_id).status in {"queued", "saving"}


def test_a_slow_upload_comes_to_its_end(
    cloudsim: CloudsimProcess, breakable: Cloud, request: pytest.FixtureRequest
) -> None:
    image_id = queued(breakable, request)
    broken(cloudsim, "image", method="PUT", path="/file$", effect="slow", seconds=0.02)
    breakable.images.upload(image_id, BytesIO(b"x" * 8 * 1024**2), stall_seconds=1.0)
    assert breakable.images.show(image_id).status == "active"


def test_another_byte_shows_in_the_checksum(
    cloudsim: CloudsimProcess, breakable: Cloud, request: pytest.FixtureRequest
) -> None:
    image_id = queued(breakable, request)
    broken(cloudsim, "image", method="PUT", path="/file$", effect="garble", after_bytes=10)
    breakable.images.upload(image_id, BytesIO(b"x" * 100))
    assert breakable.images.show(image_id).checksum == md5(b"x" * 10 + b"\x87" + b"x" * 89).hexdigest()
