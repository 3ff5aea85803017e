"""Configuration files as the commands heed them, with fake rules."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.cli.configuring import configure
from sbatchlint.cli.console import Console
from sbatchlint.config import files
from sbatchlint.config.file_settings import FileSettings
from sbatchlint.lint.finding import Severity
from tests.cli.conftest import Outcome, Run, Write

CONCISE = ("--output-format", "concise")
NO_ACCOUNT = """
[[policy]]
name = "require-account"
require = "job.account != ''"
message = "no account is named"
"""


def codes(done: Outcome) -> list[str]:
    """Return ``path code`` of each finding."""
    return [f"{line.split(':')[0]} {line.split(' ')[1]}" for line in done.out.splitlines()]


def settings(path: Path) -> FileSettings | None:
    """Return what holds for the script at *path*."""
    configuration = configure(argparse.Namespace(), Console())
    return None if configuration is None else configuration.settings(str(path))


@pytest.fixture
def site(write: Write, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes the site's file."""

    def make(text: str, name: str = "site/sbatchlint.toml") -> Path:
        path = write(name, whole=text)
        monkeypatch.setenv("SBATCHLINT_SITE_CONFIG", str(path))
        return path

    return make


# --- which files hold -------------------------------------------------------------------------------


def test_the_closest_file_wins_for_each_script(run: Run, write: Write) -> None:
    for folder in (".", "a", "a/deep", "b"):
        write(f"{folder}/job.sh", "BAD RISKY\n")
    write("sbatchlint.toml", whole='ignore = ["TST101"]\n')
    write("a/sbatchlint.toml", whole='ignore = ["TST102"]\n')
    write("b/pyproject.toml", whole='[project]\nname = "b"\n')
    write("a/deep/pyproject.toml", whole="[tool.sbatchlint]\nselect = []\n")
    assert codes(run(*CONCISE, "a", "b", "job.sh")) == ["a/job.sh TST101", "b/job.sh TST102", "job.sh TST102"]


