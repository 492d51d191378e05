"""A counted object has the threshold rules that match it."""

from dataclasses import replace
from uuid import UUID, uuid4

from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.domain.crossing import ThresholdDirection, ThresholdLimits
from vnfm.counters.domain.threshold_rules import AppliedRule, ElementScope, RuleIndex, covers

VSR, PE, VNF = UUID(int=1), UUID(int=2), UUID(int=3)
ELEMENTS = {VSR: ElementScope("VIRTUAL", VNF), PE: ElementScope("PHYSICAL", None)}
CPU = AppliedRule(
    id=uuid4(),
    version=1,
    name="cpu",
    severity="MAJOR",
    counter="cpu",
    object="",
    limits=ThresholdLimits(ThresholdDirection.ABOVE, 90, 80),
    element_id=VSR,
    instance_id=None,
    kind="",
)
OF_ALL_PORTS = replace(CPU, id=uuid4(), name="ports", counter="utilisationIn")
OF_ONE_PORT = replace(OF_ALL_PORTS, id=uuid4(), name="port", object="1/1/1")
OF_VNF = replace(CPU, id=uuid4(), name="vnf", element_id=None, instance_id=VNF)
OF_KIND = replace(CPU, id=uuid4(), name="kind", element_id=None, kind="PHYSICAL")
INDEX = RuleIndex([CPU, OF_ALL_PORTS, OF_ONE_PORT, OF_VNF, OF_KIND], ELEMENTS)


def names(element_id: UUID, name: str) -> set[str]:
    return {rule.name for rule in INDEX.rules_of(element_id, name)}


def test_an_object_has_the_rules_of_its_element_its_vnf_and_its_kind() -> None:
    assert names(VSR, SYSTEM) == {"cpu", "vnf"}
    assert names(VSR, "1/1/1") == {"ports", "port"}
    assert names(VSR, "1/1/2") == {"ports"}
    assert names(PE, SYSTEM) == {"kind"}
    assert names(PE, "1/1/1") == set()
    assert names(UUID(int=9), SYSTEM) == set(), "an element that is not known"


def test_a_rule_covers_what_it_is_of() -> None:
    covered = {
        rule.name: [element_id for element_id, element in ELEMENTS.items() if covers(rule, element_id, element)]
        for rule in INDEX.rules.values()
    }
    assert covered == {"cpu": [VSR], "ports": [VSR], "port": [VSR], "vnf": [VSR], "kind": [PE]}
