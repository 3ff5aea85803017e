"""The grammars of option values: what Slurm makes of the text after ``--time=`` and its like, by release.

Each grammar reads text into a typed value or raises :class:`~sbatchlint.slurm.grammar.base.Refused` with the
words that Slurm itself says.  Sources: ``src/common/proc_args.c``, ``parse_time.c``, ``slurm_opt.c`` and the
live Slurm.
"""
