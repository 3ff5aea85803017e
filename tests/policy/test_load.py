"""Mistakes in policies and exceptions: each is told at its place in the file."""

from __future__ import annotations

import pytest

from sbatchlint.report.mistakes import mistakes_text
from sbatchlint.report.style import Style
from sbatchlint.toml.read import TomlError
from tests.policy.policies import load

POLICY = '[[policy]]\nname = "one"\nrequire = "true"\nmessage = "wrong"\n'
WRONG = [
    # the file, the text that is marked, what is said
    (POLICY.replace('"true"', '"job.nodes + 1"'), "job.nodes + 1", "require: this is an int"),
    (POLICY + 'when = "job.tme"\n', "tme", "when: job has no field 'tme'"),
    (POLICY.replace('"true"', '"""\ntrue &&\n  jbo.nodes == 1"""'), "jbo", "there is no variable 'jbo'"),
    (POLICY.replace('"true"', '"job.name == \\"\\u0061\\" && jbo"'), "jbo", "there is no variable 'jbo'"),
    (POLICY.replace('"true"', "'''\n\ntrue &&'''"), "&&", "the expression ends too early"),
    (POLICY.replace('"true"', '"true || \\\n"'.replace("\\\n", "")), "||", "the expression ends too early"),
    (POLICY.replace('"wrong"', '"{job.tme} is wrong"'), "tme", "message: job has no field 'tme'"),
    (POLICY.replace('"wrong"', '"{jbo.time}"'), "jbo", "message: a message can't show a value of 'jbo'"),
    (POLICY.replace('"wrong"', '"{job.comment}"'), "comment", "job.comment can't be shown"),
    (POLICY.replace('"wrong"', '"{job.options}"'), "options", "job.options can't be shown"),
    (POLICY + 'help = "{steps.nodes}"\n', "steps", "help: a message can't show a value of 'steps'"),
    (POLICY.replace('"one"', '"One"'), '"One"', "is no name for a policy"),
    (POLICY.replace('"one"', '"a--b"'), '"a--b"', "is no name for a policy"),
    (POLICY + 'severity = "fatal"\n', '"fatal"', "severity: 'fatal' is no value for it"),
    (POLICY + 'docs = "the wiki"\n', '"the wiki"', "the address of a page"),
    (POLICY + 'examples = { goud = "" }\n', "goud", "unknown key 'goud'"),
    (POLICY.replace('"one"', '"unknown-option"'), '"unknown-option"', "is the name of the rule SB"),
    (POLICY.replace('"one"', '"policy"'), '"policy"', "'policy' is a word for a group of rules"),
    (POLICY.replace('"true"', "'''\r\ntrue &&\r\n  jbo.nodes == 1'''"), "jbo", "no variable 'jbo'"),
    (POLICY.replace('"true"', "\"job.name == '😀' && jbo\""), "jbo", "there is no variable 'jbo'"),
    (POLICY + POLICY, '"one"', "there are two policies called 'one'"),
]


@pytest.mark.parametrize(("toml", "marked", "said"), WRONG, ids=[row[2] for row in WRONG])
def test_a_mistake_is_told_at_its_place(toml: str, marked: str, said: str) -> None:
    with pytest.raises(TomlError) as caught:
        load(toml)
    mistake = next(one for one in caught.value.mistakes if said in one.message)
    assert caught.value.source.slice(mistake.span) == marked


def test_the_mistakes_of_all_policies_are_told_at_once() -> None:
    other = POLICY.replace('"one"', '"two"')
    with pytest.raises(TomlError) as caught:
        load(POLICY.replace('"true"', '"jbo"') + other.replace('"true"', '"stpes"'))
    marked = [caught.value.source.slice(mistake.span) for mistake in caught.value.mistakes]
    assert marked == ["jbo", "stpes"]


EXCEPTION = POLICY + (
    '[[exception]]\npolicy = "one"\npaths = ["a.sh"]\nowner = "me"\nreason = "why"\nexpires = 2026-12-31\n'
)


@pytest.mark.parametrize(
    ("right", "wrong", "said", "help"),
    [
        ('policy = "one"', 'policy = "ones"', "there is no policy 'ones'", "did you mean 'one'?"),
        ('policy = "one"', 'policy = "zzz"', "there is no policy 'zzz'", "known here: one"),
        ("2026-12-31", '"2026-12-31"', "a day is wanted here, without quotes", ""),
        ("2026-12-31", "2026-12-31T00:00:00", "a day is wanted here", ""),
        ('["a.sh"]', "[]", "paths", ""),
        (
            '["a.sh"]',
            '["b.sh", "../a.sh"]',
            "paths: '../a.sh' can match no script",
            "the folder of this file",
        ),
        ('["a.sh"]', '"~/a.sh"', "paths: '~/a.sh' can match no script", ""),
        ('owner = "me"\n', "", "'owner' is missing", ""),
        ('reason = "why"', 'reason = ""', "reason", ""),
    ],
)
def test_a_wrong_exception_is_told(right: str, wrong: str, said: str, help: str) -> None:
    assert load(EXCEPTION)
    with pytest.raises(TomlError) as caught:
        load(EXCEPTION.replace(right, wrong))
    (mistake,) = caught.value.mistakes
    assert said in mistake.message and help in mistake.help


def test_the_picture_of_a_mistake_shows_line_and_caret() -> None:
    toml = POLICY.replace('"true"', '"""\njob.nodes == 1 &&\n    job.tme < duration(\'1h\')"""')
    with pytest.raises(TomlError) as caught:
        load(toml)
    assert mistakes_text(caught.value, Style(colour=False, links=False)) == (
        "error: require: job has no field 'tme'\n"
        " --> sbatchlint.toml:5:9\n"
        "  |\n"
        '5 |     job.tme < duration(\'1h\')"""\n'
        "  |         ^^^\n"
        "  = help: did you mean 'time'?\n"
    )


def test_without_policies_nothing_heavy_is_loaded() -> None:
    assert load("") == ()
