"""What is not known never makes a verdict: a verdict with unknown values is that of every completion."""

from __future__ import annotations

from typing import Any

from celpy.celtypes import BoolType
from celpy.evaluation import Activation, CELEvalError, Evaluator
from hypothesis import assume, event, given, settings

from sbatchlint.policy.check import Checked, check
from sbatchlint.policy.evaluate import Outcome, evaluate
from sbatchlint.policy.values import UNKNOWN, Entries, Items, Object, cel
from tests.policy.expressions import Pair, expressions, variables

_ALLOWED = (
    "a value is not known",
    "a number is divided by 0",
    "there is no key ",
    "there is no element ",
    "overflow",
    "range error",
    "a number is too large",
)
"""Why a sound expression may have no value."""


def _checked(text: str) -> Checked:
    found = check(text)
    assert isinstance(found, Checked), (text, found)
    return found


@settings(max_examples=200)
@given(expressions(), variables())
def test_a_verdict_holds_whatever_the_hidden_values_are(text: str, values: Pair) -> None:
    expression = _checked(text)
    known = evaluate(expression, values.known)
    event(f"with hidden values: {known.verdict}")
    if known.verdict is not None:
        assert evaluate(expression, values.truth).verdict is known.verdict, text


@settings(max_examples=120)
@given(expressions(), variables(hide=False))
def test_with_everything_known_celpys_own_functions_say_the_same(text: str, values: Pair) -> None:
    expression = _checked(text)
    ours, theirs = evaluate(expression, values.truth).verdict, _by_celpy(expression, values.truth)
    assume(ours is not None and theirs is not None)
    assert ours is theirs, text


def _by_celpy(expression: Checked, values: dict[str, Any]) -> bool | None:
    evaluator = Evaluator(expression.tree, Activation(vars=values))
    try:
        value = evaluator.evaluate()
    except CELEvalError:
        return None
    return bool(value) if isinstance(value, BoolType) else None


@settings(max_examples=200)
@given(expressions(wild=True), variables())
def test_an_accepted_expression_has_no_type_error_when_it_runs(text: str, values: Pair) -> None:
    found = check(text)
    event("accepted" if isinstance(found, Checked) else "refused")
    if not isinstance(found, Checked):
        assert all(0 <= fault.start <= fault.end <= len(text) and fault.message for fault in found)
        return
    for context in (values.truth, values.known):
        outcome = evaluate(found, context)
        assert outcome.verdict is not None or any(word in outcome.why for word in _ALLOWED), (text, outcome)


def _verdict(text: str, **job: Any) -> Outcome:
    steps = job.pop("steps", Items())
    return evaluate(_checked(text), {"job": Object(job), "steps": steps})


def test_unknown_is_absorbed_where_the_other_side_decides() -> None:
    assert _verdict("job.nodes > 1 || true", nodes=UNKNOWN).verdict is True
    assert _verdict("false && job.nodes > 1", nodes=UNKNOWN).verdict is False
    assert _verdict("job.nodes > 1 && true", nodes=UNKNOWN).verdict is None
    assert _verdict("!(job.nodes > 1)", nodes=UNKNOWN).verdict is None
    assert _verdict("(job.nodes > 1 ? true : true)", nodes=UNKNOWN).verdict is None


def test_a_list_that_may_hold_more_decides_only_what_its_own_elements_do() -> None:
    some = Items([Object({"tasks": cel(1)})], more=True)
    assert _verdict("steps.all(s, s.tasks == 1)", steps=some).verdict is None
    assert _verdict("steps.all(s, s.tasks == 2)", steps=some).verdict is False
    assert _verdict("steps.exists(s, s.tasks == 1)", steps=some).verdict is True
    assert _verdict("steps.exists(s, s.tasks == 2)", steps=some).verdict is None
    assert _verdict("size(steps) == 1", steps=some).verdict is None
    assert _verdict("steps.all(s, false)", steps=Items(more=True)).verdict is None
    assert _verdict("steps.exists(s, true)", steps=Items(more=True)).verdict is None


def test_an_element_that_may_be_missing_breaks_nothing() -> None:
    perhaps = Items([Object({"tasks": cel(1)})], [True])
    assert _verdict("steps.all(s, s.tasks == 2)", steps=perhaps).verdict is None
    assert _verdict("steps.all(s, s.tasks == 1)", steps=perhaps).verdict is True
    assert _verdict("steps.exists(s, s.tasks == 2)", steps=perhaps).verdict is False
    assert _verdict("steps.exists_one(s, s.tasks == 1)", steps=perhaps).verdict is None


def test_lists_made_of_such_a_list_keep_what_is_not_known() -> None:
    hidden = Items([Object({"tasks": UNKNOWN})])
    assert _verdict("size(steps.filter(s, s.tasks == 1)) == 1", steps=hidden).verdict is None
    assert _verdict("steps.filter(s, s.tasks == 1).all(s, false)", steps=hidden).verdict is None
    some = Items([Object({"tasks": cel(1)})], more=True)
    assert _verdict("size(steps.map(s, s.tasks)) == 1", steps=some).verdict is None
    assert _verdict("steps.exists_one(s, s.tasks == 1)", steps=some).verdict is None
    assert _verdict("job.partitions == ['a']", partitions=Items([cel("a")], more=True)).verdict is None
    assert _verdict("job.partitions != ['a', 'b']", partitions=Items([cel("a")], [True])).verdict is None
    assert _verdict("job.partitions[0] == 'a'", partitions=Items([cel("a")], more=True)).verdict is None


def test_a_map_that_may_hold_more_does_not_say_that_a_key_is_missing() -> None:
    options = Entries({"qos": cel("a")}, more=True)
    assert _verdict("'qos' in job.options", options=options).verdict is True
    assert _verdict("'account' in job.options", options=options).verdict is None
    assert _verdict("job.options['account'] == 'a'", options=options).verdict is None
    perhaps = Entries({"qos": cel("a")}, ["qos"])
    assert _verdict("job.options['qos'] == 'b'", options=perhaps).verdict is None
    assert _verdict("job.options.qos == 'b'", options=perhaps).verdict is None


def test_what_cannot_be_worked_out_is_no_verdict_and_says_why() -> None:
    assert "divided by 0" in _verdict("1 / job.nodes == 1", nodes=cel(0)).why
    assert "no key 'account'" in _verdict("job.options['account'] == ''", options=Entries({})).why
    assert "no element 2" in _verdict("job.partitions[2] == ''", partitions=Items([cel("a")])).why
    assert _verdict("job.partitions[-1] == 'a'", partitions=Items([cel("a")])).verdict is None
    assert _verdict("'a'.matches(job.account)", account=cel("(")).verdict is None
