"""Dialects by driver (`elements.domain.drivers`)."""

from vnfm.configuration.domain.dialects.base import Dialect
from vnfm.configuration.domain.dialects.frr import FRR, VTYSH
from vnfm.configuration.domain.dialects.sros import MD_CLI, SROS
from vnfm.configuration.domain.dialects.vrp import VRP, VRP_5

__all__ = ["DIALECTS", "FRR", "MD_CLI", "SROS", "VRP", "VRP_5", "VTYSH", "Dialect"]

DIALECTS: dict[str, Dialect] = {"nokia-sros": SROS, "huawei-vrp": VRP, "frr": FRR, "generic": VTYSH}
