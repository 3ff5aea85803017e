"""How many ranks a program becomes."""
