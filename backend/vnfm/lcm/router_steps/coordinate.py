"""The step that has a foreign EM coordinate an operation (SOL002 clause 10), in place of our own drain."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.lcm.domain.states import CancelMode
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting, backoff
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.steps.base import Context, Step
from vnfm.nfvo.errors import CoordinationRejected, EmUnreachable, NfvoError
from vnfm.nfvo.ports import Coordinated, CoordinationAnswer, ElementManager
from vnfm.nfvo.registry import element_manager

METADATA, EM = "lcmCoordination", "EM"
"""Key and value in the metadata of a VNF instance that names the foreign EM."""
LONGEST_WAIT = 300.0
UNDO_SECONDS = 30.0
"""A rollback tries for this time to cancel a coordination at an EM that does not answer."""
DOING = "Asking the element manager"

SENT, ID, SINCE, UNTIL, ENDED = "sent", "id", "since", "until", "ended"
"""Keys in the receipt: times, but for the coordination's id. `sent` is noted before the request, and so its answer may
be lost; `until` is the end of the delay that the EM's last answer demands.
"""
RESULT, WORDS, WARNINGS, CLOSED = "result", "words", "warnings", "closed"
"""Keys there: coordinationResult, the EM's error and warnings, the warnings alone, and whether a retry asks for another
coordination.
"""
TRIES, REJECTIONS, EARLIER = "tries", "rejections", "earlier"
"""Keys there: tries in a row without an answer; 503 with Retry-After, (time, end of the delay) each; the coordinations
of attempts before this one.
"""


def names_em(instance: InstanceRecord) -> bool:
    """Return whether the foreign EM coordinates the VNF."""
    return bool(instance.metadata.get(METADATA) == EM)


def coordinated_by_em(instance: InstanceRecord) -> bool:
    return names_em(instance) and element_manager() is not None


class Coordinate(Step):
    """Ask the EM before VNFCs are taken away, obey its result, and wait for it without a thread.

    SOL002 has no request that would be the same if repeated: after a crash between request and answer the EM is
    searched for the coordination, and asked again where it has no search.
    """

    kind = "coordinate@1"
    ends_when_cancelled = True

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        if RESULT in receipt:
            return _outcome(receipt)
        em = element_manager()
        if em is None:
            return Blocked(CoordinationRejected("VNFM_EM_COORD_URL is not set any more.").as_problem(DOING))
        if ctx.op.cancel_mode and (stopped := _cancelled(ctx, receipt, em)) is not None:
            return stopped
        if (delay := _delay(receipt)) > 0 and ctx.elapsed < ctx.params["seconds"]:
            return Waiting(_waiting_words(receipt), at_least=min(delay, LONGEST_WAIT))
        return self._ask(ctx, receipt, em)

    def _ask(self, ctx: Context, receipt: Receipt, em: ElementManager) -> Outcome:
        begun = receipt if ID in receipt or SENT in receipt else {**receipt, SENT: _now()}
        if begun is not receipt:
            ctx.report(f"{DOING}: {ctx.params['action']}", begun)
        try:
            answer = _known(ctx, receipt, em) or em.coordinate(lcm_coord_request(ctx.op, ctx.params))
        except EmUnreachable as error:
            return _not_answered(ctx, begun, error)
        except NfvoError as error:
            ended = {ENDED: _now(), CLOSED: True} if ID in begun else {}
            ctx.report(error.message, {**_without(begun, SENT), **ended})
            return Blocked(error.as_problem(DOING))
        noted = {**_without(begun, SENT, TRIES, UNTIL), ID: answer.coordination_id}
        noted.setdefault(SINCE, _now())
        if isinstance(answer, Coordinated):
            return _ended(ctx, noted, answer)
        if answer.retry_after is not None:
            noted[UNTIL] = _after(answer.retry_after)
        return _within_limit(
            ctx, noted, Waiting(_waiting_words(noted), noted, min(answer.retry_after or 0.0, LONGEST_WAIT))
        )

    def retry(self, ctx: Context, receipt: Receipt) -> Receipt:
        """Goes on with a coordination that has taken too long; asks for another one where it had an end."""
        if not receipt.get(CLOSED):
            return _without(receipt, ENDED, UNTIL, TRIES)
        earlier = {name: receipt[name] for name in (ID, SINCE, ENDED, RESULT, WARNINGS) if name in receipt}
        return {REJECTIONS: receipt.get(REJECTIONS, []), EARLIER: [*receipt.get(EARLIER, []), earlier]}

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Cancels what still runs at the EM; of one that has ended, the EM learns the rollback by its subscription."""
        em = element_manager()
        if em is None or RESULT in receipt or receipt.get(CLOSED) or not (ID in receipt or SENT in receipt):
            return Done()
        try:
            coordination_id = _running_id(ctx, receipt, em)
            if coordination_id:
                em.cancel_coordination(coordination_id)
        except EmUnreachable as error:
            if ctx.elapsed < UNDO_SECONDS:
                return Waiting(error.message)
            return Done(f"The coordination may go on at the element manager, which cannot be reached: {error.message}")
        except NfvoError as error:
            return Done(f"The element manager did not cancel the coordination: {error.message}")
        return Done("The coordination is cancelled" if coordination_id else "")


