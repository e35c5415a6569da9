"""A game as somebody plays it: the tree of what was tried, the session, whole games by a player."""
