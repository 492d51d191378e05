"""The step that verifies the service of a VNF: elements answer, cards are in service, pings succeed (ADR-0027)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from ipaddress import ip_address

from vnfm.catalog.domain.config_template import UndefinedNameError, render
from vnfm.catalog.domain.element import PingSpec
from vnfm.configuration.session.ping import PingTarget, can_ping, unreachable_from
from vnfm.devices.errors import DeviceError
from vnfm.elements.domain.drivers import driver_named
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.elements.services.registration import instance_elements, slots_clear_leaving
from vnfm.inventory.domain.resources import VnfcInfo
from vnfm.inventory.selectors import vnfcs_of
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.router_steps.base import MANAGED, ElementBinding, ElementStep, bound_element, config_renderer
from vnfm.lcm.router_steps.diagnosis import Diagnosis, diagnose
from vnfm.lcm.steps.base import Context

CARDS = (Equipment.Class.CARD, Equipment.Class.CPM)
BETWEEN_READS = 0.5
"""Least seconds from one read of the elements' rows to the next: their poll writes them every two seconds at most."""
MAX_LISTED = 6
"""Most conditions that one message names."""


class VerifyService(ElementStep):
    """Wait until the elements are in service by a poll since this step began: an earlier poll may be from before the
    VMs were changed.
    """

    kind = "verify_service@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"since": clock.now().isoformat()}

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        return self.submit(ctx)

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        since = datetime.fromisoformat(receipt["since"])
        if since > clock.now():  # the clock was set back: a new poll would seem older than this step
            return Waiting("The clock was set back; waits for a new poll", self.submit(ctx))
        elements = [one for one in instance_elements(ctx.instance) if str(one.vnfc_id) not in _left_down(ctx)]
        missing = [text for element in elements for text in missing_service(ctx, self, element, since)]
        if not missing:
            missing = list(self._unreached(ctx, elements))
        if not missing:
            for element in elements:
                slots_clear_leaving(element_id=element.id)
            return Done(_in_service(elements, len(_expected_cards(ctx, self))) + self._not_pinged(ctx, elements))
        left = self.element_spec(ctx).seconds_to_serve - ctx.elapsed
        if left > 0:
            until = f"waits until {clock.now() + timedelta(seconds=left):%H:%M} UTC"
            listed = [*missing[:MAX_LISTED], *(["…"] if len(missing) > MAX_LISTED else []), until]
            return Waiting("; ".join(listed), at_least=BETWEEN_READS)
        silent = [one for one in elements if one.state == MANAGED and one.reachable != "True"][:MAX_LISTED]
        return Blocked(_not_serving(missing, ctx.elapsed, [diagnose(ctx, one) for one in silent]))

    def _unreached(self, ctx: Context, elements: list[NetworkElement]) -> Iterator[str]:
        """Yield a sentence for each address of the package's ping list that an element does not reach."""
        for binding in self.bindings(ctx):
            element = bound_element(ctx.instance, binding, elements)
            targets = self._ping_targets(ctx, binding)
            if element is None or not targets or not can_ping(element):
                continue
            ctx.report(f"{element.name} pings {', '.join(map(str, targets))}")
            try:
                yield from (f"{element.name} does not reach {target}" for target in unreachable_from(element, targets))
            except DeviceError as error:
                yield f"{element.name} cannot ping: {error.message}"

    def _ping_targets(self, ctx: Context, binding: ElementBinding) -> list[PingTarget]:
        rendered = ((_ping_address(ctx, self, binding, spec), spec) for spec in self.element_spec(ctx).ping)
        return [PingTarget(address, spec.routing_instance) for address, spec in rendered if address]

    def _not_pinged(self, ctx: Context, elements: list[NetworkElement]) -> str:
        """Say which pings of the package were left out, and why; "" when all were made."""
        specs = self.element_spec(ctx).ping
        if not specs:
            return ""
        if not any(can_ping(element) for element in elements):
            return "; nothing was pinged: that needs an SSH policy, and a driver that can ping"
        bindings = self.bindings(ctx)
        left = [spec.address for spec in specs if not any(_ping_address(ctx, self, one, spec) for one in bindings)]
        labels = {f"${{setting.{setting.name}}}": setting.label for setting in self.vnfd(ctx).settings}
        return f"; ping not set up: {', '.join(labels.get(each, each) for each in left)}" if left else ""


