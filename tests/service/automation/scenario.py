"""A VNF instance on the simulated cloud, its policies, and a clock that the test advances."""

from datetime import datetime, timedelta
from typing import Any

from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.automation.models import AutomationDecision, AutomationPolicy
from vnfm.automation.reconcilers.evaluation import evaluate_instance
from vnfm.automation.services.policies import policy_create
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.faults.services.maintenance import window_create
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.reconcilers.vim_poll import poll_vim
from vnfm.kit import clock
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.models import Vim


class Scenario:
    """An instance, a policy, and a clock that the test advances."""

    def __init__(self, life: Lifecycle, instance: VnfInstance, cloudsim: CloudsimProcess) -> None:
        self.life, self.instance, self.cloudsim = life, instance, cloudsim
        self.now = clock.now()
        self.before = life.servers_of(instance)

    def policy(self, **values: Any) -> AutomationPolicy:
        values = {
            "name": "heal",
            "kind": "HEAL",
            "instance_id": self.instance.id,
            "heal_after_seconds": 30,
            "cool_down_seconds": 600,
            "actions_per_hour": 3,
            **values,
        }
        return policy_create(values=values, by="test", now=self.now)

    def nova_stop(self, slot: str) -> None:
        """Do it as OpenStack's command line does."""
        server, servers = self.life.servers_of(self.instance)[slot], self.life.cloud.servers
        servers.stop(server)
        until(lambda: servers.show(server).status == "SHUTOFF", "the server to stop")

    def maintenance(self, of: str, seconds: float) -> None:
        """A window of the instance or of its VIM that opens now."""
        kind, object_id = ("VNF_INSTANCE", self.instance.id) if of == "instance" else ("VIM", self.life.vim.id)
        window_create(
            managed_object_type=kind,
            managed_object_id=object_id,
            starts_at=self.now,
            ends_at=self.later(seconds),
            reason="New firmware",
            by="test",
            now=self.now,
        )

    def passes(self, seconds: float) -> None:
        """Advance the clock, poll the cloud, evaluate alarms and policies."""
        self.now += timedelta(seconds=seconds)
        self.poll()
        evaluate_instance(self.instance.id, self.now)

    def later(self, seconds: float) -> datetime:
        """A later time; the clock stays."""
        return self.now + timedelta(seconds=seconds)

    def poll(self) -> None:
        vim = Vim.objects.get(id=self.life.vim.id)
        result = poll_vim(vim=vim, cloud=self.life.cloud, now=self.now)
        evaluate_vim(vim_id=vim.id, changed=result.changed, now=self.now)

    def heals(self) -> list[LcmOpOcc]:
        return list(LcmOpOcc.objects.filter(instance=self.instance, operation="HEAL").order_by("start_time"))

    def scalings(self) -> list[LcmOpOcc]:
        return list(LcmOpOcc.objects.filter(instance=self.instance, operation="SCALE").order_by("start_time"))

    def trail(self) -> list[str]:
        rows = AutomationDecision.objects.filter(instance=self.instance).order_by("id")
        return [f"{row.outcome} {row.reason}" for row in rows]

    def healed(self) -> LcmOpOcc:
        """The heal that has just been started, brought to its end."""
        op = self.life.run(self.heals()[-1].id)
        assert op.state == "COMPLETED", self.life.story(op)
        return op
