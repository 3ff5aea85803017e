"""Words and lists of words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.grammar.mail import MailTypes
from sbatchlint.slurm.grammar.words import OpenMode, UserEnvironment

Read = Callable[..., object]
Refusal = Callable[..., Refused]


@pytest.mark.parametrize(
    ("text", "events", "passed_over"),
    [
        ("END", {"END"}, ()),
        ("begin,Fail", {"BEGIN", "FAIL"}, ()),
        ("ALL", {"INVALID_DEPEND", "BEGIN", "END", "FAIL", "REQUEUE", "STAGE_OUT"}, ()),
        ("END,NONE", set(), ()),
        ("END,FOO", {"END"}, ("FOO",)),
        ("TIME_LIMIT_90,ARRAY_TASKS", {"TIME_LIMIT_90", "ARRAY_TASKS"}, ()),
    ],
)
def test_mail_types(read: Read, text: str, events: set[str], passed_over: tuple[str, ...]) -> None:
    assert read("mail-type", text) == MailTypes(frozenset(events), passed_over)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("open-mode", "a", OpenMode.APPEND),
        ("open-mode", "Truncate", OpenMode.TRUNCATE),
        ("exclusive", "", "exclusive"),
        ("exclusive", "USER", "user"),
        ("exclusive", "oversubscribe", "oversubscribe"),
        ("hint", "NoMultiThread", ("nomultithread",)),
        ("kill-on-invalid-dep", "YES", True),
        ("send-libs", "", True),
        ("send-libs", "n", False),
        ("no-kill", "", True),
        ("no-kill", "off", False),
        ("profile", "Task,Network", frozenset({"task", "network"})),
        ("profile", "none", frozenset()),
        ("gres-flags", "Enforce-Binding", ("enforce-binding",)),
        ("propagate", "RLIMIT_STACK,NOFILE", frozenset({"STACK", "NOFILE"})),
        ("propagate", "NONE", frozenset()),
        ("get-user-env", "10L", UserEnvironment(10, True)),
        ("get-user-env", "", UserEnvironment(None, None)),
        ("acctg-freq", "30", {("task", 30)}),
        ("acctg-freq", "task=30,Energy=60", {("task", 30), ("energy", 60)}),
    ],
)
def test_taken(read: Read, option: str, text: str, value: object) -> None:
    assert read(option, text) == value


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("mail-type", "always", "Invalid --mail-type specification"),
        ("mail-type", "", "Invalid --mail-type specification"),
        ("open-mode", "w", "Invalid --open-mode specification"),
        ("exclusive", "yes", "Invalid --exclusive specification"),
        ("hint", "multithread,x", 'unrecognized --hint argument "x", see --hint=help'),
        ("hint", "", 'unrecognized --hint argument "", see --hint=help'),
        ("kill-on-invalid-dep", "1", "Invalid --kill-on-invalid-dep specification"),
        ("send-libs", "1", "Invalid --send-libs specification"),
        ("no-kill", "yes", "Invalid --no-kill specification"),
        ("profile", "cpu", "invalid --profile=cpu option"),
        ("gres-flags", "x", "Invalid --gres-flags specification"),
        ("propagate", "stack", "--propagate=stack is not valid."),
        ("get-user-env", "x", "Invalid --get-user-env specification"),
        ("acctg-freq", "30,x", "Invalid --acctg-freq specification: x"),
    ],
)
def test_refused(refusal: Refusal, option: str, text: str, said: str) -> None:
    assert refusal(option, text).said == said


@pytest.mark.parametrize(
    ("word", "before", "since"), [("topo", "23.11", "24.05"), ("allocation", "25.11", "26.05")]
)
def test_exclusive_by_release(read: Read, refusal: Refusal, word: str, before: str, since: str) -> None:
    assert refusal("exclusive", word, before).said == "Invalid --exclusive specification"
    assert read("exclusive", word, since) == word


def test_requeue_by_release(read: Read, refusal: Refusal) -> None:
    assert read("requeue", "expedite", "25.11") is True
    assert read("requeue", "x", "25.11") is False
    assert refusal("requeue", "x", "26.05").said == "Invalid --requeue specification"


def test_gres_flags_are_a_list_since_23_11(read: Read, refusal: Refusal) -> None:
    text = "disable-binding,multiple-tasks-per-sharing"
    assert refusal("gres-flags", text, "23.02").said == "Invalid --gres-flags specification"
    assert read("gres-flags", text, "23.11") == ("disable-binding", "multiple-tasks-per-sharing")
    assert refusal("gres-flags", "x", "23.11").said == "Invalid --gres-flags specification: x"
    said = "Invalid --gres-flags combo: disable-binding and enforce-binding are mutually exclusive."
    assert refusal("gres-flags", "enforce-binding,disable-binding", "23.11").said == said
    said = "--gres-flags=allow-task-sharing is only used with srun."
    assert refusal("gres-flags", "allow-task-sharing", "23.11").said == said


def test_srun_may_let_the_tasks_share_gpus(read: Read) -> None:
    text = "allow-task-sharing,Disable-Binding"
    assert read("gres-flags", text, "23.11", "srun") == ("allow-task-sharing", "disable-binding")
    with pytest.raises(Refused, match="Invalid --gres-flags specification"):
        read("gres-flags", text, "23.02", "srun")


def test_help_submits_nothing(refusal: Refusal) -> None:
    assert refusal("hint", "help").said == "Application hint options:"
