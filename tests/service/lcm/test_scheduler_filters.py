"""A plan says on which of Nova's scheduler filters it hangs, as far as somebody told which there are."""

from typing import TYPE_CHECKING

import pytest

from vnfm.lcm.domain.states import Operation
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.services.plans import plan_request
from vnfm.vims.services import vim_update

if TYPE_CHECKING:
    from tests.service.lcm.driving import Lifecycle

pytestmark = pytest.mark.django_db(transaction=True)

BOTH = ["NUMATopologyFilter", "PciPassthroughFilter"]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (None, "OpenStack does not tell"),
        (["RetryFilter"], "lacks NUMATopologyFilter, PciPassthroughFilter"),
        (BOTH[:1], "lacks PciPassthroughFilter"),
        (BOTH, ""),
    ],
    ids=["not known", "none", "one", "all"],
)
def test_the_plan_warns_of_what_is_lacking(lifecycle: "Lifecycle", told: list[str] | None, words: str) -> None:
    vim_update(vim=lifecycle.vim, changes={"scheduler_filters": told})
    preview = plan_request(
        operation=Operation.INSTANTIATE,
        request=lifecycle.instantiate_request(),
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
