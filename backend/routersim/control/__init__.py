"""The control API over HTTP: elements, faults on command, counters."""
