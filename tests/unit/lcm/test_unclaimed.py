"""Each thing in a cloud has an owner, or is unclaimed."""

from datetime import UTC, datetime

import pytest

from vnfm.clouds.types import Server, Stack
from vnfm.lcm.domain.unclaimed import (
    Claims,
    FoundResource,
    artefacts_found,
    as_uuid,
    servers_found,
    stacks_found,
    unclaimed,
)

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
OWNER = "d58a4aea-2a08-4c05-b0df-bb926497861b"
STACK = FoundResource("stack", "s-1", "vnf-vsr-g1", True, NOW, OWNER)
SERVER = FoundResource("server", "v-1", "vsr-cpm-a", True, NOW, OWNER)
IMAGE = FoundResource("image", "i-1", "vnfm-vsr-1", True, NOW)


def test_our_resources_are_known_by_their_tag() -> None:
    ours = Stack("s-1", "a", "CREATE_COMPLETE", "", tags=("vnfm", f"vnf-instance-{OWNER}"), updated_at="t")
    theirs = Stack("s-2", "b", "CREATE_FAILED", "")
    assert [(f.ours, f.owner, f.status, f.updated_at) for f in stacks_found([ours, theirs], NOW)] == [
        (True, OWNER, "CREATE_COMPLETE", "t"),
        (False, "", "CREATE_FAILED", ""),
    ]
    tagged = Server("v-1", "a", "ACTIVE", metadata={"vnf_instance": OWNER})
    assert [f.owner for f in servers_found([tagged, Server("v-2", "b", "ACTIVE")], NOW)] == [OWNER]
    images = [{"id": "i-1", "name": "vnfm-vsr-1"}, {"id": "i-2", "name": "debian"}]
    assert [f.name for f in artefacts_found("image", images, NOW)] == ["vnfm-vsr-1"]


@pytest.mark.parametrize(
    ("found", "claims"),
    [
        (STACK, Claims(stack_ids={"s-1"})),
        (STACK, Claims(stack_names={"vnf-vsr-g1"})),
        (STACK, Claims(busy={OWNER})),
        (SERVER, Claims(server_ids={"v-1"})),
        (SERVER, Claims(busy={OWNER})),
        (IMAGE, Claims(artefacts={("image", "i-1")})),
        (IMAGE, Claims(used={"vnfm-vsr-1"})),
        (IMAGE, Claims(used={"i-1"})),
    ],
)
def test_one_claim_is_enough(found: FoundResource, claims: Claims) -> None:
    assert unclaimed([found], claims) == []
    assert unclaimed([found], Claims()) == [found]


def test_a_claim_on_one_kind_is_none_on_another() -> None:
    claims = Claims(stack_ids={"v-1", "i-1"}, server_ids={"s-1"}, artefacts={("flavor", "i-1")})
    assert unclaimed([STACK, IMAGE], claims) == [STACK, IMAGE]


def test_servers_go_with_their_stack_and_are_not_named_again() -> None:
    other = FoundResource("server", "v-2", "stray", True, NOW, "another")
    assert unclaimed([STACK, SERVER, other], Claims()) == [STACK, other]
    assert unclaimed([STACK, SERVER], Claims(stack_ids={"s-1"})) == [SERVER]


def test_an_owner_that_is_no_uuid_is_none() -> None:
    assert str(as_uuid(OWNER)) == OWNER
    assert as_uuid("me") is None
