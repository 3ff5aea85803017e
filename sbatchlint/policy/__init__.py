"""Rules that a site writes as data: expressions over what a job asks for and starts."""
