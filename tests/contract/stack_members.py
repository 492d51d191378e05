"""The members of a scaling group by the servers of its stack."""

from vnfm.clouds.ports import Cloud


def members(cloud: Cloud, stack_id: str) -> dict[str, str]:
    """Member name to server id, by the paths of the resources."""
    found = cloud.stacks.resources(stack_id)
    return {r.path[1]: r.physical_id for r in found if r.type == "OS::Nova::Server"}
