"""What earlier runs found, and how it is told that it still holds.

The lowest layer: it knows nothing of scripts, and importing it loads nothing but a few modules that every
Python process has.  docs/speed.md says how the two caches work.
"""
