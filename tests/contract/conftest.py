"""One suite for `clouds.ports`, run against the simulated cloud and a real OpenStack: neither may know better.

The real one is named by VNFM_TEST_CLOUDS_YAML and VNFM_TEST_CLOUD; an administrator's entry next to it is called
`<cloud>-admin`. What a test makes carries a prefix of its own and is removed at the end, also when it failed or the run
was ended by SIGTERM; the next run removes what a killed one left.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

import pytest

from tests.contract import templates
from tests.support import waiting
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.errors import CloudError, NotFound
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Connection, Flavor, Image, Server, Stack, StackInput
from vnfm.vims.domain.clouds_yaml import connection_named

T = TypeVar("T")

LONGEST_RUN = 3 * 3600.0
"""Seconds after which no run of this suite is still under way."""
STACK_SECONDS = 240
"""The laboratory needs about 3 s of both processors per server; other work may share them."""


def until(condition: Callable[[], T | None], what: str, seconds: float = STACK_SECONDS) -> T:
    """As everywhere, with the patience that a real cloud needs."""
    return waiting.until(condition, what, seconds, every=0.2)


@pytest.fixture(scope="session")
def cloudsim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    """One of the suite's own: what its tests share must not go when tests elsewhere reset theirs."""
    with CloudsimProcess(tmp_path_factory.mktemp("contract")) as process:
        yield process


@pytest.fixture(scope="session", params=["cloudsim", pytest.param("real", marks=pytest.mark.real_cloud)])
def target(request: pytest.FixtureRequest) -> tuple[Path, str]:
    """The clouds.yaml and the entry under test."""
    if request.param == "cloudsim":
        return Path(request.getfixturevalue("cloudsim").clouds_yaml), "cloudsim"
    file, name = os.environ.get("VNFM_TEST_CLOUDS_YAML"), os.environ.get("VNFM_TEST_CLOUD")
    if not file or not name:
        pytest.skip("VNFM_TEST_CLOUDS_YAML and VNFM_TEST_CLOUD name no real OpenStack")
    return Path(file), name


@pytest.fixture(scope="session")
def is_real(target: tuple[Path, str]) -> bool:
    return target[1] != "cloudsim"


@pytest.fixture(scope="session")
def connection(target: tuple[Path, str]) -> Connection:
    file, name = target
    return connection_named(file.read_text(), name)


@pytest.fixture(scope="session")
def admin_connection(target: tuple[Path, str]) -> Connection:
    file, name = target
    return connection_named(file.read_text(), f"{name}-admin")


@pytest.fixture(scope="session")
def provider() -> OpenStackProvider:
    return OpenStackProvider()


@pytest.fixture(scope="session")
def cloud(provider: OpenStackProvider, connection: Connection) -> Cloud:
    return provider.connect(connection)


@pytest.fixture(scope="session")
def admin(provider: OpenStackProvider, admin_connection: Connection) -> Cloud:
    return provider.connect(admin_connection)


@pytest.fixture(scope="session")
def prefix(target: tuple[Path, str]) -> str:
    return f"contract-{int(time.time()):08x}{token_hex(2)}"


def by_size(cloud: Cloud) -> list[Flavor]:
    plain = [flavor for flavor in cloud.flavors.list() if not flavor.extra_specs and flavor.disk_gib]
    return sorted(plain, key=lambda f: (f.memory_mib, f.vcpus, f.name))


@pytest.fixture(scope="session")
def flavor(cloud: Cloud) -> str:
    """The smallest that asks for nothing special."""
    return by_size(cloud)[0].name


@pytest.fixture(scope="session")
def larger(cloud: Cloud, flavor: str) -> Flavor:
    """The next one, in nothing smaller: a hypervisor does not shrink a disk."""
    least, *others = by_size(cloud)
    return next(f for f in others if f.disk_gib >= least.disk_gib and f.memory_mib > least.memory_mib)


@pytest.fixture(scope="session")
def image(cloud: Cloud) -> str:
    return min(i.name for i in cloud.images.list() if i.status == "active" and not i.name.startswith("contract-"))


@pytest.fixture(scope="session")
def second_image(cloud: Cloud, prefix: str) -> Iterator[Image]:
    """An image in addition to `image`, gone with the suite."""
    image_id = cloud.images.create(Image("", f"{prefix}-second", "", 0, "", "raw", "bare"))
    cloud.images.upload(image_id, BytesIO(b"second\n"))
    yield cloud.images.show(image_id)
    cloud.images.delete(image_id)


