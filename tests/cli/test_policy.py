"""``sbatchlint policy`` as a command, and policies in a run."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from sbatchlint.secrets.fake import fake_token
from tests.cli.conftest import Run, Write
from tests.cli.test_process import loaded

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
TOML = [text for language, text in BLOCKS if language == "toml"]


@pytest.fixture(autouse=True)
def no_site_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what this machine may have out of the tests."""
    monkeypatch.setenv("SBATCHLINT_SITE_CONFIG", "")


def test_the_examples_of_the_documentation_hold(run: Run, write: Write) -> None:
    write("sbatchlint.toml", whole="\n".join(TOML))
    done = run("policy", "test")
    assert (done.status, done.err) == (0, "")
    assert done.out == "walltime: 2 examples of 2 as they should be\n\n1 policy, all hold.\n"


def test_an_example_that_fails_is_told_with_the_reason(run: Run, write: Write) -> None:
    broken = TOML[0].replace("--time=08:00:00", "--time=01:00:00").replace("duration('4h')", "duration('1h')")
    write("own.toml", whole=broken)
    done = run("policy", "test", "own.toml")
    assert done.status == 1
    assert done.out == (
        "walltime: 0 examples of 2 as they should be\n"
        "  good example 1: it is reported\n"
        "  bad example 1: it is not reported: its `require` is true\n"
        "\n1 policy, 1 policy failed.\n"
    )


def test_a_secret_beside_a_mistake_is_not_shown(run: Run, write: Write) -> None:
    token = fake_token("huggingface", random.Random(7))
    write("own.toml", whole=f'env = {{ HF_TOKEN = "{token}", A = 3 }}\n')
    done = run("policy", "test", "own.toml")
    assert done.status == 2 and "own.toml:1" in done.err
    assert token not in done.err and "****" in done.err


def test_a_policy_without_examples_is_named(run: Run, write: Write) -> None:
    write("own.toml", whole="[[policy]]\nname = 'a'\nrequire = 'true'\nmessage = 'm'\n")
    done = run("policy", "test", "own.toml")
    assert done.status == 0 and done.out.startswith("a: no examples\n")


def test_all_ready_policies_are_tried_at_once(run: Run) -> None:
    files = sorted(str(file) for file in (ROOT / "examples" / "policies").glob("*.toml"))
    done = run("policy", "test", *files)
    assert done.status == 0 and done.out.endswith("12 policies, all hold.\n")
    listed = run("policy", "list", *files)
    assert listed.status == 0 and len(listed.out.splitlines()) == 12


def test_what_sites_ask_can_be_written(run: Run) -> None:
    done = run("policy", "test", str(ROOT / "tests" / "policy" / "site_policies.toml"))
    assert done.status == 0 and done.out.endswith("30 policies, all hold.\n")
    assert "no examples" not in done.out


@pytest.mark.parametrize("arguments", [("policy", "list"), ("policy", "test"), ("bad.sh",)])
def test_a_policy_called_like_a_rule_is_refused_at_its_place(
    run: Run, write: Write, arguments: tuple[str, ...]
) -> None:
    write("sbatchlint.toml", whole=TOML[0].replace('"walltime"', '"unreadable-statement"'))
    write("bad.sh", whole="#!/bin/bash\n#SBATCH --time=08:00:00\nsrun hostname\n")
    done = run(*arguments)
    assert done.status == 2
    assert (
        "name: 'unreadable-statement' is the name of the rule SB001" in done.err
        and "sbatchlint.toml:2:8" in done.err
    )


