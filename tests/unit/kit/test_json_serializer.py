"""Bodies keep JSON's types: what DRF would convert is refused, and named."""

from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework import serializers

from vnfm.kit.web.wire import JsonSerializer

FIELDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "whole": (int,),
    "number": (int, float),
    "flag": (bool,),
}
"""Field to the Python types that its JSON values have."""
LEAVES = st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.sampled_from(["a", "0", "1", "true", "1.5"])


class Body(JsonSerializer):
    text = serializers.CharField(required=False)
    whole = serializers.IntegerField(required=False)
    number = serializers.FloatField(required=False)
    flag = serializers.BooleanField(required=False)


@example("flag", 0.0)
@given(st.sampled_from(sorted(FIELDS)), LEAVES)
def test_values_of_another_type_are_refused(name: str, value: Any) -> None:
    body = Body(data={name: value})
    fits = type(value) in FIELDS[name] or (name == "whole" and isinstance(value, float) and value.is_integer())
    assert body.is_valid() == fits
    assert fits or list(body.errors) == [name]


@pytest.mark.parametrize(("name", "text", "value"), [("whole", "7", 7), ("number", "1.5", 1.5), ("flag", "true", True)])
def test_the_texts_of_a_query_are_converted(name: str, text: str, value: object) -> None:
    body = Body(data=QueryDict(f"{name}={text}"))
    assert body.is_valid()
    assert body.validated_data[name] == value
