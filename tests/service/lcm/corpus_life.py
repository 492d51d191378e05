"""Each entry of the corpus works in any cloud: it comes, is healed, scales, and goes without a trace."""

from typing import Any

from django.db.models import QuerySet

from tests.factories.catalog import onboarded
from tests.factories.corpus import CorpusEntry
from tests.factories.packages import zipped
from tests.service.lcm.lifecycle import PATIENCE, Lifecycle
from vnfm.catalog.selectors import vnfd_of
from vnfm.clouds import registry
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

SERVER = "OS::Nova::Server"


def lifecycle_of(entry: CorpusEntry, vim: Vim, patience: float = PATIENCE) -> Lifecycle:
    """The entry onboarded, and the VIM probed."""
    probe_vim(vim.id, registry.provider(), clock.now())
    vim.refresh_from_db()
    return Lifecycle(vim, onboarded(zipped(entry.files())), patience)


def corpus_life(life: Lifecycle, entry: CorpusEntry) -> None:
    flavour = vnfd_of(life.package).flavours[0]
    instance = life.create()
    life.done(instance, Operation.INSTANTIATE, _request(life, entry))
    before = _well(life, instance)
    assert before > 0
    one = _vnfcs(instance).order_by("vdu_id", "slot")[0]
    recreate = {"cause": "test", "vnfcInstanceId": [str(one.id)], "additionalParams": {"method": "recreate"}}
    life.done(instance, Operation.HEAL, recreate)
    assert one.server_id not in {vnfc.server_id for vnfc in _vnfcs(instance)}
    for aspect in flavour.aspects:
        step = {"aspectId": aspect.id, "numberOfSteps": 1}
        if dict(flavour.level(flavour.default_level).scale_levels)[aspect.id] < aspect.max_scale_level:
            life.done(instance, Operation.SCALE, {**step, "type": "SCALE_OUT"})
            assert _well(life, instance) == before + sum(delta.step for delta in aspect.deltas)
            life.done(instance, Operation.SCALE, {**step, "type": "SCALE_IN"})
        assert _well(life, instance) == before
    servers = {vnfc.server_id for vnfc in _vnfcs(instance)}
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert life.stacks_of(instance) == []
    assert servers & {server.id for server in life.cloud.servers.list()} == set()


def refused_by_the_plan(life: Lifecycle, entry: CorpusEntry) -> None:
    """The cloud lacks one of its resource types: said before anything is touched."""
    instance = life.create()
    op = life.run(life.start(instance, Operation.INSTANTIATE, _request(life, entry)).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "TEMPLATE_UNSUPPORTED"), life.story(op)
    assert entry.lacks in op.problem["detail"]
    assert life.stacks_of(instance) == []


def _request(life: Lifecycle, entry: CorpusEntry) -> dict[str, Any]:
    """The first flavour at its default level, with the entry's settings."""
    flavour = vnfd_of(life.package).flavours[0]
    chosen = {"flavourId": flavour.id, "instantiationLevelId": flavour.default_level}
    return {**life.instantiate_request(**entry.settings), **chosen}


def _vnfcs(instance: VnfInstance) -> QuerySet[Vnfc]:
    return Vnfc.objects.filter(instance=instance)


def _well(life: Lifecycle, instance: VnfInstance) -> int:
    """Return how many VNFCs there are: the stack's servers and no others, each with all of its ports."""
    vnfcs = list(_vnfcs(instance).prefetch_related("ports"))
    servers = {one.physical_id for one in life.cloud.stacks.resources(instance.stack_id) if one.type == SERVER}
    assert {vnfc.server_id for vnfc in vnfcs} == servers
    ports = {vdu.id: len(vdu.connection_points) for vdu in vnfd_of(life.package).vdus}
    assert all(vnfc.ports.count() == ports[vnfc.vdu_id] for vnfc in vnfcs)
    return len(vnfcs)
