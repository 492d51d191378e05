from django.urls import path

from vnfm.search.api.views import SearchApi

urlpatterns = [path("api/v1/search", SearchApi.as_view())]