def test_of_two_in_a_folder_its_own_file_wins(run: Run, write: Write) -> None:
    write("job.sh", "BAD RISKY\n")
    write("pyproject.toml", whole="[tool.sbatchlint]\nselect = []\n")
    write("sbatchlint.toml", whole='ignore = ["TST101"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST102"]


def test_a_broken_pyproject_that_speaks_of_others_is_passed_over(run: Run, write: Write) -> None:
    write("job.sh", "BAD\n")
    write("pyproject.toml", whole="[tool.other\n")
    assert run("job.sh").status == 1


def test_extended_files_hold_where_nothing_else_is_said(run: Run, write: Write) -> None:
    write("team/jobs/job.sh", "BAD RISKY\n")
    write("base.toml", whole='ignore = ["TST102"]\nfail-on = "warning"\nclusters = { x = "x.toml" }\n')
    write("team/middle.toml", whole='extend = "../base.toml"\nfail-on = "info"\n')
    write("team/jobs/sbatchlint.toml", whole='extend = "../middle.toml"\npedantic = true\n')
    assert codes(run(*CONCISE, "team")) == ["team/jobs/job.sh TST101"]
    told = json.loads(run("config", "--output-format", "json", "team/jobs/job.sh").out)["paths"][0]
    assert [file["path"] for file in told["files"]] == [
        "team/jobs/sbatchlint.toml",
        "team/middle.toml",
        "base.toml",
    ]


def test_the_site_is_below_the_project_and_its_globs_mean_all_paths(
    run: Run, write: Write, site: Write, tmp_path: Path
) -> None:
    write("job.sh", "BAD RISKY HINT\n")
    write("late.sh", "BAD RISKY HINT\n")
    site(f'pedantic = true\nignore = ["TST102"]\n[per-file-ignores]\n"{tmp_path}/late.sh" = ["TST101"]\n')
    assert codes(run(*CONCISE, ".")) == ["./job.sh TST101", "./job.sh TST201", "./late.sh TST201"]
    write("sbatchlint.toml", whole="pedantic = false\n")
    assert codes(run(*CONCISE, ".")) == ["./job.sh TST101"]


def test_isolated_reads_nothing(run: Run, write: Write, site: Write) -> None:
    write("job.sh", "BAD\n")
    site("not toml")
    write("sbatchlint.toml", whole="neither")
    assert run("job.sh").status == 2
    assert codes(run(*CONCISE, "--isolated", "job.sh")) == ["job.sh TST101"]


def test_a_named_file_takes_the_place_of_those_that_would_be_found(
    run: Run, write: Write, site: Write
) -> None:
    write("job.sh", "BAD RISKY HINT\n")
    site("pedantic = true\n")
    write("sbatchlint.toml", whole="not toml")
    write("other/mine.toml", whole='ignore = ["bad-word"]\n')
    done = run(*CONCISE, "--config", "other/mine.toml", "job.sh")
    assert codes(done) == ["job.sh TST102", "job.sh TST201"]


def test_a_mistake_in_one_folder_leaves_the_others_checked(run: Run, write: Write) -> None:
    write("a/job.sh", "BAD\n")
    write("b/job.sh", "BAD\n")
    write("b/more.sh", "BAD\n")
    write("b/sbatchlint.toml", whole="selct = []\n")
    done = run(*CONCISE, ".")
    assert (done.status, codes(done)) == (2, ["./a/job.sh TST101"])
    assert done.err.count("did you mean 'select'?") == 1


def test_what_windows_writes(run: Run, write: Write) -> None:
    write("job.sh", "BAD RISKY\n")
    write(
        "sbatchlint.toml", whole=b'\xef\xbb\xbfignore = ["TST101"]\r\n# \xe6\xa8\xa1\r\npedantic = true\r\n'
    )
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST102"]


def test_a_script_is_looked_for_under_the_name_that_was_given(run: Run, write: Write, tmp_path: Path) -> None:
    """As git and ruff see it: where the link stands, not where it leads."""
    write("real/job.sh", "BAD RISKY\n")
    write("real/sbatchlint.toml", whole='ignore = ["TST101"]\n')
    write("linked/sbatchlint.toml", whole='ignore = ["TST102"]\n')
    os.symlink(tmp_path / "real/job.sh", tmp_path / "linked/job.sh")
    assert codes(run(*CONCISE, "linked/job.sh")) == ["linked/job.sh TST101"]
    assert codes(run(*CONCISE, "real/job.sh")) == ["real/job.sh TST102"]


def test_files_are_read_once_and_rules_are_made_once(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        write(f"jobs/{number % 10}/{number}.sh", "BAD\n")
    write("pyproject.toml", whole="[project]\n")
    write("jobs/pyproject.toml", whole="[project]\n# sbatchlint\n")
    write("sbatchlint.toml", whole='[per-file-ignores]\n"/jobs/3/" = ["TST101"]\n')
    opened: list[str] = []
    real = files._bytes

    def read(path: str, **more: bool) -> bytes:
        opened.append(os.path.basename(path))
        return real(path, **more)

    monkeypatch.setattr(files, "_bytes", read)
    assert len(codes(run(*CONCISE, "jobs"))) == 90
    assert sorted(opened) == ["pyproject.toml", "sbatchlint.toml"]


# --- which rules look -------------------------------------------------------------------------------


def test_select_starts_anew_and_ignore_adds(run: Run, write: Write) -> None:
    write("job.sh", "BAD RISKY HINT\n")
    write("base.toml", whole='ignore = ["TST1"]\npedantic = true\n')
    write("sbatchlint.toml", whole='extend = "base.toml"\nextend-select = ["bad-word"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST101", "job.sh TST201"]
    write("sbatchlint.toml", whole='extend = "base.toml"\nselect = ["TST"]\nignore = ["TST2"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST101", "job.sh TST102"]
    assert codes(run(*CONCISE, "--ignore", "TST101", "job.sh")) == ["job.sh TST102"]
    assert codes(run(*CONCISE, "--extend-select", "TST201", "job.sh"))[-1] == "job.sh TST201"
    assert codes(run(*CONCISE, "--select", "TST201", "job.sh")) == ["job.sh TST201"]


def test_severities(run: Run, write: Write) -> None:
    write("job.sh", "BAD HINT\n")
    write("sbatchlint.toml", whole='fail-on = "error"\n[severity]\nTST1 = "warning"\nhint-word = "error"\n')
    done = run("job.sh")
    assert done.status == 1
    assert "warning[TST101]" in done.out and "error[TST201]" in done.out
    write("sbatchlint.toml", whole='fail-on = "error"\n[severity]\nTST = "warning"\n')
    assert run("job.sh").status == 0
    assert run("--fail-on", "warning", "job.sh").status == 1


def test_the_closer_selector_decides_on_a_severity(run: Run, write: Write) -> None:
    write("job.sh", "BAD\n")
    write("sbatchlint.toml", whole='[severity]\nTST101 = "warning"\nALL = "error"\nTST1 = "error"\n')
    assert "warning[TST101]" in run("job.sh").out


def test_per_file_ignores_hold_whatever_is_selected(run: Run, write: Write) -> None:
    write("old/job.sh", "BAD RISKY\n")
    write("new/job.sh", "BAD RISKY\n")
    write("sbatchlint.toml", whole='[per-file-ignores]\n"old/**" = ["TST101"]\n"*.sh" = ["TST102"]\n')
    assert codes(run(*CONCISE, ".")) == ["./new/job.sh TST101"]
    assert codes(run(*CONCISE, "--select", "TST101", ".")) == ["./new/job.sh TST101"]


def test_per_path_lies_on_its_own_file_and_under_a_closer_one(run: Run, write: Write) -> None:
    write("jobs/job.sh", "BAD RISKY\n")
    write("job.sh", "BAD RISKY\n")
    write("base.toml", whole='[per-path."jobs"]\nignore = ["TST101"]\nfail-on = "error"\n')
    assert codes(run(*CONCISE, "--config", "base.toml", ".")) == [
        "./job.sh TST101",
        "./job.sh TST102",
        "./jobs/job.sh TST102",
    ]
    assert run("--config", "base.toml", "jobs").status == 0
    write("sbatchlint.toml", whole='extend = "base.toml"\nfail-on = "info"\n')
    assert run("jobs").status == 1


# --- which scripts are looked at --------------------------------------------------------------------


def test_excluded_files_are_checked_where_they_are_named_unless_forced(run: Run, write: Write) -> None:
    for name in ("job.sh", "old/job.sh", "old/keep.sh", "x.bak.sh"):
        write(name, "BAD\n")
    write("sbatchlint.toml", whole='exclude = ["/old/*", "!/old/keep.sh"]\nextend-exclude = ["*.bak.sh"]\n')
    assert codes(run(*CONCISE, ".")) == ["./job.sh TST101", "./old/keep.sh TST101"]
    assert codes(run(*CONCISE, "old/job.sh")) == ["old/job.sh TST101"]
    forced = run(*CONCISE, "--force-exclude", "job.sh", "old/job.sh", "x.bak.sh")
    assert (forced.status, codes(forced)) == (1, ["job.sh TST101"])
    assert codes(run(*CONCISE, "--only-scripts", "old/job.sh", "old/keep.sh")) == ["old/keep.sh TST101"]


def test_a_folder_that_is_left_out_is_walked_where_it_is_named(run: Run, write: Write) -> None:
    write("old/deep/job.sh", "BAD\n")
    write("sbatchlint.toml", whole='exclude = ["old"]\nforce-exclude = false\n')
    assert codes(run(*CONCISE, "old")) == ["old/deep/job.sh TST101"]
    assert run("--force-exclude", "old", "old/deep/job.sh").status == 0
    done = run(".")
    assert (done.status, done.out) == (0, "")


def test_a_folder_left_out_above_is_out_whatever_stands_in_it(run: Run, write: Write) -> None:
    write("old/job.sh", "BAD\n")
    write("old/sbatchlint.toml", whole="force-exclude = true\n")
    write("sbatchlint.toml", whole='exclude = ["old"]\n')
    assert run("old/job.sh").out == ""


def test_include_git_and_markdown(run: Run, write: Write) -> None:
    write("jobs/run.txt", whole="#SBATCH -N 1\nBAD\n")
    write("job.sh", "BAD\n")
    write("jobs/ignored.sh", "BAD\n")
    write("jobs/.gitignore", whole="ignored.sh\n")
    write("jobs/guide.md", whole=f"```sh\n{'#SBATCH -N 1'}\nBAD\n```\n")
    write("sbatchlint.toml", whole='include = ["/jobs/"]\n')
    assert codes(run(*CONCISE, ".")) == ["./jobs/run.txt TST101"]
    write("sbatchlint.toml", whole="respect-gitignore = false\ninclude-markdown = true\n")
    assert codes(run(*CONCISE, ".")) == [
        "./job.sh TST101",
        "./jobs/guide.md TST101",
        "./jobs/ignored.sh TST101",
    ]
    assert len(codes(run(*CONCISE, "--respect-gitignore", "--no-include-markdown", "."))) == 1


def test_standard_input_is_where_its_name_says(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("a/sbatchlint.toml", whole='ignore = ["TST101"]\n')
    script = write("script", "BAD RISKY\n")
    for name, expected in (("a/job.sh", ["a/job.sh TST102"]), ("b.sh", ["b.sh TST101", "b.sh TST102"])):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(script.read_bytes())))
        assert codes(run(*CONCISE, "--stdin-filename", name, "-")) == expected


# --- the cluster ------------------------------------------------------------------------------------


def test_clusters_by_name_and_by_path(run: Run, write: Write, tmp_path: Path) -> None:
    write("site/small.toml", whole='name = "small"\n')
    write("site/base.toml", whole='clusters = { small = "small.toml" }\nshared-file-systems = ["/scratch"]\n')
    write("big.toml", whole='name = "big"\n[[file-systems]]\npath = "/home"\nshared = false\n')
    write(
        "sbatchlint.toml",
        whole='extend = "site/base.toml"\nclusters = { big = "big.toml" }\ncluster = "big"\n'
        'slurm-version = "24.05"\n[per-path."a"]\ncluster = "small"\n',
    )
    names = ("job.sh", "a/job.sh", "b/job.sh")
    told = {name: settings(tmp_path / name) for name in names}
    clusters = {path: found.options.cluster for path, found in told.items() if found is not None}
    assert {path: cluster and cluster.name for path, cluster in clusters.items()} == {
        "job.sh": "big",
        "a/job.sh": "small",
        "b/job.sh": "big",
    }
    big = clusters["job.sh"]
    assert big is not None
    assert [(one.path, one.shared) for one in big.file_systems] == [("/home", False), ("/scratch", True)]
    assert run("plan", "--cluster", "bigg", "job.sh").err == (
        "sbatchlint: --cluster: no cluster is called 'bigg'; did you mean 'big'?\n"
    )


def test_what_is_assumed_of_the_submission(write: Write, tmp_path: Path) -> None:
    write(
        "sbatchlint.toml",
        whole='sbatch-args = "--image=x -N 2"\nknown-options = ["--image="]\n'
        'fail-on = "warning"\nfollow = false\nenv = { A = "1", SBATCH_QOS = "q" }\n'
        '[per-path."a"]\nsbatch-args = ["-N", "3"]\nenv = { A = "2" }\n',
    )
    here = settings(tmp_path / "job.sh")
    there = settings(tmp_path / "a/job.sh")
    assert here is not None and there is not None
    assert here.options.sbatch_args == ("--image=x", "-N", "2") and here.options.known_options == ("image",)
    assert here.options.submit_environment == (("SBATCH_QOS", "q"),)
    assert (here.fail_on, here.follow, here.options.pedantic) == (Severity.WARNING, False, False)
    assert there.options.sbatch_args == ("-N", "3")
    assert dict(there.options.environment) == {"A": "2", "SBATCH_QOS": "q"}


def test_the_plan_heeds_the_file(run: Run, write: Write) -> None:
    write("job.sh", "srun hostname\n")
    write("sbatchlint.toml", whole='sbatch-args = "--job-name=mine"\nknown-options = ["--image"]\n')
    assert "mine" in run("plan", "job.sh").out
    assert "mine" not in run("plan", "--isolated", "job.sh").out
    assert run("plan", "--sbatch-args=--image=x", "job.sh").status == 0


# --- what a site can rely on ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        'select = ["TST"]\n',
        'ignore = ["ALL"]\n',
        'ignore = ["policy"]\n',
        '[severity]\npolicy = "info"\n',
        '[per-file-ignores]\n"*.sh" = ["policy"]\n',
    ],
)
def test_a_project_does_not_switch_off_a_policy_of_the_site_unawares(
    text: str, run: Run, write: Write, site: Write
) -> None:
    write("job.sh")
    site(NO_ACCOUNT)
    write("sbatchlint.toml", whole=text)
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh require-account"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('ignore = ["require-account"]\n', "sbatchlint.toml:1: ignore"),
        ('[severity]\nrequire-account = "info"\n', "sbatchlint.toml:2: severity"),
        ('[per-file-ignores]\n"*.sh" = ["require-account"]\n', "sbatchlint.toml:2: per-file-ignores"),
    ],
)
def test_to_name_the_policy_does_and_is_told(
    text: str, place: str, run: Run, write: Write, site: Write
) -> None:
    write("job.sh")
    site(NO_ACCOUNT)
    write("sbatchlint.toml", whole=text)
    done = run("job.sh")
    assert (done.status, done.out) == (0, "")
    assert f"sbatchlint: {place} weakens require-account, a policy of the site\n" in done.err
    assert "require-account, a policy of the site, is weakened at sbatchlint.toml:" in run("config").out


