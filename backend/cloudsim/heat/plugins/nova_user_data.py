"""User data of a server in Heat's three formats."""

from __future__ import annotations

import json
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from typing import TYPE_CHECKING

from cloudsim.heat.plugins.software import config_text

if TYPE_CHECKING:
    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

_BOUNDARY = "===============heat=="


def compose(res: Handle) -> str:
    """Return the user data for Nova, "" for none; the id of a software config is replaced by its text."""
    given = res.props["user_data"] or ""
    text = config_text(res.engine.cloud.store, given) or given
    if res.props["user_data_format"] == "RAW" or not text:
        return text
    if text.startswith("Content-Type: multipart"):
        return text
    message = MIMEMultipart(boundary=_BOUNDARY)
    kind = "x-cfninitdata" if res.props["user_data_format"] == "HEAT_CFNTOOLS" else "x-shellscript"
    part = MIMEText(text, kind if not text.startswith("#!") else "x-shellscript")
    part.add_header("Content-Disposition", "attachment", filename="cfn-userdata")
    message.attach(part)
    return message.as_string()


def as_text(value: Json) -> str:
    """Return a metadata value as text for Nova."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)
