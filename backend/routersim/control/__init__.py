"""The control API over HTTP: elements, fault injection and counters."""
