from itertools import count

from vnfm.accounts.models import User

_numbers = count(1)


def make_user(*, role: str = "admin", password: str | None = None, **fields: object) -> User:
    """A stored user; without a password it cannot log in."""
    user = User(**{"username": f"{role}-{next(_numbers)}", "role": role, **fields})
    if password is None:
        user.set_unusable_password()
    else:
        user.set_password(password)
    user.save()
    return user
