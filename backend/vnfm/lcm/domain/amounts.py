"""Sizes in words."""

_UNITS = ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"), (1, "bytes"))


def part_of(done: int, size: int) -> str:
    """How far something of `size` bytes is, such as "1.2 of 10 GiB"."""
    unit, name = next((unit for unit in _UNITS if size >= unit[0]), _UNITS[-1])
    return f"{_rounded(done / unit)} of {_rounded(size / unit)} {name}"


def _rounded(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