class Yard:
    """Makes stacks under the prefix, waits for them, and takes all of them away."""

    def __init__(self, cloud: Cloud, prefix: str) -> None:
        self.cloud = cloud
        self.prefix = prefix
        self.made: list[str] = []

    def name(self, suffix: str) -> str:
        return f"{self.prefix}-{suffix}"

    def create(self, suffix: str, given: StackInput, prefix: str = "") -> str:
        stack_id = self.cloud.stacks.create(f"{prefix or self.prefix}-{suffix}", given)
        self.made.append(stack_id)
        return stack_id

    def settled(self, stack_id: str, status: str) -> Stack:
        """Wait for the end of what is in progress; it must be `status`."""
        stack = until(lambda: self._at_rest(stack_id), f"{stack_id} to come to {status}")
        assert stack.status == status, stack.status_reason
        return stack

    def updated(self, stack_id: str, given: StackInput, status: str = "UPDATE_COMPLETE") -> Stack:
        before = self.cloud.stacks.status(stack_id).updated_at
        # Heat counts whole seconds: two updates within one second would have the same time.
        until(lambda: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}Z" > before, "the next second")
        self.cloud.stacks.update(stack_id, given)
        until(lambda: self.cloud.stacks.status(stack_id).updated_at != before, "the update to begin")
        return self.settled(stack_id, status)

    def checked(self, stack_id: str, status: str) -> Stack:
        self.cloud.stacks.check(stack_id)
        until(lambda: self.cloud.stacks.status(stack_id).status.startswith("CHECK_"), "the check to begin")
        return self.settled(stack_id, status)

    def physical(self, stack_id: str) -> dict[tuple[str, ...], str]:
        """Ids in the cloud by path and name."""
        return {(*r.path, r.name): r.physical_id for r in self.cloud.stacks.resources(stack_id)}

    def gone(self, stack_id: str) -> bool:
        try:
            self.cloud.stacks.status(stack_id)
        except NotFound:
            return True
        return False

    def clear(self) -> None:
        for stack_id in self.made:
            self.cloud.stacks.delete(stack_id)
        until(lambda: all(self.gone(stack_id) for stack_id in self.made), "the stacks to be deleted")

    def clear_leftovers(self) -> None:
        """Delete the stacks of runs that were killed before their end."""
        for stack in self.cloud.stacks.list():
            began = re.match(r"contract-([0-9a-f]{8})[0-9a-f]{4}-", stack.name)
            if began and int(began[1], 16) < time.time() - LONGEST_RUN:
                self.cloud.stacks.delete(stack.id)

    def _at_rest(self, stack_id: str) -> Stack | None:
        try:
            stack = self.cloud.stacks.status(stack_id)
        except CloudError as error:
            if error.retryable:  # a busy cloud answers 500 now and then
                return None
            raise
        return None if stack.in_progress else stack


@pytest.fixture(scope="session")
def yard(cloud: Cloud, prefix: str) -> Iterator[Yard]:
    yard = Yard(cloud, prefix)
    yard.clear_leftovers()
    yield yard
    yard.clear()


@pytest.fixture(scope="session")
def group(image: str, flavor: str, prefix: str) -> StackInput:
    """A network and a ResourceGroup of two members, each a nested stack of a port and a server."""
    return StackInput(
        template=templates.GROUP,
        environment={"resource_registry": {"Contract::Member": "member.yaml"}},
        parameters={"image": image, "flavor": flavor, "count": 2, "removed": [], "label": prefix},
        files={"member.yaml": templates.MEMBER},
        tags=("contract", prefix),
        timeout_minutes=10,
    )


@pytest.fixture(scope="session")
def group_stack(yard: Yard, group: StackInput) -> str:
    """The id of that stack, made once for the whole suite and complete."""
    stack_id = yard.create("group", group)
    yard.settled(stack_id, "CREATE_COMPLETE")
    return stack_id


def server_comes_to(cloud: Cloud, server_id: str, status: str) -> Server:
    """Wait until the server rests in that status."""

    def looked() -> Server | None:
        server = cloud.servers.show(server_id)
        return server if server.status == status and not server.task_state else None

    return until(looked, f"server {server_id} to come to {status}")


def put_in_error(admin: OpenStackCloud, server_id: str) -> None:
    """Set it to ERROR, as when its hypervisor gave up on it. Our port has no word for that, so Nova is asked itself."""
    nova, microversion = admin.account.compute(admin.session)
    body = {"os-resetState": {"state": "error"}}
    headers = {"X-OpenStack-Nova-API-Version": microversion}
    admin.session.post(f"{nova}/servers/{server_id}/action", json=body, headers=headers)


def scaled(group: StackInput, count: int, removed: tuple[str, ...] = ()) -> StackInput:
    return replace(group, parameters={**group.parameters, "count": count, "removed": list(removed)})
