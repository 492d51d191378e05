"""Answers of a cloud have bounds: size, time, pages, and the processor time that its text costs us."""

import resource
from collections.abc import Callable, Iterator
from time import monotonic, thread_time

import pytest

from tests.contract.cloud_lists import LISTS
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.errors import CloudError, TooSlow, Transient, Unknown
from vnfm.clouds.openstack import OpenStackProvider, bounds
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.vims.domain.clouds_yaml import connection_named

MIB = 1024**2

PAGES = {
    "markup": "<",
    "tags": "<b>",
    "closed": "<a>" * 3 + ">",
    "scripts": "<script>",
    "styles": "<style></script>",
    "titles": "<title x",
    "spaces": " ",
    "lines": "\n",
    "letters": "a",
    "quotes": '"',
    "quota": "quota",
    "limits": "exceeds the ",
    "longer when lower": "İ<",
    "braces": '{"error":',
    "lists": "[",
}
"""Pieces of which a page of 1 MiB is made."""


@pytest.fixture(scope="module")
def cloud(cloudsim: CloudsimProcess) -> OpenStackCloud:
    cloud = OpenStackProvider().connect(connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim"))
    for _, look in LISTS.values():
        look(cloud)
    return cloud


@pytest.fixture(autouse=True)
def healed(cloudsim: CloudsimProcess) -> Iterator[None]:
    yield
    cloudsim.control("DELETE", "/failures")


def inject(sim: CloudsimProcess, service: str, effect: str, **rule: object) -> None:
    sim.control("POST", "/failures", {"service": service, "method": "*", "effect": effect, **rule})


def cost(look: Callable[[], object]) -> tuple[CloudError, float]:
    """The error, and the processor seconds of this thread until it was known."""
    began = thread_time()
    with pytest.raises(CloudError) as caught:
        look()
    return caught.value, thread_time() - began


@pytest.mark.parametrize(
    "kind", ["text/html", "application/json", "text/html; json", "text/plain; charset=no-such", ""]
)
@pytest.mark.parametrize("piece", PAGES.values(), ids=list(PAGES))
def test_an_error_page_of_a_mebibyte_costs_a_tenth_of_a_second(
    cloudsim: CloudsimProcess, cloud: OpenStackCloud, piece: str, kind: str
) -> None:
    repeat = MIB // len(piece.encode())
    inject(cloudsim, "orchestration", "page", status=500, text=piece, repeat=repeat, content_type=kind)
    error, seconds = cost(cloud.stacks.list)
    assert isinstance(error, Transient | Unknown)
    assert seconds < 0.1
    assert len(error.message) < 600
    assert "<" not in error.message


def test_an_error_page_does_not_hold_the_clients_of_the_sdk(cloudsim: CloudsimProcess, cloud: OpenStackCloud) -> None:
    """openstacksdk takes the tags out of a page of HTML itself, by a regular expression."""
    inject(cloudsim, "compute", "page", status=500, text="<", repeat=MIB, content_type="text/html")
    _, seconds = cost(lambda: cloud.servers.start("00000000-0000-0000-0000-000000000001"))
    assert seconds < 0.1


@pytest.mark.parametrize("service", LISTS)
def test_an_answer_without_end_is_cut(cloudsim: CloudsimProcess, cloud: OpenStackCloud, service: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    inject(cloudsim, service, "endless", status=200, text=" ")
    error, seconds = cost(lambda: LISTS[service][1](cloud))
    assert isinstance(error, Unknown)
    assert "more than 16 MiB" in error.message
    assert seconds < 2.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024, "KiB"
    LISTS[service][1](cloud)


def test_a_token_without_end_is_cut(cloudsim: CloudsimProcess) -> None:
    inject(cloudsim, "identity", "endless", status=201, text=" ")
    stranger = OpenStackProvider().connect(connection_named(cloudsim.clouds_yaml.read_text(), "cloudsim"))
    error, _ = cost(stranger.project_id)
    assert (error.source, "more than 16 MiB" in error.message) == ("keystone", True)


def test_a_small_answer_that_unpacks_to_a_large_one_is_cut(cloudsim: CloudsimProcess, cloud: OpenStackCloud) -> None:
    inject(cloudsim, "network", "gzip", status=200, text=" ", repeat=100 * MIB)
    error, seconds = cost(cloud.networks.list)
    assert isinstance(error, Unknown)
    assert "more than 16 MiB" in error.message
    assert seconds < 1.0


def test_an_answer_byte_by_byte_ends(
    cloudsim: CloudsimProcess, cloud: OpenStackCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr("vnfm.clouds.openstack.session.READ_SECONDS", 0.5)
    for status in (200, 500):
        inject(cloudsim, "network", "trickle", status=status, text=" " * 1000, seconds=0.05, content_type="text/plain")
        began = monotonic()
        error, _ = cost(cloud.networks.list)
        assert isinstance(error, TooSlow)
        assert monotonic() - began < 5


@pytest.mark.parametrize("service", ["compute", "network", "image"])
def test_a_list_without_end_is_not_followed(
    cloudsim: CloudsimProcess, cloud: OpenStackCloud, service: str, request: pytest.FixtureRequest
) -> None:
    look = {"compute": cloud.flavors.list}.get(service) or (lambda: LISTS[service][1](cloud))
    inject(cloudsim, service, "next", method="GET", times=1000)
    error, _ = cost(look)
    assert isinstance(error, Unknown)
    assert "does not end" in error.message


NO_LISTS = ("null", '{"servers": null}', '{"servers": [null]}', '{"servers": {"a": 1}}', "[]", "", "<html></html>")


@pytest.mark.parametrize("text", [*NO_LISTS, '{"servers": ' + "[" * 20_000 + "]" * 20_000 + "}"])
@pytest.mark.parametrize("kind", ["application/json", "text/html", "text/plain; charset=no-such"])
def test_what_is_no_list_is_an_error_of_the_cloud(
    cloudsim: CloudsimProcess, cloud: OpenStackCloud, text: str, kind: str
) -> None:
    inject(cloudsim, "compute", "page", status=200, text=text, content_type=kind)
    error, seconds = cost(cloud.servers.list)
    assert isinstance(error, Unknown)
    assert seconds < 0.1
    cloud.servers.list()


def test_a_row_that_comes_twice_is_one(cloudsim: CloudsimProcess, cloud: OpenStackCloud) -> None:
    import json

    row = {"id": "1", "name": "twice", "status": "ACTIVE"}
    inject(cloudsim, "compute", "page", status=200, text=json.dumps({"servers": [row, row]}))
    assert [server.id for server in cloud.servers.list()] == ["1"]
