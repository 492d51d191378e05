"""The adapter of `clouds.ports` on openstacksdk and heatclient. Chosen by `config.wiring`, imported nowhere else."""

from vnfm.clouds.openstack.provider import OpenStackProvider

__all__ = ["OpenStackProvider"]
