"""Statistics of players and levels."""
