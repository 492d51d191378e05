from django.urls import path

from vnfm.vims.api.views import VimApi, VimListApi, VimNetworkListApi, VimProbeApi, VimResourcesApi

urlpatterns = [
    path("api/v1/vims", VimListApi.as_view()),
    path("api/v1/vims/<uuid:vim_id>", VimApi.as_view()),
    path("api/v1/vims/<uuid:vim_id>/networks", VimNetworkListApi.as_view()),
    path("api/v1/vims/<uuid:vim_id>/probe", VimProbeApi.as_view()),
    path("api/v1/vims/<uuid:vim_id>/resources", VimResourcesApi.as_view()),
]
