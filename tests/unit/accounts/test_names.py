import pytest
from django.core.exceptions import ValidationError

from vnfm.accounts.domain.names import skeleton
from vnfm.accounts.models import User
from vnfm.config.passwords import NotOwnNameValidator, NotRepeatedValidator


@pytest.mark.parametrize("alike", ["ADMIN", "\u0430dmin", "\uff41dmin", "adm\u0456n", "Adm\u0406n"])
def test_names_that_look_alike(alike: str) -> None:
    assert alike != "admin"
    assert skeleton(alike) == skeleton("admin")


@pytest.mark.parametrize("other", ["admin2", "admln", "j\u00fcrgen", "\u0438\u0432\u0430\u043d"])
def test_names_that_do_not(other: str) -> None:
    assert skeleton(other) != skeleton("admin")


@pytest.mark.parametrize("password", ["adminadmin", "vnfmvnfmvnfm", "AdminADMIN", "aaaaaaaaaaaa"])
def test_a_repeated_word_is_no_password(password: str) -> None:
    with pytest.raises(ValidationError, match="repeats"):
        NotRepeatedValidator().validate(password)


@pytest.mark.parametrize("password", ["ann.operator", "ann.operator1", "2026ANN.operator!", "x\u0430nn.operator"])
def test_the_own_name_is_no_password(password: str) -> None:
    with pytest.raises(ValidationError, match="user name"):
        NotOwnNameValidator().validate(password, User(username="ann.operator"))


@pytest.mark.parametrize("password", ["correct horse battery", "kx7mq-2hzrt-bnp4c", "ann likes long words"])
def test_good_passwords(password: str) -> None:
    NotRepeatedValidator().validate(password)
    NotOwnNameValidator().validate(password, User(username="ann"))
    NotOwnNameValidator().validate(password)
