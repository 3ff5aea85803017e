"""What trains: frameworks, their options, and the sums of parallelism."""
