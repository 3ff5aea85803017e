"""SB3: how the job starts its processes."""