def lcm_coord_request(op: LcmOpOcc, params: Mapping[str, Any]) -> dict[str, Any]:
    """The body of POST /coordinations (SOL002 clause 10); `inputParams` has the ids of the VNFCs that go."""
    lifecycle = f"{settings.PUBLIC_URL}/vnflcm/v2"
    return {
        "vnfInstanceId": str(op.instance_uuid),
        "vnfLcmOpOccId": str(op.id),
        "lcmOperationType": op.operation,
        "coordinationActionName": params["action"],
        "inputParams": {"vnfcInstanceIds": list(params["vnfcs"])},
        "_links": {
            "vnfLcmOpOcc": {"href": f"{lifecycle}/vnf_lcm_op_occs/{op.id}"},
            "vnfInstance": {"href": f"{lifecycle}/vnf_instances/{op.instance_uuid}"},
        },
    }


def _known(ctx: Context, receipt: Receipt, em: ElementManager) -> CoordinationAnswer | None:
    """Return the EM's answer to an earlier request for a coordination; None without one, or where the EM lost it."""
    if ID in receipt:
        return em.get_coordination(receipt[ID])
    return em.find_coordination(str(ctx.op.id), ctx.params["action"], _ids(ctx.op)) if SENT in receipt else None


def _ids(op: LcmOpOcc) -> set[str]:
    """Return the ids of the operation's coordinations, as far as the EM has answered with them."""
    receipts = [step.receipt or {} for step in op.steps.filter(kind=Coordinate.kind)]
    return {one[ID] for receipt in receipts for one in (receipt, *receipt.get(EARLIER, ())) if ID in one}


def _running_id(ctx: Context, receipt: Receipt, em: ElementManager) -> str:
    if ID in receipt:
        return str(receipt[ID])
    found = _known(ctx, receipt, em)
    return "" if found is None or isinstance(found, Coordinated) else found.coordination_id


def _cancelled(ctx: Context, receipt: Receipt, em: ElementManager) -> Outcome | None:
    """Have the EM cancel. A graceful cancellation waits for the result that follows: None, once it is requested."""
    gracefully = ctx.op.cancel_mode == CancelMode.GRACEFUL
    if gracefully and receipt.get(CLOSED):
        return None
    coordination_id, message = str(receipt.get(ID, "")), ""
    try:
        coordination_id = _running_id(ctx, receipt, em)
        if coordination_id:
            em.cancel_coordination(coordination_id)
    except NfvoError as error:
        message = error.message
    begun = {**_without(receipt, UNTIL), CLOSED: True}
    if coordination_id:
        begun = {SINCE: _now(), **begun, ID: coordination_id}
        if gracefully and not message:
            return Waiting("The element manager was asked to cancel", begun)
        begun |= {ENDED: _now(), RESULT: "CANCELLED", WORDS: message}
    ctx.report("Cancelled", begun)
    return Blocked(_cancelled_problem(message))


