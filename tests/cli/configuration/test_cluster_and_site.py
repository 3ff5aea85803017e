"""The cluster of a configuration, and what a site can rely on."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.lint.finding import Severity
from tests.cli.configuration.asking import CONCISE, NO_ACCOUNT, codes, settings
from tests.cli.conftest import Run, Write


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