def test_a_policy_of_the_project_is_a_rule_like_others(run: Run, write: Write) -> None:
    write("job.sh", "BAD\n")
    write("sbatchlint.toml", whole=NO_ACCOUNT)
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh require-account", "job.sh TST101"]
    assert codes(run(*CONCISE, "--ignore", "policy", "job.sh")) == ["job.sh TST101"]


# --- plugins ----------------------------------------------------------------------------------------

PLUGIN = (
    "from sbatchlint.api import Rule, Severity\n\nclass Mine(Rule):\n    '''Doc.'''\n\n"
    "    code, name, severity = 'ACME001', 'mine', Severity.ERROR\n\n"
    "    def check(self, job):\n        yield self.finding(job.source.line_span(1), 'found')\n"
)


def test_code_of_a_project_needs_leave(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh")
    write("leave_rules/__init__.py", whole=PLUGIN)
    write("sbatchlint.toml", whole='plugins = ["./leave_rules"]\n')
    assert run("job.sh").status == 2
    assert codes(run(*CONCISE, "--allow-plugins", "job.sh")) == ["job.sh ACME001"]
    assert codes(run(*CONCISE, "--config", "sbatchlint.toml", "job.sh")) == ["job.sh ACME001"]
    monkeypatch.setenv("SBATCHLINT_ALLOW_PLUGINS", "0")
    assert run("job.sh").status == 2
    monkeypatch.setenv("SBATCHLINT_ALLOW_PLUGINS", "1")
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh ACME001"]


def test_code_of_the_site_needs_none(run: Run, write: Write, site: Write) -> None:
    write("job.sh", "BAD\n")
    write("site/site_rules_of_test/__init__.py", whole=PLUGIN)
    site('plugins = ["./site_rules_of_test"]\n')
    write("sbatchlint.toml", whole='ignore = ["TST"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh ACME001"]


def test_what_the_site_names_a_project_may_name_too(run: Run, write: Write, site: Write) -> None:
    write("job.sh")
    write("site/of_both/__init__.py", whole=PLUGIN)
    write("of_project/__init__.py", whole=PLUGIN.replace("ACME001", "ACME002").replace("mine", "other"))
    site('plugins = ["./of_both"]\n')
    write("sbatchlint.toml", whole='plugins = ["site/of_both"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh ACME001"]
    write("sbatchlint.toml", whole='plugins = ["site/of_both", "./of_project"]\n')
    done = run("job.sh")
    assert done.status == 2
    assert "'./of_project' would run code that this project brings" in done.err


def test_very_many_globs(run: Run, write: Write) -> None:
    globs = [f'"old{number}/**/*.{number}.sh"' for number in range(3000)]
    write("sbatchlint.toml", whole=f"exclude = [{', '.join(globs)}]\n")
    write("jobs/.gitignore", whole="".join(f"gone{number}/**/*.{number}\n" for number in range(3000)))
    write("old2999/a.2999.sh", "BAD\n")
    write("jobs/gone7/a.7", "BAD\n")
    write("jobs/new.sh", "BAD\n")
    done = run(*CONCISE, ".")
    assert codes(done) == ["./jobs/new.sh TST101"]
    assert "re2" not in done.err.lower()


# --- telling of it ----------------------------------------------------------------------------------


def test_each_value_is_told_with_its_place(run: Run, write: Write, site: Write) -> None:
    site('pedantic = true\nknown-options = ["--image"]\n')
    write("base.toml", whole='\nfail-on = "error"\n')
    write(
        "sbatchlint.toml",
        whole='extend = "base.toml"\nselect = ["TST"]\n[severity]\nTST101 = "info"\n'
        '[per-path."a"]\nenv = { A = "1" }\n',
    )
    told = json.loads(run("config", "a/job.sh", "--slurm-version", "24.05", "--output-format", "json").out)
    (path,) = told["paths"]
    places = {
        one["key"]: (one["value"], one["file"] and f"{one['file']}:{one['line']}", one["option"])
        for one in path["settings"]
    }
    assert places["pedantic"] == (True, "site/sbatchlint.toml:1", None)
    assert places["known-options"] == ("--image", "site/sbatchlint.toml:2", None)
    assert places["fail-on"] == ("error", "base.toml:2", None)
    assert places["select"] == (["TST"], "sbatchlint.toml:2", None)
    assert places["severity.TST101"] == ("info", "sbatchlint.toml:4", None)
    assert places["env.A"] == ("1", "sbatchlint.toml:6", None)
    assert places["slurm-version"] == ("24.05", None, "--slurm-version")
    assert places["force-exclude"] == (False, None, None)
    assert [file["kind"] for file in path["files"]] == ["project", "project", "site"]
    text = run("config", "a/job.sh", "--slurm-version", "24.05").out
    for key, (_, *where) in places.items():
        assert not any(where) or any(
            key in line and str(where[0] or where[1]) in line for line in text.splitlines()
        )


def test_secrets_are_not_told(run: Run, write: Write) -> None:
    token = "hf_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3f"
    write("job.sh")
    text = f'env = {{ HF_TOKEN = "{token}", MY_PASSWORD = "geheim12", OTHER = "{token}" }}\n'
    write("sbatchlint.toml", whole=text)
    for arguments in (("config",), ("config", "--output-format", "json")):
        done = run(*arguments)
        assert done.status == 0
        assert token not in done.out and "geheim12" not in done.out
    write("sbatchlint.toml", whole=text.replace("}", ", RANKS = 8 }"))
    done = run("config")
    assert done.status == 2 and "RANKS" in done.err and token not in done.err


def test_the_files_that_would_be_checked(run: Run, write: Write) -> None:
    for name in ("job.sh", "old/job.sh", "a/b.sbatch"):
        write(name)
    write("a/notes.txt", whole="nothing\n")
    write("sbatchlint.toml", whole='exclude = ["/old"]\n')
    assert run("config", "--files") == (0, "./a/b.sbatch\n./job.sh\n", "")


def test_no_other_file_than_toml_is_shown(run: Run, write: Write) -> None:
    """A file of somebody else's may name any path: what stands there must not come into a log."""
    write("job.sh")
    write(".netrc", whole="machine example.org password geheim\n")
    write("sbatchlint.toml", whole='extend = ".netrc"\n')
    done = run("job.sh")
    assert done.status == 2 and "has to end in .toml" in done.err and "geheim" not in done.err


def test_the_schema_is_printed(run: Run) -> None:
    assert json.loads(run("config", "--schema").out)["additionalProperties"] is False


def test_nothing_is_configured(run: Run, write: Write) -> None:
    write("job.sh")
    assert "no configuration file holds for it" in run("config").out


def test_without_a_file_no_models_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text("#!/bin/bash\n#SBATCH --time=00:10:00\nhostname\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'jobs'\n")
    code = (
        "import sys\nfrom sbatchlint.cli.main import main\nstatus = main(sys.argv[1:])\n"
        "print(status, 'pydantic' in sys.modules, 'sbatchlint_rules' in sys.modules)"
    )
    command = [sys.executable, "-c", code, "job.sh"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True)
    assert done.stdout == "0 False True\n"


# --- mistakes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("paths", [("broken", "good"), ("good", "broken"), (".",)])
def test_a_mistake_concerns_its_own_scripts_alone(run: Run, write: Write, paths: tuple[str, ...]) -> None:
    """Whichever path is the first: the configuration of its folder is that of the run as a whole."""
    for folder in ("broken", "good"):
        write(f"{folder}/job.sh", "BAD\n")
    write("broken/sbatchlint.toml", whole='fail-on = "Eror"\n')
    done = run(*CONCISE, *paths)
    assert (done.status, codes(done)) == (2, [f"{'./' * (paths == ('.',))}good/job.sh TST101"])
    assert done.err.count("error: fail-on") == 1


def test_a_mistake_is_in_the_report(run: Run, write: Write) -> None:
    write("job.sh")
    write("sbatchlint.toml", whole='\nfail-on = "Eror"\n')
    done = run("--output-format", "github", ".")
    assert done.status == 2 and "::sbatchlint.toml:2: fail-on: 'Eror' is no value for it" in done.out


def test_a_mistake_in_a_base_is_told_once(run: Run, write: Write) -> None:
    write("base.toml", whole='slurm-version = "1.0"\n')
    for folder in ("a", "b"):
        write(f"{folder}/job.sh")
        write(f"{folder}/sbatchlint.toml", whole='extend = "../base.toml"\n')
    assert run(".").err.count("error: ") == 1


@pytest.mark.parametrize(
    "line",
    [
        'HF_TOKEN = "{secret}"\nDATA = 3',
        "HF_TOKEN = {secret}",
        'HF_TOKEN = "{secret}',
        'x.HF_TOKEN = ["{secret}"]',
        "HF_TOKEN = '''{secret}",
        'A = {{ "HF_TOKEN" = "{secret}" }}',
        'SBATCH_ARGS = ["--export=A=1,HF_TOKEN={secret}", 1]',
        'pédantic = "HF_TOKEN={secret}"',
        'fail-on = "HF_TOKEN={secret}"\n[severity]\nSB3 = "HF_TOKEN={secret}"',
    ],
)
@pytest.mark.parametrize("head", ["", "[env]\n"])
def test_no_message_tells_a_secret(run: Run, write: Write, head: str, line: str) -> None:
    """The name says that it is one, even where the file can't be read."""
    write("job.sh")
    write("sbatchlint.toml", whole=head + line.format(secret="s3cr3tvalue99") + "\n")
    done = run("--output-format", "github", ".")
    assert "error: " in done.err and "s3cr3t" not in done.err + done.out


def test_no_account_tells_a_secret_in_a_word(run: Run, write: Write) -> None:
    write("sbatchlint.toml", whole='sbatch-args = "--export=A=1,HF_TOKEN=s3cr3tvalue99"\n')
    done = run("config")
    assert "sbatch-args" in done.out and "s3cr3t" not in done.out


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.symlink_to("nowhere.toml"), "a link to nowhere.toml, which is not there"),
        (lambda path: path.symlink_to(path.name), "cannot be read (too many levels"),
        (lambda path: os.mkfifo(path), "this is a pipe and no file"),
        (lambda path: path.symlink_to("/dev/zero"), "larger than 1 MiB"),
        (lambda path: path.write_text("#" * 1024**2 + "\n"), "larger than 1 MiB"),
        (lambda path: path.write_text(f"a = {'[' * 5000}"), "nested too deep"),
        (lambda path: path.write_text(f"a = {'9' * 5000}"), "this number is too long"),
        (lambda path: path.write_text('extend = "a\\u0000.toml"'), "a text with a NUL character"),
        (lambda path: path.write_text('"a\\u0000" = 1'), "a text with a NUL character"),
        (lambda path: path.write_text('[tool.sbatchlint]\nselect = ["SB3"]'), "for pyproject.toml"),
        (lambda path: path.write_text('[lint]\nselect = ["SB3"]'), "stands at the top here"),
        (lambda path: path.write_text('[severity]\nignore = ["SB3"]'), "above the first [table]"),
        (lambda path: path.write_text('[per-path."a"]\nselect = ["SB3"]'), "above the first [table]"),
        (lambda path: path.write_text('[policy]\nname = "a"'), "write [[policy]]"),
        (lambda path: path.write_text('cluster = ""'), "it is empty"),
        (lambda path: path.write_text("fail-on = 2027-01-01"), "fail-on: 2027-01-01 is no value for it"),
    ],
)
def test_files_that_nobody_meant(run: Run, write: Write, make: Callable[[Path], object], said: str) -> None:
    for folder in ("a", "b"):
        write(f"{folder}/job.sh", "BAD\n")
    make(Path("a/sbatchlint.toml").absolute())
    done = run(*CONCISE, ".")
    assert (done.status, codes(done)) == (2, ["./b/job.sh TST101"])
    assert said in done.err and "a/sbatchlint.toml:" in done.err


def test_long_chains_end(run: Run, write: Write) -> None:
    write("job.sh")
    write("sbatchlint.toml", whole='extend = "0.toml"\n')
    for number in range(2000):
        write(f"{number}.toml", whole=f'extend = "{number + 1}.toml"\n')
    done = run(".")
    assert done.status == 2 and "100 files extend each other already" in done.err


def test_a_long_line_is_shown_in_part(run: Run, write: Write) -> None:
    write("job.sh")
    write("sbatchlint.toml", whole=f'ignore = ["{"x" * 3000}"]\nfail-on = "{"y" * 3000}"\n')
    done = run(".")
    assert done.status == 2 and max(map(len, done.err.splitlines())) < 200


def test_the_rules_that_do_not_look_are_named(run: Run, write: Write) -> None:
    write("sbatchlint.toml", whole='ignore = ["TST101"]\n')
    assert "rules look at it, all but TST101" in run("config").out
    (account,) = json.loads(run("config", "--output-format", "json").out)["paths"]
    assert account["left-out-rules"] == ["TST101"]
