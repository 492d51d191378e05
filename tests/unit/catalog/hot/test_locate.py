"""Heat's words get the place in the templates that they are about."""

import pytest

from tests.factories.templates import HOT, template_set
from vnfm.catalog.domain.hot.locate import located

FILES = {
    "base.yaml": HOT
    + """resources:
  vm:
    type: OS::Nova::Server
    properties:
      flavor: m1
  one: {type: nested.yaml}
""",
    "nested.yaml": HOT + "resources:\n  c: {type: OS::Swift::Container}\n  v: {type: OS::Nova::Server}\n",
}


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("Property error: resources.vm.properties.flavor: Error validating value 'm1'", ("base.yaml", 6)),
        ("Property error: : resources.vm.properties.flavor: : no such flavor", ("base.yaml", 6)),
        ("Property error: Resources.vm.Properties.colour: Unknown Property colour", ("base.yaml", 4)),
        ("resources.vm: Something else", ("base.yaml", 4)),
        ("resources.gone.properties.flavor: not ours", ("", 0)),
        ("The Resource Type (OS::Swift::Container) could not be found.", ("nested.yaml", 3)),
        ("The Resource Type (OS::Nova::Server) could not be found.", ("", 0)),
        ("The Resource Type (OS::Sahara::Job) could not be found.", ("", 0)),
        ("no", ("", 0)),
    ],
)
def test_the_place_of_heats_words(words: str, place: tuple[str, int]) -> None:
    templates, _ = template_set(FILES)
    fault = located(templates, words)
    assert fault.message == words
    assert (fault.file, fault.line) == place
