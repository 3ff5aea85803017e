"""Putting files on disk so that nobody ever meets half of one, and nothing is lost that was there."""
