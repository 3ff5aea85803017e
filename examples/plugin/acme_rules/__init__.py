"""The rules of the ACME cluster: what its staff asks of every job."""

SBATCHLINT_API = 1
