"""Edits: what would change in a script, applying it without harm, and writing it back."""
