"""What was found before: baselines, and the lines that a change touches."""
