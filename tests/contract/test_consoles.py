"""The console and the log of a server."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard, server_comes_to
from vnfm.clouds.errors import NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import StackInput

STRANGER = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def server_id(yard: Yard, cloud: Cloud, image: str, flavor: str, prefix: str) -> str:
    given = StackInput(templates.SERVER, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,))
    stack_id = yard.create("console", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    made = yard.physical(stack_id)["server",]
    server_comes_to(cloud, made, "ACTIVE")
    return made


def test_a_console_is_a_page_with_a_token_of_its_own(cloud: Cloud, server_id: str) -> None:
    first, second = cloud.servers.console_url(server_id), cloud.servers.console_url(server_id)
    for url in (first, second):
        assert urlsplit(url).scheme in {"http", "https"}
        assert "token" in url
    assert first != second


def test_a_log_has_the_requested_number_of_lines(cloud: Cloud, server_id: str) -> None:
    assert len(cloud.servers.console_log(server_id, 200).splitlines()) <= 201
    assert len(cloud.servers.console_log(server_id, 2).splitlines()) <= 3


REQUESTS: dict[str, Callable[[Cloud], object]] = {
    "console": lambda cloud: cloud.servers.console_url(STRANGER),
    "log": lambda cloud: cloud.servers.console_log(STRANGER, 10),
}


@pytest.mark.parametrize("what", REQUESTS)
def test_a_server_that_never_was(cloud: Cloud, what: str) -> None:
    with pytest.raises(NotFound) as caught:
        REQUESTS[what](cloud)
    assert STRANGER in caught.value.message
