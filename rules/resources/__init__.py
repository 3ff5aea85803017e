"""Rules about what a job asks for."""
