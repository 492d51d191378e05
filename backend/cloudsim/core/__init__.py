"""What every simulated service stands on: store, clock, timers, change bus, dispatch and admission."""
