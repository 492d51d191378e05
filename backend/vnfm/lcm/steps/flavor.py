"""The step that creates a Nova flavor."""

from dataclasses import replace

from vnfm.catalog.domain.vnfd import ResourceNeeds
from vnfm.clouds.types import Flavor
from vnfm.lcm.domain.plan import flavor_for
from vnfm.lcm.domain.steps import Outcome, Receipt
from vnfm.lcm.steps.base import Context
from vnfm.lcm.steps.shared_artefact import SharedArtefact
from vnfm.vims.services import vim_flavor_record


class CreateFlavor(SharedArtefact):
    """Create the Nova flavor that the operator agreed to."""

    kind = "create_flavor@1"
    artefact_kind = "flavor"

    def _find(self, ctx: Context) -> str | None:
        """A worker that was killed between the two requests of a creation left a flavor without its extra specs."""
        flavor = ctx.cloud.flavors.find(ctx.params["key"])
        if flavor is None:
            return None
        specs = _wanted(ctx).extra_specs
        if missing := {name: value for name, value in specs.items() if name not in flavor.extra_specs}:
            ctx.cloud.flavors.add_extra_specs(flavor.id, missing)
            _record(ctx, replace(flavor, extra_specs={**flavor.extra_specs, **missing}))
        return flavor.id

    def _create(self, ctx: Context) -> tuple[str, bool]:
        flavor = _wanted(ctx)
        flavor_id = ctx.cloud.flavors.create(flavor)
        _record(ctx, replace(flavor, id=flavor_id))
        return flavor_id, True

    def _await(self, ctx: Context, receipt: Receipt) -> Outcome:
        return self._ready(ctx, receipt["id"], f"Nova has flavor {ctx.params['key']}")

    def _remove(self, ctx: Context, resource_id: str) -> None:
        ctx.cloud.flavors.delete(resource_id)


def _wanted(ctx: Context) -> Flavor:
    needs = next(chosen.needs for chosen in ctx.plan.flavors if chosen.vdu_id == ctx.params["subject"])
    return flavor_for(ctx.params["key"], ResourceNeeds(**needs))


def _record(ctx: Context, flavor: Flavor) -> None:
    if ctx.instance.vim is not None:
        vim_flavor_record(vim=ctx.instance.vim, flavor=flavor)
