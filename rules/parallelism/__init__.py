"""SB7: parallelism."""
