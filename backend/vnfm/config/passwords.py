"""Rules for passwords, in addition to Django's own."""

from django.core.exceptions import ValidationError

from vnfm.accounts.domain.names import skeleton


class NotRepeatedValidator:
    """Refuses a password that is one word, written several times."""

    def validate(self, password: str, user: object = None) -> None:
        word = password.casefold()
        if word in (word + word)[1:-1]:
            raise ValidationError("This password repeats a shorter one.", code="password_repeated")

    def get_help_text(self) -> str:
        return "Your password must not be a word that is repeated."


class NotOwnNameValidator:
    """Refuses a password that is the user's name with little around it."""

    SHORTEST = 6
    """Characters in addition to the name."""

    def validate(self, password: str, user: object = None) -> None:
        own = skeleton(getattr(user, "username", ""))
        rest = skeleton(password).replace(own, "") if own else password
        if len(rest) < min(self.SHORTEST, len(password)) and rest != skeleton(password):
            raise ValidationError("This password is too similar to the user name.", code="password_own_name")

    def get_help_text(self) -> str:
        return "Your password must not be your user name with a few characters more."
