from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from vnfm.accounts.models import User
from vnfm.accounts.roles import Role

if TYPE_CHECKING:
    from rest_framework.views import APIView


class ByRole(BasePermission):
    """Reading needs the view's `read_role` (viewer unless it says otherwise), all else its `write_role` (operator)."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not isinstance(request.user, User):
            return False
        if request.method in SAFE_METHODS:
            needed = getattr(view, "read_role", Role.VIEWER)
        else:
            needed = getattr(view, "write_role", None) or Role.OPERATOR
        return needed in request.user.roles
