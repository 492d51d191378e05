"""Progress in bytes, as text."""

_UNITS = ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"), (1, "bytes"))


def progress_text(done: int, size: int) -> str:
    """`done` of `size` bytes in the largest fitting unit: "1.2 of 10 GiB"."""
    unit, name = next((unit for unit in _UNITS if size >= unit[0]), _UNITS[-1])
    return f"{_rounded(done / unit)} of {_rounded(size / unit)} {name}"


def _rounded(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
