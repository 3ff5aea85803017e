"""From the log of a job to what made it fail: what came first, what follows from it, what is mere noise."""
