"""Dialects by driver (`elements.domain.drivers`)."""

from vnfm.configuration.domain.dialects.base import Dialect
from vnfm.configuration.domain.dialects.frr import FRR, VTYSH
from vnfm.configuration.domain.dialects.sros import SROS
from vnfm.configuration.domain.dialects.vrp import VRP

__all__ = ["DIALECTS", "FRR", "SROS", "VRP", "VTYSH", "Dialect"]

DIALECTS: dict[str, Dialect] = {"nokia-sros": SROS, "huawei-vrp": VRP, "frr": FRR, "generic": VTYSH}
