"""Options that exclude each other."""
