"""The views of a job: what they are made of, and what stands in where something is not known."""

from __future__ import annotations

import pytest

from sbatchlint.api import Job, Source
from sbatchlint.cluster.asking import Answer
from sbatchlint.cluster.load import read_profile
from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.docs import example_options, read_doc
from sbatchlint.lint.job import LintOptions
from tests.lint.conftest import OldProgram

TEXT = "#!/bin/bash\n#SBATCH --nodes=2\nhostname\n"


def profile(*lines: str) -> Profile:
    return read_profile(Source.from_text("\n".join(lines) + "\n", "cluster.toml"))


SITE = profile('name = "x"', 'release = "24.05"', 'known_options = ["--drain", "--bench="]')


def job(**options: object) -> Job:
    return Job(Source.from_text(TEXT), LintOptions(**options))  # type: ignore[arg-type]


def test_the_release_of_the_options_counts_before_that_of_the_cluster() -> None:
    assert job().release is None
    assert job(cluster=SITE).release == "24.05"
    assert job(cluster=SITE, release="22.05").release == "22.05"
    assert job(cluster=profile('name = "x"')).release is None


def test_options_of_the_site() -> None:
    assert {"drain", "bench"} <= job(cluster=SITE).known_options
    assert job(cluster=SITE).site_flags == {"drain"}
    assert job().site_flags == frozenset()
    assert "mine" in job(known_options=("mine",)).known_options
    assert not {"drain", "bench", "mine"} & job().known_options


def test_an_option_of_the_site_is_nothing_to_complain_about() -> None:
    source = Source.from_text("#!/bin/bash\n#SBATCH --bench=2\nhostname\n")
    assert Job(source).verdict.complaints
    assert not Job(source, LintOptions(cluster=SITE)).verdict.complaints
    assert not Job(source, LintOptions(known_options=("bench",))).verdict.complaints


def test_what_is_said_of_all_releases() -> None:
    one = job(release="22.05")
    assert len(one.verdict.asked) == 1
    assert len(one.verdict_of_all.asked) > 1
    every = job()
    assert every.verdict_of_all is every.verdict


def test_nothing_misfits_a_cluster_that_is_not_known() -> None:
    assert job().misfits == ()
    assert job(cluster=SITE).misfits == ()


@pytest.mark.parametrize(("value", "taken"), [("2", True), ("two", False), ("", False)])
def test_values_that_sbatch_takes(value: str, taken: bool) -> None:
    one = job()
    (use,) = one.request.uses
    assert one.takes(use.spec, value) is taken


def test_a_script_in_another_language_has_no_shell_text() -> None:
    text = "#!/usr/bin/env python3\n#SBATCH --nodes=2\nprint('if then')\n"
    script = Job(Source.from_text(text)).script
    assert (script.span.start, script.span.end) == (0, len(text))
    assert (script.body, script.unparsed, script.comments) == ((), (), ())


def test_the_cluster_is_asked_once_and_may_not_answer() -> None:
    asked: list[str] = []

    def ask(source: Source) -> Answer:
        asked.append(source.text)
        return Answer(True, "")

    one = job(ask=ask)
    assert one.sbatch_answer == Answer(True, "") == one.sbatch_answer
    assert asked == [TEXT]

    def fail(source: Source) -> Answer:
        raise OSError("no sbatch")

    assert job(ask=fail).sbatch_answer is None
    assert job().sbatch_answer is None


PAGE = """It is old.

    ## Why
    It is.

    ## Example
    {}
    ```sbatch bad
    #!/bin/bash
    old  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    new
    ```
    """


def options_of(block: str) -> LintOptions:
    rule = type("Made", (OldProgram,), {"__doc__": PAGE.replace("{}", block.replace("\n", "\n    "))})
    return example_options(read_doc(rule))


def test_what_a_page_assumes_of_the_cluster() -> None:
    cluster = options_of('```toml cluster\nname = "x"\nrelease = "24.05"\n```').cluster
    assert cluster is not None
    assert job(cluster=cluster).release == "24.05"


def test_what_a_page_assumes_of_sbatch() -> None:
    ask = options_of("```text sbatch\nsbatch: error: no\n```").ask
    assert ask is not None
    assert ask(Source.from_text("#!/bin/bash\nold\n")) == Answer(False, "sbatch: error: no\n")
    assert ask(Source.from_text("#!/bin/bash\nnew\n")) == Answer(True, "")


def test_what_a_page_assumes_of_paths() -> None:
    look = options_of("```text missing\n/a/b /c\n/d\n```").look
    assert look is not None
    assert [look(path) for path in ("/a/b", "/c", "/d", "/e")] == [False, False, False, True]
    assert options_of("") == LintOptions()
