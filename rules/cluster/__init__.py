"""Rules about what the cluster offers, as its profile says."""
