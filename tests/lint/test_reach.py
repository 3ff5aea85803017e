"""How far a suppression reaches, to the line, and which of several selectors decides."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import ModuleType, NoneType, SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.api import Rule, Severity, Source
from sbatchlint.lint import builtin, loading
from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.loading import RuleLoadError, package_of, rules_in, where
from sbatchlint.lint.registry import Registry, SelectionError
from sbatchlint.lint.suppress import Malformed, Suppression, read_comment
from tests.lint.conftest import BrokenRule, NoisyProgram, OldProgram

HEAD = "#!/bin/bash\n"


def lint(registry: Registry, text: str) -> FileResult:
    return lint_source(Source.from_text(HEAD + text, "f"), registry.select())


def places(result: FileResult) -> list[tuple[str, int]]:
    """Give code and line of each finding that stands, lines counted without the first."""
    source = result.source
    return [(one.code, source.position(one.span.start).line - 1) for one in result.findings]


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("for old in a; do # sbatchlint: ignore[SB301]\n  x\ndone\n", []),
        ("x\nfor y in a; do\n  x\ndone <old # sbatchlint: ignore[SB301]\nold\n", [("SB301", 5)]),
        ("old\n# sbatchlint: ignore[SB301]\n\nx\n", [("SB301", 1), ("SB002", 2)]),
        ("old\n# sbatchlint: ignore[SB301]\n# more\n\nx\n", [("SB301", 1), ("SB002", 2)]),
        ("# sbatchlint: ignore[SB301]\n  # more\n\t# yet\nold\n", []),
        ("old\n# sbatchlint: ignore[SB301]\n", [("SB301", 1), ("SB002", 2)]),
        ("# sbatchlint: ignore[SB301]\n# old", [("SB002", 1), ("SB301", 2)]),
        ("for x in a; do\n  y\n# sbatchlint: ignore[SB301]\ndone < old\n", []),
        ("{\n  old\n  # sbatchlint: ignore[SB301]\n}\n", [("SB301", 2), ("SB002", 3)]),
        ("old # sbatchlint: ignore[SB301]\nold # sbatchlint: on[SB301]\n", [("SB301", 2), ("SB003", 2)]),
        (
            "# sbatchlint: ignore-file[SB301]\nold\n# sbatchlint: on[SB301]\nold\n",
            [("SB003", 3)],
        ),
        ("# sbatchlint: off[SB301]\nx\nold", []),
        ("# sbatchlint: off[SB301]\nx\nold # sbatchlint: on[SB301]\nold\n", [("SB301", 4)]),
        (
            "# sbatchlint: off[SB301]\nold\n# sbatchlint: on[SB301]\n# sbatchlint: off[SB301]\nold\n",
            [],
        ),
        ("#SLURM old # sbatchlint: ignore[SB301]\n#SBATCH -N1 # old\n", [("SB301", 2)]),
        ("#SBATCH --comment=old\n#SBATCH --comment=old # sbatchlint: ignore[SB301]\n", [("SB301", 1)]),
        ("#SBATCH --comment=old # sbatchlint: ignore[SB301]\n#SBATCH --comment=old\n", [("SB301", 2)]),
    ],
)
def test_to_the_line(registry: Registry, text: str, standing: list[tuple[str, int]]) -> None:
    assert places(lint(registry, text)) == standing


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("SB401, SB301, SB4", "SB301"),
        ("SB301, SB401, SB4", "SB301"),
        ("SB401,SB4 ,SB301", "SB301"),
        ("SB4 , SB301 , SB401 , SB3", "SB301"),
    ],
)
def test_what_is_left_of_a_comment(registry: Registry, keys: str, left: str) -> None:
    text = f"{HEAD}old # sbatchlint: ignore[{keys}] so\n"
    rules = registry.select(["SB4", "SB3", "SB002"])
    (finding,) = lint_source(Source.from_text(text), rules).findings
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert text[edit.span.start : edit.span.end] == keys
    fixed = fix_source(Source.from_text(text), rules).converged
    assert fixed.source.text == f"{HEAD}old # sbatchlint: ignore[{left}] so\n"


@given(st.booleans(), st.integers(0, 99))
def test_a_comment_keeps_where_it_stands(own_line: bool, offset: int) -> None:
    read = read_comment("# sbatchlint: ignore[SB301] x", offset, own_line=own_line)
    assert isinstance(read, Suppression)
    assert read.own_line is own_line
    assert read.span.start == offset
    alone = read_comment("# sbatchlint: ignore[SB301]", offset)
    assert isinstance(alone, Suppression)
    assert not alone.own_line


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# sbatchlint: ignor [SB301]", Malformed),
        ("# sbatchlint: ignor\t=SB301", Malformed),
        ("# sbatchlint: ignor SB301]", NoneType),
        ("# sbatchlint: on.", Malformed),
        ("# sbatchlint: off ...", Malformed),
        ("# sbatchlint: off X", NoneType),
        ("# sbatchlint: on the [big] cluster", Malformed),
        ("# sbatchlint: ignore X", Malformed),
        ("# sbatchlint: ignore-file\t[SB301]", Suppression),
        ("# sbatchlint: ignore  [SB301]", Malformed),
        ("#\tsbatchlint\t:\toff[SB301]", Suppression),
    ],
)
def test_what_is_meant_as_a_suppression(text: str, kind: type) -> None:
    assert isinstance(read_comment(text, 0), kind)


KEYS = ["ALL", "SB", "SB3", "SB30", "SB301", "launch", "old-program", "SB4", "noisy-program", "SB0", "SB00"]
SELECTORS = st.lists(st.sampled_from(KEYS), max_size=4)


@given(SELECTORS, SELECTORS, SELECTORS, st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_which_selector_decides(
    select: list[str], ignore: list[str], extend: list[str], dice: random.Random
) -> None:
    registry = Registry([*rules_in(builtin), OldProgram, NoisyProgram])
    chosen = {rule.code for rule in registry.select(select, ignore, extend).rules}
    for rule in registry.rules:
        wanted = [weight(key, rule) for key in [*select, *extend]]
        unwanted = [weight(key, rule) for key in ignore]
        assert (rule.code in chosen) == (max([-1, *wanted]) > max([-1, *unwanted])), rule.code
    for keys in (select, ignore, extend):
        dice.shuffle(keys)
    assert {rule.code for rule in registry.select(select, ignore, extend).rules} == chosen


def weight(key: str, rule: type[Rule]) -> int:
    """How closely *key* names *rule*; -1 where it does not."""
    if key in (rule.code, rule.name):
        return 9
    key = {"ALL": "", "launch": "SB3"}.get(key, key)
    return len(key) if rule.code.startswith(key) else -1


def test_what_a_selector_may_be(registry: Registry) -> None:
    with pytest.raises(SelectionError) as caught:
        registry.select(["something-else-entirely"])
    assert str(caught.value) == (
        "unknown rule selector 'something-else-entirely': give a code, a prefix, a name or a family"
    )
    with pytest.raises(SelectionError) as caught:
        registry.select(["old-progam"])
    assert str(caught.value) == "unknown rule selector 'old-progam': did you mean 'old-program'?"


# --- the shape of rules ---------------------------------------------------------------------------


def module_of(name: str, /, **parts: object) -> ModuleType:
    """Give a module *name* with one rule whose parts are sound but for *parts*."""
    sound = {"code": "ACME001", "name": "a-rule", "severity": Severity.INFO, "__doc__": "A rule."}
    body = {**sound, "check": lambda self, job: iter(()), **parts, "__module__": name}
    module = ModuleType(name)
    vars(module)["Made"] = type(
        "Made", (Rule,), {key: value for key, value in body.items() if value is not None}
    )
    return module


@pytest.mark.parametrize(
    ("name", "parts", "message"),
    [
        ("acme.one", {"code": "SB301"}, "codes like 'SB301' are kept for the built-in rules"),
        ("acme.one", {"code": "SB3"}, "code must be two or more capitals and three digits, not 'SB3'"),
        ("acme.one", {"code": 7}, "code must be two or more capitals and three digits, not 7"),
        ("acme.one", {"code": None}, "code must be two or more capitals and three digits, not None"),
        ("acme.one", {"code": "ALL001"}, "code must not begin with ALL, which stands for every rule"),
        ("sbatchlint_rules.a", {"code": "ACME001"}, "code must be SB and three digits, not 'ACME001'"),
        ("sbatchlint.lint.a", {"code": "ACME001"}, "code must be SB and three digits, not 'ACME001'"),
        ("sbatchlint_rules", {"code": "SB1"}, "code must be SB and three digits, not 'SB1'"),
        ("acme.one", {"name": "A-rule"}, "name must be lower-case words joined by hyphens, not 'A-rule'"),
        ("acme.one", {"name": None}, "name must be lower-case words joined by hyphens, not None"),
        ("acme.one", {"name": "all"}, "name must not be 'all', which is taken for every rule"),
        ("acme.one", {"severity": None}, "severity must be a Severity"),
        ("acme.one", {"fixable": 1}, "fixable must be a Fixable"),
        ("acme.one", {"group": "A B"}, "group must be lower-case words joined by hyphens, not 'A B'"),
        ("acme.one", {"group": 5}, "group must be lower-case words joined by hyphens, not 5"),
        ("acme.one", {"group": "policy"}, "the group 'policy' is kept for sbatchlint itself"),
        ("acme.one", {"group": "launch"}, "the group 'launch' is kept for sbatchlint itself"),
        ("acme.one", {"__doc__": None}, "it has no docstring, which is its documentation"),
        ("acme.one", {"__doc__": " \n "}, "it has no docstring, which is its documentation"),
    ],
)
def test_what_a_rule_must_have(name: str, parts: dict[str, object], message: str) -> None:
    with pytest.raises(RuleLoadError) as caught:
        rules_in(module_of(name, **parts))
    assert str(caught.value) == f"rule {name}.Made: {message}"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("acme.one", {}),
        ("acme.one", {"code": "ALLY001", "group": "acme-2"}),
        ("acme.one", {"code": "SBU301", "name": "b2-rule"}),
        ("sbatchlint_rules.a", {"code": "SB999"}),
        ("sbatchlint_rules", {"code": "SB999"}),
        ("sbatchlint_rules_of_acme.one", {"code": "ACME001"}),
    ],
)
def test_a_sound_rule(name: str, parts: dict[str, object]) -> None:
    (rule,) = rules_in(module_of(name, **parts))
    assert where(rule) == f"{name}.Made"
    assert package_of(rule) == name.partition(".")[0]


@pytest.mark.parametrize("level", [0, 1, 2])
def test_docstrings_that_python_took_off(monkeypatch: pytest.MonkeyPatch, level: int) -> None:
    known = {name: getattr(sys, name) for name in ("modules", "path")}
    monkeypatch.setattr(loading, "sys", SimpleNamespace(flags=SimpleNamespace(optimize=level), **known))
    module = module_of("acme.one", __doc__=None)
    if level == 2:
        assert len(rules_in(module)) == 1
    else:
        with pytest.raises(RuleLoadError, match="it has no docstring"):
            rules_in(module)


def test_what_a_module_only_imports_or_hides_is_not_its_own() -> None:
    module = module_of("acme.one")
    made = vars(module)["Made"]
    vars(module).update(Old=OldProgram, _Hidden=made, Again=made, number=3, Rule=Rule)
    assert rules_in(module) == [made, made]
    vars(module)["Abstract"] = type("Abstract", (Rule,), {"__module__": "acme.one"})
    assert rules_in(module) == [made, made]


def test_a_rule_that_cannot_be_made_says_why(make_registry: Callable[..., Registry]) -> None:
    def fail(self: Rule) -> None:
        raise LookupError("no such table")

    rule = type("Fails", (BrokenRule,), {"__init__": fail, "__doc__": "Fails."})
    with pytest.raises(RuleLoadError, match=r"\.Fails cannot be made: LookupError: no such table$"):
        make_registry(rule).select()


def test_packages_without_the_built_in_one() -> None:
    registry = Registry.load([], built_in=False)
    assert registry.find("SB001") is not None
    assert registry.find("master-addr-unset") is None
    assert Registry.load().find("master-addr-unset") is not None
