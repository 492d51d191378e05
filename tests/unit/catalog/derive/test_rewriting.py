"""Json parameters of other managers' templates, many at once: the time grows as their number does."""

from time import process_time

import pytest
import yaml

from tests.factories.templates import HOT, content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.derive.rewriting import rewrite

SIZES = (500, 2000)


def used_whole(number):
    names = [f"j{n}" for n in range(number)]
    uses = {name: {"type": "OS::Heat::Value", "properties": {"value": {"get_param": name}}} for name in names}
    return {
        "parameters": {name: {"type": "json"} for name in names},
        "resources": {f"r-{n}": u for n, u in uses.items()},
    }


def values_of_one_name(number):
    values = [{"get_param": ["nfv", f"group{n}", "name"]} for n in range(number)]
    use = {"type": "OS::Heat::Value", "properties": {"value": values}}
    return {"parameters": {"nfv": {"type": "json"}}, "resources": {"r": use}}


@pytest.mark.parametrize("template", [used_whole, values_of_one_name])
def test_the_time_grows_as_the_template_does(template):
    def seconds(number):
        text = HOT + yaml.dump(template(number), Dumper=yaml.CSafeDumper)
        begin = process_time()
        rewrite(content({"base.yaml": text}), "base.yaml", foreign=True)
        return process_time() - begin

    small, large = map(seconds, SIZES)
    assert large < 10 * small, "four times as large"


def test_values_of_one_name_become_different_parameters():
    found = rewrite(content({"base.yaml": HOT + yaml.safe_dump(values_of_one_name(3))}), "base.yaml", foreign=True)
    data = load_yaml(found.files[found.path])
    names = [value["get_param"] for value in data["resources"]["r"]["properties"]["value"]]
    assert len(set(names)) == 3
    assert set(names) == set(data["parameters"])
