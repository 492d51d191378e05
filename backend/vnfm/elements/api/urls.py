from django.urls import path

from vnfm.elements.api.discovery_views import RULES, DiscoveryRuleScanApi
from vnfm.elements.api.element_views import (
    ElementApi,
    ElementForgetHostKeyApi,
    ElementListApi,
    ElementManageApi,
    ElementResyncApi,
    ElementSuspendApi,
    ElementUnmanageApi,
)
from vnfm.elements.api.export import ElementExportApi
from vnfm.elements.api.part_views import PARTS, EquipmentSearchApi, parts_of_element
from vnfm.elements.api.profile_views import PROFILES
from vnfm.elements.api.site_views import POLICIES, SITES
from vnfm.elements.api.trap_views import ElementTrapsApi, TrapListApi, TrapReceiverListApi
from vnfm.kit.web.resource import resource_urls

ELEMENT = "api/v1/elements/<uuid:element_id>"

urlpatterns = [
    *resource_urls("api/v1/sites", SITES),
    *resource_urls("api/v1/mediation_policies", POLICIES),
    *resource_urls("api/v1/management_profiles", PROFILES),
    *resource_urls("api/v1/discovery_rules", RULES),
    path("api/v1/discovery_rules/<uuid:rule_id>/scan", DiscoveryRuleScanApi.as_view()),
    path("api/v1/equipment", EquipmentSearchApi.as_view()),
    path("api/v1/traps", TrapListApi.as_view()),
    path("api/v1/trap_receivers", TrapReceiverListApi.as_view()),
    path("api/v1/elements", ElementListApi.as_view()),
    path("api/v1/elements.csv", ElementExportApi.as_view()),
    path(ELEMENT, ElementApi.as_view()),
    path(f"{ELEMENT}/manage", ElementManageApi.as_view()),
    path(f"{ELEMENT}/unmanage", ElementUnmanageApi.as_view()),
    path(f"{ELEMENT}/suspend", ElementSuspendApi.as_view()),
    path(f"{ELEMENT}/resync", ElementResyncApi.as_view()),
    path(f"{ELEMENT}/forget_host_key", ElementForgetHostKeyApi.as_view()),
    *(path(f"{ELEMENT}/{name}", parts_of_element(name)) for name in PARTS),
    path(f"{ELEMENT}/traps", ElementTrapsApi.as_view()),
]
