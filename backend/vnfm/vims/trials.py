"""Trying a connection to a cloud out before it is kept; see `kit.trial`."""

import json
from uuid import UUID

from vnfm.clouds.types import Connection
from vnfm.kit import trial
from vnfm.kit.problem import FieldError, ProblemError, unprocessable
from vnfm.vims.domain.findings import Findings
from vnfm.vims.domain.registration import connection_json

TRY = "vims.try_connection"


def try_out(connection: Connection) -> Findings:
    """What a probe of it found. Raises 422 when the cloud refuses or keeps silent, 503 when no worker takes it up."""
    subject = {"connection": json.dumps(connection_json(connection))}
    return Findings(**trial.try_out(TRY, subject, too_slow=_too_slow()))


def trial_take(*, trial_id: UUID) -> Connection | None:
    """For the worker: the connection to try; None when another has it or nobody waits any more."""
    subject = trial.take(trial_id=trial_id)
    return None if subject is None else Connection(**json.loads(subject["connection"]))


def _too_slow() -> ProblemError:
    words = f"The cloud did not answer within {trial.WAIT_SECONDS:.0f} seconds."
    errors = [FieldError("/authUrl", words)]
    return unprocessable("VIM_TOO_SLOW", words, errors, "Check the cloud and the network between, then try again.")
