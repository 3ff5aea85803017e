"""SB8: secrets and destructive commands."""
