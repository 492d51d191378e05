"""All tables of a family of elements."""

from __future__ import annotations

from routersim.mibs import huawei, logs, standard, timetra, timetra_chassis
from routersim.snmp.mib import Mib

MIBS: dict[str, Mib] = {
    "sros": Mib((*standard.TABLES, *logs.TABLES, *timetra_chassis.TABLES, *timetra.TABLES)),
    "vrp": Mib((*standard.TABLES, logs.NLM_STATS, logs.NLM_LOG, *huawei.TABLES)),
}
