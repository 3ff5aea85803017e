"""Turns a single-node command into what a batch script for several nodes needs; nothing is run."""