def test_a_mistake_is_shown_as_in_the_documentation(run: Run, write: Write) -> None:
    (picture,) = (text for language, text in BLOCKS if not language)
    require = 'require = """\n    job.nodes > 0 &&\n    job.tme < duration(\'1h\')"""'
    write("sbatchlint.toml", whole=f"[[policy]]\nname = 'a'\n{require}\nmessage = 'm'\n")
    done = run("policy", "test")
    assert done.status == 2 and done.err == picture


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("policy", "test"), "policy: there is no [[policy]] here"),
        (("policy", "test", "none.toml"), "none.toml: no such file"),
        (("policy", "tset"), "invalid choice: 'tset'"),
        (("policy",), "required"),
    ],
)
def test_wrong_use(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.status == 2 and said in done.err


def test_the_reference_has_every_variable(run: Run) -> None:
    done = run("policy", "variables")
    assert done.status == 0
    assert re.search(r"^  time +duration +--time;", done.out, re.MULTILINE)
    assert run("policy", "variables", "--output-format=markdown").out in PAGE


def test_a_policy_is_a_rule_of_a_run(run: Run, write: Write) -> None:
    write("sbatchlint.toml", whole=TOML[0])
    bad = "#!/bin/bash\n#SBATCH --partition=interactive --time=08:00:00\nsrun hostname\n"
    write("bad.sh", whole=bad)
    done = run("bad.sh", "--output-format=concise")
    assert done.status == 1
    assert "bad.sh:2:" in done.out and "walltime 08:00:00 is too long for partition interactive" in done.out
    assert run("bad.sh", "--ignore=policy").status == 0
    assert run("bad.sh", "--ignore=walltime").status == 0
    assert run("bad.sh", "--isolated").status == 0


def test_what_an_exception_sets_aside_is_counted_and_told_to_programs(run: Run, write: Write) -> None:
    exception = (
        '[[exception]]\npolicy = "walltime"\npaths = "bad.sh"\nowner = "Ada"\nreason = "ticket 17"\n'
        "expires = 2999-12-31\n"
    )
    write("sbatchlint.toml", whole=f"{TOML[0]}\n{exception}")
    write("bad.sh", whole="#!/bin/bash\n#SBATCH --partition=interactive --time=08:00:00\nsrun hostname\n")
    done = run("bad.sh")
    assert (done.status, done.out) == (0, "")
    assert "Found no problems in 1 file; 1 excepted." in done.err
    assert json.loads(run("--output-format=json", "bad.sh").out)["summary"]["excepted"] == 1
    (result,) = json.loads(run("--output-format=sarif", "bad.sh").out)["runs"][0]["results"]
    assert result["ruleId"] == "walltime"
    assert result["suppressions"] == [
        {"kind": "external", "justification": "Ada: ticket 17 (until 2999-12-31)"}
    ]
    assert run("--write-baseline=known.json", "bad.sh").status == 0
    assert '"entries": []' in (write("x").parent / "known.json").read_text()


def test_examples_are_for_the_cluster_that_the_configuration_names(run: Run, write: Write) -> None:
    write("alps.toml", whole='name = "alps"\n')
    policy = "[[policy]]\nname = 'a'\nrequire = \"cluster.name == 'alps'\"\nmessage = 'm'\n"
    example = "examples = { good = '#!/bin/bash', bad = '#!/bin/bash' }\n"
    write("sbatchlint.toml", whole=f"cluster = './alps.toml'\n{policy}{example}")
    done = run("policy", "test")
    assert done.status == 1 and "bad example 1: it is not reported: its `require` is true" in done.out
    assert "good example 1" not in done.out


def test_a_secret_in_a_value_is_hidden_and_escapes_are_shown(run: Run, write: Write) -> None:
    message = "message = 'named {job.name} for {job.partition}'"
    write("sbatchlint.toml", whole=f"[[policy]]\nname = 'a'\nrequire = \"job.qos == 'x'\"\n{message}\n")
    token = "hf_" + "XkQvTzRbWnYpLmJhGfDsAcEuIoKrTyNqVw"
    write("job.sh", whole=f"#!/bin/bash\n#SBATCH --job-name={token} --partition=\x1b[31mred\nsrun a\n")
    for form in ("full", "concise", "json"):
        done = run("job.sh", f"--output-format={form}")
        assert "named ********" in done.out and token not in done.out
        assert "\x1b" not in done.out


def test_the_language_of_policies_is_loaded_for_policies_alone(tmp_path: Path) -> None:
    script = tmp_path / "job.sh"
    script.write_text(
        "#!/bin/bash\n#SBATCH --time=01:00:00 --mem=1G --output=logs/%j\nhostname\n", encoding="utf-8"
    )
    config = tmp_path / "sbatchlint.toml"
    config.write_text("pedantic = false\n", encoding="utf-8")
    run_it = (str(script), "--exit-zero")
    assert not loaded(*run_it) & {"celpy", "lark", "sbatchlint.policy.check"}
    config.write_text("[[policy]]\nname = 'a'\nrequire = 'true'\nmessage = 'm'\n", encoding="utf-8")
    assert loaded(*run_it) >= {"celpy", "lark"}
