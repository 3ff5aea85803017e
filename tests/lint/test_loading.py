"""Loading rules from packages and folders, and what is wrong with some."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.loading import RuleLoadError, load_rules
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source

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


def test_rule_that_cannot_be_made(packages: Path) -> None:
    write(packages / "acme_made", one=rule() + "    def __init__(self, needed): pass\n")
    registry = Registry.load(["acme_made"], built_in=False)
    with pytest.raises(RuleLoadError, match=r"acme_made\.one.ARule cannot be made: TypeError"):
        registry.select()


def bare(folder: Path, **files: str) -> str:
    """Write a folder without an ``__init__.py`` and return how a configuration names it."""
    write(folder, **files)
    (folder / "__init__.py").unlink()
    return str(folder)


def test_a_folder_needs_no_init_file_and_neither_do_those_in_it(tmp_path: Path) -> None:
    folder = bare(tmp_path / "site-rules", one="from .deep.er import code\n" + rule())
    bare(tmp_path / "site-rules" / "deep", er="code = 1\n" + rule("ACME002", "b-rule"))
    (tmp_path / "site-rules" / "data").mkdir()
    (tmp_path / "site-rules" / "me").symlink_to(tmp_path / "site-rules")
    assert sorted(one.code for one in load_rules(folder)) == ["ACME001", "ACME002"]
    assert not list(tmp_path.rglob("__pycache__")), "nothing is left in the user's folder"


@pytest.mark.parametrize("name", ["json", "sbatchlint", "sbatchlint_rules", "this"])
@pytest.mark.parametrize("with_init", [True, False])
def test_a_folder_shadows_no_module_and_none_shadows_it(tmp_path: Path, name: str, with_init: bool) -> None:
    before = sys.modules.get(name)
    folder = str(tmp_path / name)
    (write if with_init else bare)(
        tmp_path / name, one="import json.decoder\nfrom . import two\n", two=rule()
    )
    (found,) = load_rules(folder)
    assert found.code == "ACME001"
    assert sys.modules.get(name) is before


def test_two_folders_of_one_name(tmp_path: Path) -> None:
    write(tmp_path / "a" / "rules", one=rule())
    write(tmp_path / "b" / "rules", one=rule("ACME002", "b-rule"))
    registry = Registry.load([str(tmp_path / "a" / "rules"), str(tmp_path / "b" / "rules")], built_in=False)
    assert {"ACME001", "ACME002"} <= {one.code for one in registry.rules}
    write(tmp_path / "b" / "rules", one=rule(name="b-rule"))
    write(tmp_path / "c" / "rules", one=rule(name="c-rule"))
    with pytest.raises(
        RuleLoadError, match=r"called ACME001: .*/a/rules/one\.ARule and .*/c/rules/one\.ARule"
    ):
        Registry.load([str(tmp_path / "a" / "rules"), str(tmp_path / "c" / "rules")], built_in=False)


def test_one_folder_by_two_ways(tmp_path: Path) -> None:
    write(tmp_path / "rules", one=rule())
    ways = [str(tmp_path / "rules"), f"{tmp_path}/./rules/"]
    assert Registry.load(ways, built_in=False).find("ACME001") is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\ndef f(:\n", r"cannot import \S+/rules/one: SyntaxError: .+ \(at \S+/rules/one\.py:2\)$"),
        ("a = 1\n1 / 0\n", r"one: ZeroDivisionError: division by zero \(at \S+/rules/one\.py:2\)$"),
        ("import json\njson.loads('x')\n", r"JSONDecodeError: .* \(at \S+/rules/one\.py:2\)$"),
        ("\nimport acme_gone\n", r"one: No module named 'acme_gone' \(at \S+/rules/one\.py:2\)$"),
        ("from .gone import x\n", r"one: No module named 'rules\.gone' \(at \S+/rules/one\.py:1\)$"),
        ("import rules.one\n", r"write `from \. import \.\.\.`: it is not imported under its own name"),
        (
            "from sbatchlint.api import Ruel\n",
            r"cannot import name 'Ruel'.*; sbatchlint \S+ has version 1 of",
        ),
        ("import sys\nsys.exit(0)\n", r"one: it ends the program, with status 0 \(at \S+/rules/one\.py:2\)$"),
        ("x = '\0'\n", r"SyntaxError|ValueError"),
    ],
)
@pytest.mark.parametrize("place", ["one", "__init__"])
@pytest.mark.parametrize("again", [False, True])
def test_a_module_that_cannot_be_imported_is_told_with_its_line(
    tmp_path: Path, text: str, message: str, place: str, again: bool
) -> None:
    write(tmp_path / "rules", **{place: text}, two=rule())
    if place == "__init__":
        message = message.replace(r"cannot import \S+/rules/one", r"cannot import \S+/rules")
        message = message.replace("one: ", "rules: ").replace(r"one\.py", r"__init__\.py")
    for _ in range(1 + again):
        with pytest.raises(RuleLoadError, match=message):
            load_rules(str(tmp_path / "rules"))


def test_an_installed_package_is_told_with_its_line_too(packages: Path) -> None:
    write(packages / "acme_line", one="\n\n1 / 0\n")
    with pytest.raises(RuleLoadError, match=r"cannot import acme_line\.one: Zero.*acme_line/one\.py:3\)$"):
        load_rules("acme_line")


def test_folders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(RuleLoadError, match="there is no such folder"):
        load_rules(str(tmp_path / "nowhere"))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("loop", "nu\0ll"):
        with pytest.raises(RuleLoadError, match="rule folder"):
            load_rules(str(tmp_path / name))
    write(tmp_path / "rules", one=rule())
    with pytest.raises(RuleLoadError, match=r"one\.py: it is a file; name the folder"):
        load_rules(str(tmp_path / "rules" / "one.py"))
    with pytest.raises(RuleLoadError, match=r"'acme_one' is installed; a folder is written .* '\./acme_one'"):
        load_rules("acme_one")
    with pytest.raises(RuleLoadError, match="'acme-one' is installed; did you mean 'acme_one'"):
        load_rules("acme-one")


@pytest.mark.parametrize("name", ["", ".", "a.b", "acme_absent.sub", "é\n"])
def test_names_of_no_package(name: str) -> None:
    with pytest.raises(RuleLoadError):
        load_rules(name)


def test_a_package_without_rules(tmp_path: Path) -> None:
    write(tmp_path / "rules", one="from sbatchlint.api import Rule\nclass _Hidden(Rule): pass\n")
    with pytest.raises(RuleLoadError, match="no rule is in it"):
        load_rules(str(tmp_path / "rules"))


def test_the_version_of_the_api(tmp_path: Path) -> None:
    write(tmp_path / "rules", one=rule(), __init__="SBATCHLINT_API = 1\n")
    assert len(load_rules(str(tmp_path / "rules"))) == 1
    write(tmp_path / "newer", one="from sbatchlint.api import Later\n", __init__="SBATCHLINT_API = 2\n")
    with pytest.raises(
        RuleLoadError, match=r"newer is made for version 2 of the rule API, and sbatchlint .* 1"
    ):
        load_rules(str(tmp_path / "newer"))


def test_what_a_module_prints_goes_to_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "rules", one="print('hello')\n" + rule())
    load_rules(str(tmp_path / "rules"))
    assert capsys.readouterr() == ("", "hello\n")


def test_the_program_of_a_package_is_not_started(tmp_path: Path) -> None:
    write(tmp_path / "rules", one=rule(), __main__="raise SystemExit(3)\n")
    assert len(load_rules(str(tmp_path / "rules"))) == 1


@pytest.mark.parametrize(
    ("put", "message"),
    [
        ('group = "policy"', "the group 'policy' is kept"),
        ('group = "launch"', "the group 'launch' is kept"),
        ('group = "Acme"', "group must be lower-case"),
        ("group = None", "group must be lower-case"),
        ('code = "ALL001"', "must not begin with ALL"),
    ],
)
def test_words_that_are_kept(tmp_path: Path, put: str, message: str) -> None:
    write(tmp_path / "rules", one=rule().replace("    def check", f"    {put}\n    def check"))
    with pytest.raises(RuleLoadError, match=message):
        load_rules(str(tmp_path / "rules"))


def test_a_name_that_a_built_in_rule_has(tmp_path: Path) -> None:
    write(tmp_path / "rules", one=rule(name="early-expansion"))
    with pytest.raises(
        RuleLoadError, match=r"two rules are called early-expansion: \S+/rules/one\.ARule and"
    ):
        Registry.load([str(tmp_path / "rules")])


def test_a_plugin_whose_name_begins_as_ours_is_no_part_of_us(packages: Path) -> None:
    write(packages / "sbatchlint_rules_acme", one=rule())
    assert [one.code for one in load_rules("sbatchlint_rules_acme")] == ["ACME001"]


def test_a_rule_that_ends_the_program_is_an_internal_error(tmp_path: Path) -> None:
    ending = rule().replace("yield from ()", "raise SystemExit(0); yield")
    write(
        tmp_path / "rules",
        one=ending,
        two=rule("ACME002", "b-rule").replace("Severity.INFO", "Severity.ERROR"),
    )
    rules = Registry.load([str(tmp_path / "rules")], built_in=False).select(["ACME"])
    result = lint_source(Source.from_text("#!/bin/bash\n", "job.sh"), rules)
    assert [(error.code, error.kind) for error in result.internal_errors] == [("ACME001", "SystemExit")]


@pytest.mark.parametrize(
    ("key", "told"),
    [("ACME001", False), ("SBU301", False), ("SB399", True), ("ACME01", True), ("ALL", True), ("acme", True)],
)
def test_the_code_of_a_package_that_is_not_loaded_is_no_slip(key: str, told: bool) -> None:
    """Whoever checks the script without that package is not told of its suppressions."""
    text = f"#!/bin/bash\nhostname  # sbatchlint: ignore[{key}] we may\n"
    result = lint_source(Source.from_text(text, "job.sh"), Registry.load().select(["SB002", "SB003"]))
    assert [one.code for one in result.findings] == ["SB003"] * told
