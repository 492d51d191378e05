"""The base of all simulated services: store, clock, timers, change bus, dispatch and admission."""
