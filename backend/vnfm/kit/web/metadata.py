"""Answers to OPTIONS: what each method of a resource does, in the words of our OpenAPI document."""

from inspect import getdoc
from typing import TYPE_CHECKING, Any

from rest_framework.metadata import BaseMetadata
from rest_framework.request import Request

if TYPE_CHECKING:  # it imports us, by the settings
    from rest_framework.views import APIView


class MethodTexts(BaseMetadata):
    """Instead of DRF's, which shows the names of our classes."""

    def determine_metadata(self, request: Request, view: "APIView") -> dict[str, Any]:
        handlers = {name: getattr(view, name.lower(), None) for name in view.allowed_methods if name != "OPTIONS"}
        words = {name: (getdoc(handler) or "").partition("\n\n")[0] for name, handler in handlers.items()}
        return {
            "methods": {name: " ".join(text.split()) for name, text in words.items()},
            "parses": [parser.media_type for parser in view.parser_classes],
            "renders": [renderer.media_type for renderer in view.renderer_classes],
        }