def _not_answered(ctx: Context, receipt: Receipt, error: EmUnreachable) -> Outcome:
    tries = receipt.get(TRIES, 0) + 1
    noted, after = {**receipt, TRIES: tries}, backoff(tries)
    if error.retry_after is not None:
        rejected_at, after = _now(), error.retry_after
        noted[UNTIL] = _after(after)
        if ID not in receipt:
            noted = _without(noted, SENT)
            noted[REJECTIONS] = [*receipt.get(REJECTIONS, []), [rejected_at, noted[UNTIL]]]
    waiting = Waiting(f"The element manager: {error.message}", noted, min(after, LONGEST_WAIT))
    if ctx.elapsed < ctx.params["seconds"]:
        return waiting
    ctx.report(waiting.message, {**noted, **({ENDED: _now()} if ID in noted else {})})
    return Blocked(error.as_problem(DOING))


def _within_limit(ctx: Context, receipt: Receipt, waiting: Waiting) -> Outcome:
    if ctx.elapsed < ctx.params["seconds"]:
        return waiting
    ctx.report(waiting.message, {**receipt, ENDED: _now()})
    return Blocked(_timed_out(ctx, receipt[ID]))


def _ended(ctx: Context, receipt: Receipt, answer: Coordinated) -> Outcome:
    words = " ".join(text for text in (answer.error, answer.warnings) if text)
    closed = answer.result != "CONTINUE"
    ended = {**receipt, ENDED: _now(), RESULT: answer.result, WORDS: words, CLOSED: closed}
    if answer.warnings:
        ended[WARNINGS] = answer.warnings
    ctx.report(f"The element manager says {answer.result}", ended)
    return _outcome(ended)


def _outcome(receipt: Receipt) -> Outcome:
    words = f": {receipt[WORDS]}" if receipt[WORDS] else ""
    if receipt[RESULT] == "CONTINUE":
        return Done(f"The element manager says CONTINUE{words}")
    if receipt[RESULT] == "CANCELLED":
        return Blocked(_cancelled_problem(receipt[WORDS]))
    text = f"The element manager says ABORT{words or ' and gives no reason'}."
    next_step = (
        "See why at the element manager. Retry asks it again; a rollback leaves the VNF as it is, and the operation "
        "may then be started with drain set to false, which does not ask."
    )
    title = "The element manager aborts the operation"
    return Blocked(Problem(409, "COORDINATION_ABORTED", title, text, next_step, (Cause("em", text),)))


def _cancelled_problem(message: str) -> Problem:
    text = f"The coordination with the element manager was cancelled. {message}".strip()
    return Problem(409, "CANCELLED", "Cancelled", text, "Retry asks the element manager again; or roll back.")


def _timed_out(ctx: Context, coordination_id: str) -> Problem:
    limit = ctx.params["seconds"]
    text = f"The element manager has not ended coordination {coordination_id} within {limit} s."
    next_step = "See what it waits for. Retry waits again; a rollback cancels it there."
    title = "The element manager takes too long"
    return Problem(504, "COORDINATION_TIMED_OUT", title, text, next_step, (Cause("em", text),))


def _waiting_words(receipt: Receipt) -> str:
    until = f", which is to be asked again at {receipt[UNTIL][11:19]} UTC" if UNTIL in receipt else ""
    begun = f"Coordination {receipt[ID]} goes on" if ID in receipt else "Not begun"
    return f"{begun} at the element manager{until}"


def _delay(receipt: Receipt) -> float:
    """Seconds until the next request to the EM."""
    return (datetime.fromisoformat(receipt[UNTIL]) - clock.now()).total_seconds() if UNTIL in receipt else 0.0


def _now() -> str:
    return clock.now().isoformat()


def _after(seconds: float) -> str:
    return (clock.now() + timedelta(seconds=seconds)).isoformat()


def _without(receipt: Receipt, *names: str) -> dict[str, Any]:
    return {name: value for name, value in receipt.items() if name not in names}
