"""Searches over the contract alone: they know no game."""
