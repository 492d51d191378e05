# Tacker's second API would run this to copy VDU1 for each VNFC; not run here.
from tacker.sol_refactored.infra_drivers.openstack.userdata import userdata_utils


class StandardUserData(userdata_utils.AbstractUserData):
    pass
