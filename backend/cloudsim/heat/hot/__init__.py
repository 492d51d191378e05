"""The Heat Orchestration Template language as of Liberty: pure, no cloud, no clock."""
