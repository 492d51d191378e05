"""Reports of elements that their configuration has changed."""

CHANGE_TRAPS = (
    "1.3.6.1.4.1.6527.3.1.3.1.0.8",
    "1.3.6.1.4.1.6527.3.1.3.1.0.9",
    "1.3.6.1.4.1.6527.3.1.3.1.0.10",
    "1.3.6.1.4.1.2011.6.10.2.1",
)
"""tmnxConfigModify, -Create, -Delete (TIMETRA-SYSTEM-MIB); hwCfgManEventlog (HUAWEI-CONFIG-MAN-MIB)."""

CHANGE_FACT = "configuration_changed"
"""Name of the `ElementFact` with the time of the last change, where elements have one."""
