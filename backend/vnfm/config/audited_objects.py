"""The audit trail names objects by these models and columns: entries outlive their objects."""

AUDITED_OBJECTS = {
    "alarm_routes": ("notifications.AlarmRoute", "name"),
    "alarm_policies": ("faults.AlarmPolicy", "fault_type"),
    "api_clients": ("accounts.User", "username"),
    "api_tokens": ("accounts.ApiToken", "name"),
    "automation_policies": ("automation.AutomationPolicy", "name"),
    "discovery_rules": ("elements.DiscoveryRule", "name"),
    "boards": ("performance.Board", "name"),
    "elements": ("elements.NetworkElement", "name"),
    "environments": ("lcm.Environment", "name"),
    "management_profiles": ("elements.ManagementProfile", "name"),
    "mediation_policies": ("elements.MediationPolicy", "name"),
    "packages": ("catalog.VnfPackage", "product_name"),
    "sites": ("elements.Site", "name"),
    "unclaimed": ("inventory.UnclaimedResource", "name"),
    "users": ("accounts.User", "username"),
    "vims": ("vims.Vim", "name"),
    "vnf_instances": ("inventory.VnfInstance", "name"),
    "vnf_lcm_op_occs": ("lcm.LcmOpOcc", "instance__name"),
    "vnfcs": ("inventory.Vnfc", "name"),
    "vnf_packages": ("catalog.VnfPackage", "product_name"),
}
"""Collection in a path → model and column of the name that the audit trail copies."""
