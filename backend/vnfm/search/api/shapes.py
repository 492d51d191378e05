"""Serializers of the search."""

from typing import Any

from rest_framework import serializers

from vnfm.search.selectors.search import MIN_LENGTH, SearchKind

KINDS = [kind.value for kind in SearchKind]


class SearchQuery(serializers.Serializer[None]):
    q = serializers.CharField(
        min_length=MIN_LENGTH,
        max_length=200,
        trim_whitespace=False,  # the schema counts it, and no schema says what is trimmed: such a text finds nothing
        help_text="A name, an id, an address, a part of one, or words of an alarm; case does not matter.",
    )


class SearchHit(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    detail = serializers.CharField(help_text="Distinguishes it from others of the same name.")
    matched = serializers.CharField(help_text="The text that matched, when that is not the name.")
    ownerKind = serializers.ChoiceField(
        choices=KINDS, source="owner_kind", help_text="Kind of the object whose page displays it: often its own."
    )
    ownerId = serializers.CharField(source="owner_id")
    severity = serializers.CharField(help_text="Of an alarm; else empty.")


class SearchGroup(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS)
    hits = SearchHit(many=True)
    more = serializers.BooleanField(help_text="There are further ones of this kind.")


class SearchResult(serializers.Serializer[Any]):
    groups = SearchGroup(many=True, help_text="Those with the best hits first.")
