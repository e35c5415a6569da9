"""What games agree on with all that works with them: puzzles, states, budgets, errors, parameters, abilities;
and the list of the games."""
