"""Tokens, keys and passwords written in a script: where they stand, never what they are.

:func:`~sbatchlint.secrets.find.find_secrets` gives the places, and
:func:`~sbatchlint.secrets.hidden.hidden_values` what is not to be shown.  The package reads plain text and
needs no parse of the shell.
"""

from sbatchlint.secrets.find import find_secrets
from sbatchlint.secrets.hidden import hidden_values
from sbatchlint.secrets.secret import Kind, Secret

__all__ = ["Kind", "Secret", "find_secrets", "hidden_values"]
