"""Rules about environment variables and caches."""
