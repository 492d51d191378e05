"""Push lines or XML to an element's configuration, or roll it back to a version: checks, and a job for a worker."""

from datetime import datetime

from vnfm.configuration.domain.dialects import DIALECTS, Dialect
from vnfm.configuration.domain.statements import CONTROL_CHARACTER, lines_of
from vnfm.configuration.domain.xml import XML_WITHOUT_NETCONF, nodes_of
from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion, seal_text
from vnfm.configuration.services.jobs import job_create, require_login
from vnfm.configuration.services.versions import Reason
from vnfm.elements.models import NetworkElement
from vnfm.kit.problem import FieldError, ProblemError, conflict, unprocessable
from vnfm.kit.xml import XmlError, is_xml


def push_start(*, element: NetworkElement, text: str, dry_run: bool, by: str, now: datetime) -> ConfigurationJob:
    """Make lines, or by NETCONF XML, part of the element's configuration. Raises 422 for a text that is neither."""
    require_login(element)
    if element.netconf_policy_id is not None:
        _require_xml(text)
    else:
        _require_lines(DIALECTS[element.driver], text)
    columns = {"reason": Reason.PUSH, "by": by, "dry_run": dry_run, "sealed_text": seal_text(text)}
    return job_create(element, ConfigurationJob.Kind.PUSH, now, **columns)


def rollback_start(
    *, element: NetworkElement, version: ConfigurationVersion, dry_run: bool, by: str, now: datetime
) -> ConfigurationJob:
    """Make a version the running configuration again; a dry run shows how it differs from what runs."""
    require_login(element)
    require_same_language(element, version)
    columns = {"reason": Reason.ROLLBACK, "by": by, "dry_run": dry_run, "target": version}
    return job_create(element, ConfigurationJob.Kind.ROLLBACK, now, **columns)


def require_same_language(element: NetworkElement, version: ConfigurationVersion) -> None:
    """Raises 409 for a version that was read by another protocol than the element is configured by now."""
    by_netconf = element.netconf_policy_id is not None
    if is_xml(version.clear_text) == by_netconf:
        return
    was, now = ("at its command line", "by NETCONF") if by_netconf else ("by NETCONF", "at its command line")
    words = f"Version {version.number} was read {was}, and {element.name} is configured {now}."
    next_step = "Choose a later version, or change the NETCONF policy of the element back."
    raise conflict("OTHER_LANGUAGE", words, next_step)


def _require_lines(dialect: Dialect, text: str) -> None:
    if is_xml(text):
        raise _invalid_text("NO_NETCONF_POLICY", XML_WITHOUT_NETCONF)
    lines = lines_of(dialect.syntax, text)
    if not lines:
        raise _invalid_text("NOTHING_TO_PUSH", "There is no line of configuration in it.")
    bad = next((line.number for line in lines if CONTROL_CHARACTER.search(line.text)), None)
    if bad is not None:
        words = f"Line {bad} has a control character: the element would not read it as one line."
        raise _invalid_text("CONTROL_CHARACTER", words, "Remove it.")


def _require_xml(text: str) -> None:
    try:
        nodes_of(text)
    except XmlError as error:
        raise _invalid_text("BAD_XML", str(error)) from error


def _invalid_text(code: str, words: str, next_step: str = "") -> ProblemError:
    return unprocessable(code, words, [FieldError("/text", words)], next_step)
