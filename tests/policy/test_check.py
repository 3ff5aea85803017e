"""Expressions that can't be checked: what is said of them, and where."""

from __future__ import annotations

import pytest

from sbatchlint.policy.check import Checked, check
from sbatchlint.policy.syntax import Fault

WRONG = [
    # expression, what is marked, what is said, what helps
    ("job.time <= 4", "job.time <= 4", "job.time is a duration, compared with an int", "duration('4h')"),
    ("jobs.nodes == 1", "jobs", "there is no variable 'jobs'", "did you mean 'job'?"),
    ("job.tme < job.time_min", "tme", "job has no field 'tme'", "did you mean 'time'?"),
    ("job.nodes", "job.nodes", "this is an int; an expression that is true or false is wanted", ""),
    ("duration('4 h') > job.time", "'4 h'", "'4 h' is no duration", ""),
    ("memory('64Gi') > job.memory_per_node", "'64Gi'", "'64Gi' is no amount of memory", ""),
    ("job.name.matches('(')", "'('", "'(' is no regular expression", ""),
    (r"job.name.matches('\bx')", r"'\bx'", "is a backspace", ""),
    ("job.name.matches('\udc80')", "'\udc80'", "half a character", ""),
    (r"job.name == '\U00110000'", r"'\U00110000'", "an escape that stands for no character", ""),
    (f"{'1' * 5000} == 1", "1" * 5000, "this is too large a number", ""),
    ("foo(1) == 1", "foo", "there is no function 'foo'", "known here: size, duration"),
    ("job.name.startWith('a')", "startWith", "there is no method 'startWith'", "did you mean 'startsWith'?"),
    ("job.name.startsWith()", "startsWith", "startsWith() takes 1 argument, not 0", ""),
    ("size(job.nodes) == 1", "job.nodes", "size() takes a string or a list or a map, not an int", ""),
    ("has(job.time)", "has", "has() is not used here", "'time' in job.options"),
    ("job.account == null", "null", "null is not used here", "job.account == ''"),
    ("'acount' in job.options", "'acount'", "no option is called 'acount'", "did you mean 'account'?"),
    ("job.options['--time'] == ''", "'--time'", "no option is called '--time'", "did you mean 'time'?"),
    ("steps.nodes == 1", "nodes", "steps is a list, which has no field 'nodes'", "steps.all(x, x.nodes ...)"),
    ("steps.all(s, s.nodes)", "s.nodes", "the condition of all() is a bool, not an int", ""),
    ("steps.all(job, true)", "job", "'job' has a meaning already", ""),
    ("steps.all(true)", "all", "all() takes a name and an expression", ""),
    ("'a' in job.name", "job.name", "job.name is a string, not a list or map", "job.name.contains('a')"),
    ("1 in job.partitions", "1", "job.partitions holds values of type string, and this is an int", ""),
    ("job.gpus * 1.5 > 2.0", "job.gpus * 1.5", "an int * a double can't be worked out", "double(...)"),
    ("job.gpus ? true : false", "job.gpus", "what stands before ? is a bool, not an int", ""),
    ("job.array ? 1 : 'a'", "job.array ? 1 : 'a'", "both answers are of one type", ""),
    ("['a', 1] == []", "1", "the elements of a list are of one type", ""),
    ("{'a': 1, 'a': 2}['a'] == 1", "'a'", "the key 'a' stands there twice", ""),
    ("job.partitions[0][0] == 'a'", "job.partitions[0]", "job.partitions[0] is a string, not a list", ""),
    ("job.account && true", "job.account", "each side of && is a bool, not a string", ""),
    ("!job.nodes", "job.nodes", "what stands behind ! is a bool, not an int", ""),
    ("job.array < job.exclusive", "job.array < job.exclusive", "a bool has no order", ""),
    ("steps == steps", "steps == steps", "a list of step can't be compared", ""),
    ("job.nodes == 1u", "1u", "1u is not used here", ""),
    ("job.nodes = 1", "=", "no valid CEL: '=' can't stand here", "=="),
    ("job.array and job.exclusive", "and", "no valid CEL: 'and' can't stand here", "write &&"),
    ("job.nodes <", "<", "no valid CEL: the expression ends too early", ""),
    ("job.name == 'a", "'a", "no valid CEL: a text begins here that does not end", ""),
    ("job.name in ['a', ]", "]", "no valid CEL: ']' can't stand here", "leave out the comma before ]"),
    ("job.nodes == 99999999999999999999", "99999999999999999999", "is too large a number", ""),
    ("", "", "an expression is wanted here", ""),
    ("job.nodes in [", "[", "no valid CEL: the expression ends too early", ""),
]


@pytest.mark.parametrize(("text", "marked", "said", "help"), WRONG, ids=[row[0] for row in WRONG])
def test_a_wrong_expression_is_marked_and_explained(text: str, marked: str, said: str, help: str) -> None:
    faults = check(text)
    assert not isinstance(faults, Checked)
    fault = next(one for one in faults if said in one.message)
    assert text[fault.start : fault.end].strip() == marked
    assert help in fault.help


def test_all_faults_are_told_at_once() -> None:
    faults = check("job.tme < 4 && jbo.nodes == 1")
    assert isinstance(faults, tuple)
    assert [fault.message for fault in faults] == [
        "job has no field 'tme'",
        "there is no variable 'jbo'",
    ]


def test_one_fault_makes_no_others() -> None:
    faults = check("job.tme <= duration('4h') && foo.bar.all(x, x.y)")
    assert isinstance(faults, tuple) and all(isinstance(fault, Fault) for fault in faults)
    assert len(faults) == 2


def test_what_is_read_is_known_with_variables_fields_and_options() -> None:
    found = check("'qos' in job.options && job.time < duration('1h') && steps.all(s, s.nodes == 1)")
    assert isinstance(found, Checked)
    assert found.reads == (("job", "options"), ("options", "qos"), ("job", "time"), ("step", "nodes"))
    assert found.roots == {"job", "steps"}


@pytest.mark.parametrize(
    "text",
    [
        "true",
        "job.partition in {'a': 1}",
        "{'a': duration('1h')}[job.partition] >= job.time",
        "job.options.account == 'a'",
        "size([]) == 0",
        "job.licenses.map(l, l + 'x').filter(l, l != '').size() < 3",
        "double(job.gpus) * 1.5 > 2.0 // a comment",
        "-job.gpus < 0x10",
        "job.time.getHours() < 4",
    ],
)
def test_a_sound_expression_is_accepted(text: str) -> None:
    assert isinstance(check(text), Checked)
