from django.urls import path

from vnfm.topology.api.views import PositionsApi, TopologyApi

urlpatterns = [
    path("api/v1/topology", TopologyApi.as_view()),
    path("api/v1/topology/positions", PositionsApi.as_view()),
]
