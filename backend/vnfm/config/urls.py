from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from vnfm.config.views import anything_else, healthz

CONTEXTS = ("accounts", "vims", "faults", "notifications")

urlpatterns: list[URLPattern | URLResolver] = [
    *(path("", include(f"vnfm.{c}.api.urls")) for c in CONTEXTS if find_spec(f"vnfm.{c}.api.urls")),
    path("healthz", healthz),
    path("api/v1/schema", SpectacularAPIView.as_view()),
    re_path("", anything_else),
]

handler400 = "vnfm.config.views.bad_request"
handler403 = "vnfm.config.views.forbidden"
handler404 = "vnfm.config.views.not_found"
handler500 = "vnfm.config.views.server_error"
