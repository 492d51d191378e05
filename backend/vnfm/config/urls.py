from django.urls import URLPattern, URLResolver, include, path, re_path

from vnfm.config.api_page import api_page, api_page_style
from vnfm.config.views import anything_else, healthz, schema
from vnfm.kit.etsi.versions import urls as api_version_urls

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("vnfm.accounts.api.urls")),
    path("", include("vnfm.catalog.api.urls")),
    path("", include("vnfm.vims.api.urls")),
    path("", include("vnfm.inventory.api.urls")),
    path("", include("vnfm.lcm.api.urls")),
    path("", include("vnfm.elements.api.urls")),
    path("", include("vnfm.configuration.api.urls")),
    path("", include("vnfm.faults.api.urls")),
    path("", include("vnfm.counters.api.urls")),
    path("", include("vnfm.automation.api.urls")),
    path("", include("vnfm.notifications.api.urls")),
    path("", include("vnfm.sol003_pm.api.urls")),
    path("", include("vnfm.topology.api.urls")),
    path("", include("vnfm.search.api.urls")),
    path("", include("vnfm.overview.api.urls")),
    path("", include("vnfm.config.metrics.urls")),
    *api_version_urls(),
    path("api/v1/schema", schema),
    path("api/v1/docs", api_page),
    path("api/v1/docs.css", api_page_style),
    path("healthz", healthz),
    re_path("", anything_else),
]

handler400 = "vnfm.config.views.bad_request"
handler403 = "vnfm.config.views.forbidden"
handler404 = "vnfm.config.views.not_found"
handler500 = "vnfm.config.views.server_error"
