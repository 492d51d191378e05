"""Rows of the alarm dictionary: faults of the VNF manager itself."""

from vnfm.faults.domain.fault_type import FaultType, Severity

MANAGER_FAULTS = (
    FaultType(
        "ManagerProcessSilent",
        "PROCESSING_ERROR_ALARM",
        "applicationSubsystemFailure",
        "",
        Severity.CRITICAL,
        "Always critical: without the process its part of the manager does not work.",
        "A process of that name writes heartbeats again.",
        "Read its log (./vnfm logs NAME). ./vnfm up restarts it by itself; elsewhere restart it."
        " Runbook: backend/docs/runbooks/process-silent.md.",
        "No process of that name has written a heartbeat for VNFM_PROCESS_SILENT_SECONDS.",
        ("MANAGER",),
    ),
    FaultType(
        "ManagerDiskSpaceLow",
        "PROCESSING_ERROR_ALARM",
        "storageCapacityProblem",
        "",
        Severity.MAJOR,
        "Major below VNFM_DISK_LOW_PERCENT or at 90 % of a quota, critical below VNFM_DISK_CRITICAL_PERCENT or at it.",
        "Enough of the file system is free again.",
        "Delete packages that no instance uses, or give the file system more room; PostgreSQL stops when it is full."
        " Runbook: backend/docs/runbooks/disk-space-low.md.",
        "A file system with files of ours has less free space, or packages, uploads or logs reach their quota.",
        ("MANAGER",),
    ),
    FaultType(
        "ManagerBackupFailed",
        "PROCESSING_ERROR_ALARM",
        "applicationSubsystemFailure",
        "",
        Severity.MAJOR,
        "Always major: what happens since the last good backup would be lost with the disk.",
        "A scheduled backup succeeds again.",
        "Read ./vnfm logs backups, and the reason in the details; make one by ./vnfm backup."
        " Runbook: backend/docs/runbooks/backup.md.",
        "The last scheduled backup failed, or the newest one is older than twice VNFM_BACKUP_HOURS.",
        ("MANAGER",),
    ),
    FaultType(
        "ManagerClockDiffers",
        "PROCESSING_ERROR_ALARM",
        "applicationSubsystemFailure",
        "",
        Severity.MAJOR,
        "Always major: times of alarms and operations are wrong, and a poll may pass for a later one.",
        "The clocks differ by 10 s at most again.",
        "Have both machines keep time by NTP (chronyc tracking, timedatectl)."
        " Runbook: backend/docs/runbooks/clock-differs.md.",
        "The clock of a machine with processes of ours differs from the database's by more than 10 s.",
        ("MANAGER",),
    ),
)
