"""The environment variables of the field."""
