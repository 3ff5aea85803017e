"""Questions that several rules ask of a job, in the words of the field."""
