"""Calls to addresses that users give: each is checked before anything is sent."""
