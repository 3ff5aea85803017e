"""Loading rules from packages and folders, and what is wrong with some."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.lint.loading import RuleLoadError, load_rules
from sbatchlint.lint.registry import Registry

RULE = '''
from sbatchlint.api import Rule, Severity

class {cls}(Rule):
    """A rule."""
    code = "{code}"
    name = "{name}"
    severity = Severity.INFO
    def check(self, job):
        yield from ()
'''


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder on the import path; forget afterwards what was imported from it."""
    known = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").touch()
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))


def rule(code: str = "ACME001", name: str = "a-rule", cls: str = "ARule") -> str:
    return RULE.format(code=code, name=name, cls=cls)


def test_rules_of_all_modules_and_each_where_it_is_defined(packages: Path) -> None:
    write(packages / "acme_one", first=rule())
    write(
        packages / "acme_one" / "deeper",
        second=rule("ACME002", "b-rule", "BRule") + "from acme_one.first import ARule\n",
        helper=rule("nonsense", "nonsense", "_Hidden"),
    )
    assert sorted(one.code for one in load_rules("acme_one")) == ["ACME001", "ACME002"]


@pytest.mark.parametrize("by_path", [True, False])
def test_a_folder_by_path_or_name(packages: Path, by_path: bool) -> None:
    write(packages / "site_rules", one=rule(), two=rule("ACME002", "b-rule") + "from . import one\n")
    package = str(packages / "site_rules") if by_path else "site_rules"
    assert len(load_rules(package)) == 2
    assert len(load_rules(package)) == 2, "a second time is no different"
    registry = Registry.load([package, package], built_in=False)
    assert registry.find("ACME002") is not None
    assert registry.find("SB001") is not None, "the engine's own rules are always there"


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("ACME1", "a-rule", "code must be two or more capitals and three digits, not 'ACME1'"),
        ("SB950", "a-rule", "kept for the built-in rules"),
        ("ACME001", "A Rule", "name must be lower-case words joined by hyphens, not 'A Rule'"),
        ("ACME001", "a--rule", "name must be"),
    ],
)
def test_rules_that_are_not_well_formed(packages: Path, code: str, name: str, message: str) -> None:
    write(packages / "acme_bad", one=rule(code, name))
    with pytest.raises(RuleLoadError, match=message) as caught:
        load_rules("acme_bad")
    assert "acme_bad.one.ARule" in str(caught.value)


@pytest.mark.parametrize(
    ("find", "put", "message"),
    [
        ('code = "ACME001"', "", "code must be"),
        ("severity = Severity.INFO", "severity = 'info'", "severity must be a Severity"),
        ('    """A rule."""\n', "", "no docstring"),
        ("severity", "fixable = True; severity", "fixable must be a Fixable"),
    ],
)
def test_rules_that_lack_something(packages: Path, find: str, put: str, message: str) -> None:
    write(packages / "acme_bare", one=rule().replace(find, put, 1))
    with pytest.raises(RuleLoadError, match=message):
        load_rules("acme_bare")


def test_two_rules_of_one_code_or_name(packages: Path) -> None:
    write(packages / "acme_code", one=rule(), two=rule(name="b-rule"))
    with pytest.raises(RuleLoadError, match=r"two rules are called ACME001: acme_code\.one\.ARule and"):
        Registry.load(["acme_code"], built_in=False)
    write(packages / "acme_name", one=rule(), two=rule("ACME002"))
    with pytest.raises(RuleLoadError, match="two rules are called a-rule"):
        Registry.load(["acme_name"], built_in=False)
    write(packages / "acme_family", one=rule(name="launch"))
    with pytest.raises(RuleLoadError, match="'launch' is the name of a family"):
        Registry.load(["acme_family"], built_in=False)


def test_packages_that_cannot_be_imported(packages: Path) -> None:
    with pytest.raises(RuleLoadError, match="no rule package named 'acme_absent'"):
        load_rules("acme_absent")
    write(packages / "acme_broken", one="1 / 0\n")
    with pytest.raises(RuleLoadError, match=r"cannot import acme_broken\.one: ZeroDivisionError"):
        load_rules("acme_broken")
    write(packages / "acme_broken" / "sub", one="")
    (packages / "acme_broken" / "one.py").unlink()
    (packages / "acme_broken" / "sub" / "__init__.py").write_text("raise ValueError('no')\n")
    with pytest.raises(RuleLoadError, match=r"cannot import acme_broken\.sub: .*no"):
        load_rules("acme_broken")
    write(packages / "acme_needy", one="import acme_absent_too\n")
    with pytest.raises(RuleLoadError, match=r"cannot import acme_needy\.one: No module named '\w+_too'"):
        load_rules("acme_needy")


def test_folders_that_cannot_be_loaded(packages: Path) -> None:
    with pytest.raises(RuleLoadError, match="no __init__"):
        load_rules(str(packages / "nowhere"))
    write(packages / "not-a-name")
    with pytest.raises(RuleLoadError, match="cannot be the name of a package"):
        load_rules(str(packages / "not-a-name"))
    write(packages / "json")
    with pytest.raises(RuleLoadError, match="another package named 'json'"):
        load_rules(str(packages / "json"))
    write(packages / "acme_init")
    (packages / "acme_init" / "__init__.py").write_text("1 / 0\n")
    with pytest.raises(RuleLoadError, match="ZeroDivisionError"):
        load_rules(str(packages / "acme_init"))
    assert "acme_init" not in sys.modules


def test_rule_that_cannot_be_made(packages: Path) -> None:
    write(packages / "acme_made", one=rule() + "    def __init__(self, needed): pass\n")
    registry = Registry.load(["acme_made"], built_in=False)
    with pytest.raises(RuleLoadError, match="rule ACME001 cannot be made: TypeError"):
        registry.select()
