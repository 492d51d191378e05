from vnfm.elements.models.discovery import DiscoveryRule
from vnfm.elements.models.element import ManagementProfile, MediationPolicy, NetworkElement, PreparedNetwork, Site
from vnfm.elements.models.parts import Adjacency, BgpPeer, ElementFact, ElementOmission, Equipment, Interface, LastRows
from vnfm.elements.models.traps import Trap, TrapReceiver

__all__ = [
    "Adjacency",
    "BgpPeer",
    "DiscoveryRule",
    "ElementFact",
    "ElementOmission",
    "Equipment",
    "Interface",
    "LastRows",
    "ManagementProfile",
    "MediationPolicy",
    "NetworkElement",
    "PreparedNetwork",
    "Site",
    "Trap",
    "TrapReceiver",
]
