"""States as arrays of numbers, for programs that learn."""
