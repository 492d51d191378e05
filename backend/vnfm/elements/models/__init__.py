from vnfm.elements.models.discovery import DiscoveryRule
from vnfm.elements.models.element import MediationPolicy, NetworkElement, Site
from vnfm.elements.models.parts import Adjacency, BgpPeer, ElementFact, Equipment, Interface
from vnfm.elements.models.traps import Trap, TrapReceiver

__all__ = [
    "Adjacency",
    "BgpPeer",
    "DiscoveryRule",
    "ElementFact",
    "Equipment",
    "Interface",
    "MediationPolicy",
    "NetworkElement",
    "Site",
    "Trap",
    "TrapReceiver",
]
