"""How fast sbatchlint is: beside ShellCheck on the same files, and beside itself on larger ones.

Run it with ``python -m benchmarks``; docs/benchmarks.md says what each line measures.
"""
