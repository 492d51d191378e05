"""The names of VNFCs for people, in plans, steps and dialogs."""

from typing import Protocol


class NamedVnfc(Protocol):
    """The attributes that identify a VNFC for people."""

    @property
    def vdu_id(self) -> str: ...
    @property
    def slot(self) -> str: ...
    @property
    def name(self) -> str: ...


def slot_name(vdu_name: str, slot: str) -> str:
    """Plans, steps and dialogs name the VNFC of a slot so: "Slot 4 (Mobile gateway VM)"; without a slot, its VDU."""
    return f"Slot {slot} ({vdu_name})" if slot else vdu_name


def label(vnfc: NamedVnfc) -> str:
    """The VNFC's name for people: "pe-cpm-A (cpm/A)"."""
    return f"{vnfc.name} ({vnfc.vdu_id}/{vnfc.slot})" if vnfc.slot else vnfc.name
