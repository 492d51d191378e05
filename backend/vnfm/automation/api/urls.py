from django.urls import path

from vnfm.automation.api import views
from vnfm.kit.web.resource import resource_urls

_POLICY = "api/v1/automation_policies/<uuid:policy_id>"

urlpatterns = [
    *resource_urls("api/v1/automation_policies", views.POLICIES),
    path(f"{_POLICY}/resume", views.AutomationPolicyResumeApi.as_view()),
    path(f"{_POLICY}/decisions", views.AutomationDecisionListApi.as_view()),
]
