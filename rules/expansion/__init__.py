"""SB4: when and where the shell expands."""
