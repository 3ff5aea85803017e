"""What the exit status of every command means."""

OK = 0
FINDINGS = 1
"""Problems were found, or with ``--diff`` there is something to change."""
FAILURE = 2
"""Wrong use, an input that cannot be checked, or a fault of the tool."""
INTERRUPTED = 130
READER_GONE = 141
"""Whoever read the output went away, as ``head`` does."""
