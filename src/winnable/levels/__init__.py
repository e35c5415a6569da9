"""Levels of any game: what a LEVEL may be, its identity, its files, and what it may carry."""
