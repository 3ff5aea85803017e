"""Values that are one of a few words, or a list of them.

Sources: ``arg_set_*`` in ``src/common/slurm_opt.c``, ``verify_hint`` in ``src/common/proc_args.c``,
``parse_rlimits`` in ``src/common/slurm_rlimits_info.c``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import leading_integer, lower
from sbatchlint.slurm.options import Release

_EXCLUSIVE_SINCE: Mapping[str, Release] = {
    "exclusive": (0, 0),
    "oversubscribe": (0, 0),
    "user": (0, 0),
    "mcs": (0, 0),
    "topo": (24, 5),
    "allocation": (26, 5),
}
_HINTS = frozenset({"compute_bound", "memory_bound", "multithread", "nomultithread"})
_GRES_FLAG_LISTS = (23, 11)
"""From here on ``--gres-flags`` is a list, with the words for sharing."""
_BINDING_FLAGS = ("disable-binding", "enforce-binding")
_SHARING_FLAGS = ("one-task-per-sharing", "multiple-tasks-per-sharing")
_CONTRADICTIONS = (_BINDING_FLAGS, _SHARING_FLAGS)
_SRUN_FLAG = "allow-task-sharing"
_LIMITS = frozenset("CPU FSIZE DATA STACK CORE RSS NPROC NOFILE MEMLOCK AS".split())
_EXPEDITE_CHECKED = (26, 5)
"""From here on ``--requeue=`` takes no other word than ``expedite``."""
_USER_ENVIRONMENT_FLAG = (25, 5)
"""From here on ``--get-user-env`` takes no value."""


class OpenMode(Enum):
    """What becomes of an output file that is there already."""

    APPEND = "append"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class UserEnvironment:
    """``--get-user-env``: the longest wait for the login shell, and how it is started."""

    seconds: int | None
    login: bool | None
    """True for a login shell (``L``), False for plain ``su`` (``S``), None where not said."""


def _refusal(context: Context, words: str) -> Refused:
    return Refused(f"Invalid --{context.option} specification", f"it takes {words}")


def _open_mode(text: str, context: Context) -> OpenMode:
    for mode in OpenMode:
        if lower(text[:1]) == mode.value[0]:
            return mode
    raise _refusal(context, "append or truncate")


def _exclusive(text: str, context: Context) -> str:
    word = lower(text) or "exclusive"
    known = [word for word, since in _EXCLUSIVE_SINCE.items() if context.release >= since]
    if word not in known:
        raise _refusal(context, ", ".join(known))
    return word


def _hints(text: str, context: Context) -> tuple[str, ...]:
    words = tuple(re.split(";|,(?![0-9])", text))
    for word in words:
        if lower(word) == "help":
            raise Refused("Application hint options:", "sbatch prints its help and submits nothing")
        if lower(word) not in _HINTS:
            raise Refused(f'unrecognized --hint argument "{word}", see --hint=help')
    return tuple(lower(word) for word in words)


def _one_of(meanings: Mapping[str, bool]) -> Callable[[str, Context], bool]:
    """Make a reader of words that mean yes or no, in either case of letters."""

    def read(text: str, context: Context) -> bool:
        if lower(text) not in meanings:
            raise _refusal(context, " or ".join(word for word in meanings if word))
        return meanings[lower(text)]

    return read


def _expedite(text: str, context: Context) -> bool:
    """Tell whether the job is requeued in a hurry."""
    word = lower(text)
    if context.release >= _EXPEDITE_CHECKED and word not in ("", "expedite"):
        raise _refusal(context, "expedite, or nothing")
    return word == "expedite"


def _gres_flags(text: str, context: Context) -> tuple[str, ...]:
    if context.release < _GRES_FLAG_LISTS:
        if lower(text) not in _BINDING_FLAGS:
            raise _refusal(context, "disable-binding or enforce-binding")
        return (lower(text),)
    words = tuple(word for word in text.split(",") if word)
    for word in words:
        if lower(word) == _SRUN_FLAG:
            if context.command == "srun":
                continue
            raise Refused(f"--gres-flags={_SRUN_FLAG} is only used with srun.")
        if lower(word) not in _BINDING_FLAGS + _SHARING_FLAGS:
            raise Refused(f"Invalid --gres-flags specification: {word}")
    flags = tuple(lower(word) for word in words)
    for one, other in _CONTRADICTIONS:
        if one in flags and other in flags:
            raise Refused(f"Invalid --gres-flags combo: {one} and {other} are mutually exclusive.")
    return flags


def _limits(text: str, context: Context) -> frozenset[str]:
    """Give the resource limits that go with the job."""
    if text in ("", "ALL"):
        return _LIMITS
    if text == "NONE":
        return frozenset()
    words = [re.sub("^(RLIMIT_)+", "", word) for word in re.split("[, \t\n]+", text) if word]
    for word in words:
        if word not in _LIMITS:
            raise Refused(f"--{context.option}={text} is not valid.", f"bad limit name: {word}")
    return frozenset(words)


def _user_environment(text: str, context: Context) -> UserEnvironment:
    if not text or context.release >= _USER_ENVIRONMENT_FLAG:
        return UserEnvironment(None, None)
    seconds, rest = leading_integer(text)
    mode = lower(rest[:1])
    if mode not in ("", "s", "l"):
        raise _refusal(context, "seconds, with S or L behind them")
    return UserEnvironment(seconds, {"": None, "s": False, "l": True}[mode])


_YES_NO = {"yes": True, "no": False}
_SEND_LIBS = {"": True, "yes": True, "y": True, "no": False, "n": False}
_NO_KILL = {"": True, "set": True, "off": False, "no": False}

GRAMMARS = (
    Grammar(
        "open_mode",
        "what becomes of an output file that is there already",
        (("append", "it grows"), ("truncate", "it is emptied")),
        ("append", "truncate", "a", "T", "Append"),
        ("", "w", "overwrite", " append"),
        _open_mode,
        ("Only the first letter counts.",),
    ),
    Grammar(
        "exclusive",
        "with whom the job shares its nodes",
        (
            ("", "with nobody"),
            ("exclusive", "with nobody"),
            ("user", "with jobs of the same user"),
            ("mcs", "with jobs of the same MCS label"),
            ("oversubscribe", "with any"),
            ("topo", "no other job in the same part of the topology (since 24.05)"),
            ("allocation", "as exclusive, but steps are not (since 26.05)"),
        ),
        ("", "exclusive", "user", "mcs", "USER", "oversubscribe"),
        ("yes", "job", "no", "node", "none"),
        _exclusive,
        ("The value can only be glued to the name: --exclusive=user, not --exclusive user.",),
    ),
    Grammar(
        "hint",
        "how tasks are bound to CPUs",
        (
            ("compute_bound", "all cores of each socket"),
            ("memory_bound", "one core of each socket"),
            ("multithread, nomultithread", "with or without the extra threads of a core"),
        ),
        ("compute_bound", "memory_bound", "multithread", "NoMultiThread", "nomultithread,memory_bound"),
        ("", "x", "compute-bound", "multithread,x", "multithread,"),
        _hints,
        ("With --ntasks-per-core, --threads-per-core or -B the hint is not even read.",),
    ),
    Grammar(
        "yes_no",
        "yes or no",
        (("yes", ""), ("no", "")),
        ("yes", "no", "YES"),
        ("", "y", "true", "1"),
        _one_of(_YES_NO),
    ),
    Grammar(
        "optional_yes_no",
        "yes or no; nothing is yes",
        (("yes, y", ""), ("no, n", "")),
        ("", "yes", "No", "y"),
        ("true", "1", "off"),
        _one_of(_SEND_LIBS),
    ),
    Grammar(
        "optional_off",
        "nothing to set it, off to unset it",
        (("", "set"), ("set", "set"), ("off, no", "unset")),
        ("", "set", "off", "NO"),
        ("yes", "on", "0"),
        _one_of(_NO_KILL),
    ),
    Grammar(
        "flag_or_expedite",
        "nothing, or expedite",
        (("", "the job may be requeued"), ("expedite", "and comes first then (since 25.11)")),
        ("", "expedite"),
        (),
        _expedite,
        ("25.11 takes any other word as none; 26.05 refuses it.",),
    ),
    Grammar(
        "gres_flags",
        "how GRES are bound to CPUs",
        (
            ("disable-binding", "any CPU may use any GRES"),
            ("enforce-binding", "only CPUs bound to the GRES"),
            ("one-task-per-sharing, multiple-tasks-per-sharing", "who shares shards or MPS (since 23.11)"),
            ("allow-task-sharing", "all GPUs open to every task of the node (srun alone, since 23.11)"),
        ),
        ("disable-binding", "enforce-binding", "Enforce-Binding"),
        ("x", "disable", "disable-binding,x", "disable-binding,enforce-binding"),
        _gres_flags,
        ("Several words are taken since 23.11.",),
    ),
    Grammar(
        "optional_rlimits",
        "which limits of the submitting shell go with the job",
        (("", "all"), ("ALL", ""), ("NONE", ""), ("STACK,NOFILE", "limits, with or without RLIMIT_")),
        ("", "ALL", "NONE", "STACK", "STACK,NOFILE", "RLIMIT_MEMLOCK"),
        ("all", "stack", "x", "STACK,x", "STACK,ALL"),
        _limits,
        ("Names are upper case.",),
    ),
    Grammar(
        "user_env",
        "the environment of the user's login, and how long to wait for it",
        (("", "the default"), ("N", "seconds"), ("NS, NL", "by a plain or a login shell")),
        ("", "10", "10L", "S"),
        (),
        _user_environment,
        ("Since 25.05 the option takes no value.",),
    ),
)
