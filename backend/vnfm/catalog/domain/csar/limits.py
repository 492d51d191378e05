"""Limits on the sizes of a deployment flavour, checked before anything is multiplied."""

from vnfm.catalog.domain.csar import nokia
from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.tosca import TopologyTemplate

MAX_EACH = 500
"""Maximum of each: levels, aspects, deltas, targets of a policy, members of a group."""
MAX_SIZES = 10_000
"""Maximum of instantiation levels times scaling aspects, and of VDUs times levels over all policies and groups."""


def exceeds_limits(topology: TopologyTemplate) -> bool:
    """Whether one of its lists exceeds MAX_EACH, or the sum of their products MAX_SIZES."""
    properties = nokia.properties(topology)
    aspects, levels = mapping(properties, "scaling_aspects"), mapping(properties, "instantiation_levels")
    members = {str(name): len(topology.group_members(str(name))) for name in mapping(topology.data, "groups")}
    counts = [len(aspects), len(levels), *members.values()]
    products = 0
    for policy in topology.policies():
        steps = [len(policy.mapping(key)) for key in ("levels", "aspects", "deltas")]
        targets = len(policy.targets())
        counts += [targets, *steps]
        products += targets * max(steps)
    if max(counts) > MAX_EACH:
        return True
    products += sum(members.get(nokia.group_of(aspect), 0) * len(levels) for aspect in aspects.values())
    return products > MAX_SIZES
