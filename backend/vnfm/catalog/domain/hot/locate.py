"""The place in the templates that Heat's words are about."""

from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.hot.templates import TemplateSet
from vnfm.kit.patterns import pattern

_PATH = pattern(r"(?i)\bresources\.([^\s.:\[\]]+)(?:\.properties\.([^\s.:\[\]]+))?")
"""A path as Heat writes it (HeatExceptionWithPath in heat/common/exception.py): resources.vm.properties.flavor."""
_TYPE = pattern(r"\b\w+(?:::\w+)+")


def located(templates: TemplateSet, words: str) -> PackageFault:
    """Heat's words, at the resource or property of the root that they name, or the one resource of a type that they
    name; without a place where there is no such thing.
    """
    path, kind = _PATH.search(words), _TYPE.search(words)
    if path and path[1] in templates.root.resource_types:
        name, property_name = path[1], path[2]
        known = property_name in (templates.root.resource(name).get("properties") or ())
        where = ("resources", name, "properties", property_name) if known else ("resources", name)
        return templates.root.document.fault(where, words)
    uses = [
        (template, use)
        for template in templates.templates.values()
        for use in template.resources_defined
        if kind and use.type == kind[0]
    ]
    if len(uses) != 1:
        return PackageFault("", words)
    ((template, use),) = uses
    return template.document.fault((*use.where, "type"), words)
