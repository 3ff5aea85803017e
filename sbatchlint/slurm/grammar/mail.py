"""``--mail-type``.

Source: ``parse_mail_type`` in ``src/common/proc_args.c``, the same from 20.11 to 26.05.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import lower

_MAIL_ALL = frozenset({"INVALID_DEPEND", "BEGIN", "END", "FAIL", "REQUEUE", "STAGE_OUT"})
_MAIL_LATE = {"TIME_LIMIT", "TIME_LIMIT_90", "TIME_LIMIT_80", "TIME_LIMIT_50", "ARRAY_TASKS"}
_MAIL_EVENTS = _MAIL_ALL | _MAIL_LATE


@dataclass(frozen=True, slots=True)
class MailTypes:
    """``--mail-type``: at which events mail is sent."""

    events: frozenset[str]
    """In upper case, ``ALL`` already replaced by what it stands for; empty after ``NONE``."""
    passed_over: tuple[str, ...] = ()
    """Words that Slurm does not know and passes over in silence, as long as it knows another."""


def _mail_types(text: str, context: Context) -> MailTypes:
    events: set[str] = set()
    passed_over: list[str] = []
    for word in filter(None, text.split(",")):
        event = lower(word).upper() if word.isascii() else word
        if event == "NONE":
            return MailTypes(frozenset())
        if event == "ALL":
            events |= _MAIL_ALL
        elif event in _MAIL_EVENTS:
            events.add(event)
        else:
            passed_over.append(word)
    if not events:
        raise Refused(
            f"Invalid --{context.option} specification",
            "it takes NONE, ALL, BEGIN, END, FAIL, REQUEUE, TIME_LIMIT and the like",
        )
    return MailTypes(frozenset(events), tuple(passed_over))


GRAMMARS = (
    Grammar(
        "mail_type",
        "at which events mail is sent",
        (
            ("NONE", "never, whatever stands beside it"),
            ("ALL", "INVALID_DEPEND, BEGIN, END, FAIL, REQUEUE and STAGE_OUT"),
            ("BEGIN,END,...", "events, in either case of letters"),
            ("TIME_LIMIT, TIME_LIMIT_90, _80, _50", "the time limit, or that part of it, is reached"),
            ("ARRAY_TASKS", "mail for each task of an array, not for the array as one"),
        ),
        ("NONE", "ALL", "begin,end", "END,FAIL", "TIME_LIMIT_90", "ARRAY_TASKS,ALL", "END,,FAIL", "END,NONE"),
        ("", ",", "always", "END FAIL", "TIME_LIMIT_95", "FAILED", "END;FAIL"),
        _mail_types,
        (
            "An unknown word is passed over in silence where a known one stands beside it.",
            "Until 24.11 the events of a repeated option add up; since 25.05 the last one wins.",
        ),
    ),
)
