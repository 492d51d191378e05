"""Drivers by sysObjectID. A new one is a module here, and a line below."""

from vnfm.elements.domain.drivers import frr, generic, sros, vrp
from vnfm.elements.domain.drivers.base import Driver

DRIVERS: tuple[Driver, ...] = (sros.DRIVER, vrp.DRIVER, frr.DRIVER, generic.DRIVER)
"""The first that fits is used; where none does, the generic one."""


def driver_for(sys_object_id: str) -> Driver:
    """The driver of an element with this sysObjectID."""
    return next((driver for driver in DRIVERS if driver.fits(sys_object_id)), generic.DRIVER)


def driver_named(name: str) -> Driver:
    """The driver of this name; the generic one when there is none."""
    return next((driver for driver in DRIVERS if driver.name == name), generic.DRIVER)
