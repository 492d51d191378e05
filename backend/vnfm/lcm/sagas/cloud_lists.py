"""The cloud's lists that a plan is made of: the present ones, or those of the last probe where the cloud is late."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeVar

from vnfm.clouds.errors import TooSlow
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Flavor, Network, Quota
from vnfm.kit import clock
from vnfm.vims.domain.pace import lateness
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import is_paused, network_of, vim_resources
from vnfm.vims.services import vim_answer_record

T = TypeVar("T")

PROBE_MAX_AGE = timedelta(hours=1)
"""A plan may use a probe that is not older."""


class CloudLists:
    """The cloud's lists for a plan. `late` is its failure to answer in time: then a list is that of the last probe."""

    def __init__(self, cloud: Cloud, vim: VimRecord) -> None:
        self._cloud = cloud
        self._vim = vim
        self.late: TooSlow | None = None

    def flavors(self) -> Sequence[Flavor]:
        return self._answer(
            self._cloud.flavors.list, lambda: [Flavor(**row) for row in vim_resources(self._vim)["flavors"]]
        )

    def networks(self) -> Sequence[Network]:
        return self._answer(
            self._cloud.networks.list, lambda: [network_of(row) for row in vim_resources(self._vim)["networks"]]
        )

    def quotas(self) -> Sequence[Quota]:
        return self._answer(
            self._cloud.quotas, lambda: [Quota(name, **values) for name, values in self._vim.quotas.items()]
        )

    def warning(self) -> tuple[str, ...]:
        """Return the plan's warning that lists are those of the last probe; empty when they are the present ones."""
        if self.late is None or self._vim.probed_at is None:
            return ()
        at = f"{self._vim.probed_at:%Y-%m-%d %H:%M:%S} UTC"
        return (f"{self._vim.name} answers late: flavors, networks and quotas are those of {at}.",)

    def _answer(self, ask: Callable[[], T], last: Callable[[], T]) -> T:
        """Raises TooSlow where there is nothing recent to go on with."""
        vim, now = self._vim, clock.now()
        recent = vim.probed_at is not None and now - vim.probed_at <= PROBE_MAX_AGE
        if recent and (self.late is not None or is_paused(vim, now)):
            self.late = self.late or TooSlow(lateness(vim.late))
            return last()
        began = time.monotonic()
        try:
            answer = ask()
        except TooSlow as error:
            seconds = {"resources": time.monotonic() - began}
            vim_answer_record(vim=vim, answers=seconds, unanswered="resources", now=clock.now())
            if not recent:
                raise
            self.late = error
            return last()
        vim_answer_record(vim=vim, answers={"resources": time.monotonic() - began}, now=clock.now())
        return answer
