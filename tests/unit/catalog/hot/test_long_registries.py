"""Registries, resources and names by the thousand: the time grows as their number does."""

from time import process_time

import pytest

from tests.factories.templates import HOT, content, template_set
from vnfm.catalog.domain.hot.templates import find_files

SIZES = (125, 1000)
QUADRATIC = (SIZES[1] / SIZES[0]) ** 2


def growth(work):
    """Return how often as long `work` takes with eight times as much; the shortest of three times with less."""

    def seconds(given):
        begin = process_time()
        given()
        return process_time() - begin

    small, large = map(work, SIZES)
    return seconds(large) / min(seconds(small) for _ in range(3))


@pytest.mark.parametrize("pattern", ["OS::Heat::None", "My::T{}", "My::T{}*"])
def test_a_registry_as_long_as_the_template(pattern):
    def work(number):
        entries = ", ".join(f"'Other{n}::*': OS::Heat::None, My::T{n}: OS::Heat::None" for n in range(number))
        uses = "".join(f"  r{n}: {{type: {pattern.format(n)}}}\n" for n in range(number))
        files = {"base.yaml": f"{HOT}resources:\n{uses}", "base.env": f"resource_registry: {{{entries}}}\n"}

        def resolve():
            templates, _ = template_set(files)
            for _ in range(3):
                types = {templates.resolved_type(use.type, use.name) for use in templates.root.resources_defined}
                assert types <= {"OS::Heat::None", *(use.type for use in templates.root.resources_defined)}

        return resolve

    assert growth(work) < QUADRATIC / 2


def test_names_with_accents_that_no_file_has():
    def work(number):
        files = content({f"modele\u0301{n}.yaml": "" for n in range(number)})

        def find():
            assert find_files(files, "base.yaml", "model\u00e90.yaml") == ["modele\u03010.yaml"]
            for n in range(number):
                assert find_files(files, "base.yaml", f"mod\u00e8le{n}.yaml") == []

        return find

    assert growth(work) < QUADRATIC / 2
