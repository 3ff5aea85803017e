"""What Slurm samples while a job runs, and how often: ``--profile``, ``--acctg-freq``.

Sources: ``acct_gather_profile_from_string`` and ``acct_gather_parse_freq`` (``src/common`` until 22.05,
``src/interfaces`` since), the same from 20.11 to 26.05.
"""

from __future__ import annotations

from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import leading_integer, lower

_PROFILES = ("energy", "task", "lustre", "network")
_FREQUENCIES = ("energy", "task", "filesystem", "network")


def _profile(text: str, context: Context) -> frozenset[str]:
    """Give what is sampled.  Slurm looks for its words anywhere in the text."""
    word = lower(text)
    if "none" in word:
        return frozenset()
    if "all" in word:
        return frozenset(_PROFILES)
    found = frozenset(name for name in _PROFILES if name in word)
    if not found:
        raise Refused(f"invalid --profile={text} option", "it takes all, none, energy, task, lustre, network")
    return found


def _frequencies(text: str, context: Context) -> frozenset[tuple[str, int]]:
    """Give each kind with the seconds between two of its samples; a bare number is ``task``."""
    found: dict[str, int] = {}
    for item in filter(None, text.split(",")):
        of_item = _item_frequencies(item)
        if not of_item:
            raise Refused(f"Invalid --{context.option} specification: {item}")
        found |= of_item
    return frozenset(found.items())


def _item_frequencies(item: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for kind in _FREQUENCIES:
        _, equals, number_text = lower(item).partition(f"{kind}=")
        number, rest = leading_integer(number_text)
        if equals and rest != number_text and number != -1:
            found[kind] = number
    number, rest = leading_integer(item)
    if rest != item and number != -1:
        found["task"] = number
    return found


GRAMMARS = (
    Grammar(
        "profile",
        "what is sampled while the job runs",
        (("all", ""), ("none", ""), ("energy, task, lustre, network", "a list of them")),
        ("all", "none", "energy", "Task,Network", "task,x"),
        ("", "x", "cpu"),
        _profile,
        ("Slurm looks for its words anywhere in the text and passes over all else.",),
    ),
    Grammar(
        "acctg_freq",
        "seconds between two samples",
        (("N", "of tasks"), ("task=N,energy=N,network=N,filesystem=N", "of each kind")),
        ("30", "task=30", "task=30,energy=60", "network=5,filesystem=0", ""),
        ("x", "task", "task=x", "cpu=5", "30,x"),
        _frequencies,
    ),
)
