"""Servers under a condition of the HOT: VDUs of which there may be none."""

import pytest

from tests.factories.packages import schema
from tests.factories.templates import content
from tests.support.yaml_text import load_yaml
from tests.unit.catalog.derive.condition_templates import FILES, NEWEST
from vnfm.catalog.domain.conditional_vdus import condition_text, least, undecided, with_values
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.package import VNFD, check_content
from vnfm.catalog.domain.quota_need import quota_needs
from vnfm.catalog.domain.settings import effective_settings


@pytest.fixture(scope="module")
def found():
    return derive(content(FILES), NEWEST)


@pytest.fixture(scope="module")
def vnfd(found):
    assert [f for f in found.findings if f.severity == "error"] == []
    return check_content(content({**FILES, VNFD: found.vnfd, **found.files}), schema("vnfd"), NEWEST).vnfd


def there(vnfd, **settings):
    values = effective_settings(vnfd, settings)
    return {vdu.id for vdu in with_values(vnfd, values).vdus if not vdu.absent}


def test_the_settings_decide_what_there_is(vnfd):
    assert there(vnfd) == {"web", "vm"}
    assert there(vnfd, deploy_db=True) == {"web", "db", "vm"}
    assert there(vnfd, mode="ha") == {"web", "one", "workers", "vm"}
    assert there(vnfd, mode="ha", deploy_db="yes") == {"web", "db", "standby", "one", "two", "workers", "vm"}


def test_of_what_is_under_a_condition_there_is_at_least_none(vnfd):
    assert {vdu.id for vdu in vnfd.vdus if least(vdu)} == {"web"}
    texts = {vdu.id: condition_text(vdu) for vdu in vnfd.vdus}
    assert texts["standby"] == texts["two"] == "deploy_db, mode"
    assert (texts["web"], texts["vm"]) == ("", "what Heat alone knows")


def test_what_the_settings_do_not_decide_is_named(vnfd):
    assert undecided(vnfd, effective_settings(vnfd, {})) == {"vm"}


def test_the_quota_is_that_of_the_default_settings(vnfd):
    assert {need.instances for need in quota_needs(vnfd)} == {2}


def test_the_report_speaks_of_each_condition(found):
    notes = [f for f in found.findings if f.code == "DERIVE_CONDITION"]
    assert len(notes) == len([vdu for vdu in load_yaml(found.vnfd)["vdus"] if "condition" in vdu])
    assert any("depends on deploy_db, mode" in note.message for note in notes)


def test_the_report_says_what_the_defaults_come_to_and_what_the_plan_will_do() -> None:
    found = derive(content(FILES), NEWEST).findings
    said = {f.line: f.message for f in found if f.code.startswith("DERIVE_CONDITION") and f.file == "base.yaml"}
    db = next(message for message in said.values() if message.startswith("Db exists"))
    assert db.startswith(
        "Db exists under a condition only, which depends on deploy_db (deploy_db: False): by default there is none, "
        "and its minimum is 0. The plan evaluates the condition"
    )
    assert any("depends on deploy_db, mode (deploy_db: False, mode: single)" in message for message in said.values())
    assert any(message.startswith("pair, workers exist under conditions only") for message in said.values())
