"""How much a deployment flavour may say of its sizes: counted before anything is multiplied."""

from vnfm.catalog.domain.csar import nokia
from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.tosca import Topology

MAX_EACH = 500
"""Levels, aspects, deltas, targets of a policy, members of a group: of each at most so many, as of VDUs."""
MAX_SIZES = 10_000
"""Instantiation levels times scaling aspects; and what all policies and groups spell out, VDUs times levels."""


def too_much(topology: Topology) -> bool:
    """Whether one of its lists has more than MAX_EACH, or their products together more than MAX_SIZES."""
    said = nokia.properties(topology)
    aspects, levels = mapping(said, "scaling_aspects"), mapping(said, "instantiation_levels")
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