def _ping_address(ctx: Context, step: VerifyService, binding: ElementBinding, spec: PingSpec) -> str:
    """The address; "" where its template has no value, such as an empty setting."""
    values = config_renderer(ctx.instance, step.vnfd(ctx), ctx.plan.settings).values(binding.planned, None)
    try:
        return str(ip_address(render(spec.address, values)))
    except (UndefinedNameError, ValueError):
        return ""


def missing_service(ctx: Context, step: VerifyService, element: NetworkElement, since: datetime) -> Iterator[str]:
    """Yield a sentence for each thing that the element lacks to be in service."""
    if element.state != MANAGED:
        yield f"{element.name} is {element.state.lower()}, so it is not polled"
        return
    fresh = element.equipment_observed_at is not None and element.equipment_observed_at > since
    if element.reachable != "True" or not fresh:
        reason = "" if element.reachable == "True" else f" ({element.reachable_message})"
        yield f"{element.name} at {element.management_address}: waiting for its answer{reason}"
        return
    cards = {card.slot: card for card in Equipment.objects.filter(element=element, equipment_class__in=CARDS)}
    if element.vnfc is not None:
        own = list(cards.values())
        yield from (
            _card_state(element, card.slot, card) for card in own if card.oper_state != Equipment.OperState.IN_SERVICE
        )
        if not own and driver_named(element.driver).lists_cards:
            yield f"{element.name} lists no card yet"
        return
    removed = ctx.params.get("gone", ())
    yield from (f"{element.name} slot {slot}: still lists its card" for slot in removed if slot in cards)
    for vnfc in _expected_cards(ctx, step):
        card = cards.get(vnfc.slot)
        if card is None or card.oper_state != Equipment.OperState.IN_SERVICE:
            yield _card_state(element, vnfc.slot, card)


def _expected_cards(ctx: Context, step: VerifyService) -> list[VnfcInfo]:
    """The VNFCs that are cards, whose desired state is STARTED, and that this operation does not leave down."""
    spec, left_down = step.element_spec(ctx), _left_down(ctx)
    vdus = (spec.per_component,) if spec.per_component else spec.cards
    cards = [row for row in vnfcs_of(instance_id=ctx.instance.id) if row.vdu_id in vdus]
    return [row for row in cards if row.desired == "STARTED" and str(row.id) not in left_down]


def _left_down(ctx: Context) -> list[str]:
    """Ids of the VNFCs that were down before the operation and that it does not bring back."""
    return list(ctx.params.get("leftDown", ()))


def _card_state(element: NetworkElement, slot: str, card: Equipment | None) -> str:
    if card is None:
        return f"{element.name} slot {slot}: no card yet"
    because = f" ({card.reason})" if card.reason else ""
    return f"{element.name} slot {slot}: {card.oper_state}{because}"


def _in_service(elements: list[NetworkElement], cards: int) -> str:
    names = ", ".join(element.name for element in elements)
    return f"{names} {'answers' if len(elements) == 1 else 'answer'}, {cards} of {cards} VNFCs in service"


def _not_serving(missing: list[str], elapsed: float, diagnoses: list[Diagnosis]) -> Problem:
    advice = " ".join(dict.fromkeys(diagnosis.next_step for diagnosis in diagnoses))
    return Problem(
        504,
        "NOT_SERVING",
        "The VNF does not serve",
        f"Its VMs run, and after {elapsed:.0f} s: {'; '.join(missing)}.",
        advice
        or "See the element, its cards and its alarms. Retry waits again; or roll back; or mark the operation failed.",
        (
            *(Cause("element", text) for text in missing),
            *(cause for diagnosis in diagnoses for cause in diagnosis.causes),
        ),
    )
