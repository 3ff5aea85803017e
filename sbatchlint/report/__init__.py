"""What people and programs see of the findings: one file per output format."""
