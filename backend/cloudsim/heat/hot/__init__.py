"""The Heat Orchestration Template language of Liberty, without any access to cloud or clock."""
