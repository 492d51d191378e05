"""A plan warns of Nova's scheduler filters that it needs, as far as the VIM's record has the enabled ones."""

from typing import TYPE_CHECKING

import pytest

from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.services.plans import plan_request
from vnfm.vims.services import vim_update

if TYPE_CHECKING:
    from tests.service.lcm.lifecycle import Lifecycle

pytestmark = pytest.mark.django_db(transaction=True)

BOTH = ["NUMATopologyFilter", "PciPassthroughFilter"]


@pytest.mark.parametrize(
    ("enabled", "words"),
    [
        (None, "OpenStack does not show"),
        (["RetryFilter"], "lacks NUMATopologyFilter, PciPassthroughFilter"),
        (BOTH[:1], "lacks PciPassthroughFilter"),
        (BOTH, ""),
    ],
    ids=["not known", "none", "one", "all"],
)
def test_the_plan_warns_of_missing_resources(lifecycle: "Lifecycle", enabled: list[str] | None, words: str) -> None:
    vim_update(vim=lifecycle.vim, changes={"scheduler_filters": enabled})
    preview = plan_request(
        request=parse_request(Operation.INSTANTIATE, lifecycle.instantiate_request()),
        vnfd_id=lifecycle.package.vnfd_id,
        instance_id=None,
        actor="test",
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    found = [text for text in preview.result["warnings"] if "scheduler" in text]
    assert len(found) == bool(words), "only data path VMs ask for anything that a filter heeds"
    if words:
        assert words in found[0]
        assert found[0].startswith("Data path VM: ")
