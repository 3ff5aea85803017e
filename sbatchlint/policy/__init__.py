"""Rules that a site writes as data: CEL expressions over what a job asks for and what it will start."""
