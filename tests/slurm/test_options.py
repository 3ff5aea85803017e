"""The option table: names, prefixes, letters, releases."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.options import KNOWN_RELEASES, Argument, option_table, parse_release

TABLE = option_table()


def meaning(name: str, command: str = "sbatch", release: str | None = None) -> str | tuple[str, ...]:
    match = TABLE.find_long(name, command, parse_release(release))
    return match.spec.long if match.spec is not None else match.possibilities


def test_table_is_read_once() -> None:
    assert option_table() is TABLE


@pytest.mark.parametrize(
    ("text", "release"), [("24.05", (24, 5)), ("22.05.8", (22, 5)), ("24.5", (24, 5)), (None, None)]
)
def test_release_names(text: str | None, release: tuple[int, int] | None) -> None:
    assert parse_release(text) == release


def test_release_that_is_none() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        parse_release("newest")


@pytest.mark.parametrize("name", ["mem", "time", "gres", "export", "wait", "container"])
def test_exact_name_wins_over_longer_ones(name: str) -> None:
    assert meaning(name) == name


@pytest.mark.parametrize(
    ("prefix", "name"),
    [
        ("job", "job-name"),
        ("out", "output"),
        ("dep", "dependency"),
        ("ntasks-per-n", "ntasks-per-node"),
        ("tasks", "ntasks-per-node"),
        ("cores", "cores-per-socket"),
        ("no-r", "no-requeue"),
        ("ho", "hold"),
        ("cluster", "clusters"),
    ],
)
def test_unique_prefix_and_alias(prefix: str, name: str) -> None:
    assert meaning(prefix) == name


def test_ambiguous_prefix_lists_what_slurm_lists() -> None:
    assert meaning("node") == ("nodefile", "nodelist", "nodes")


def test_prefix_that_later_releases_made_ambiguous() -> None:
    assert meaning("cons", release="22.05") == "constraint"
    assert meaning("cons", release="26.05") == ("consolidate-segments", "constraint")
    assert meaning("cons") == "constraint"


def test_aliases_do_not_make_a_prefix_ambiguous() -> None:
    assert meaning("pack", "srun") == "het-group"
    assert meaning("cpu_", "srun") == "cpu-bind"


@pytest.mark.parametrize("command", ["sbatch", "srun", "salloc"])
def test_pyxis_is_accepted_by_all(command: str) -> None:
    assert meaning("container-image", command) == "container-image"
    assert TABLE.get("no-container-mount-home").plugin == "pyxis"


@pytest.mark.parametrize("name", ["mpi", "cpu-bind", "label", "kill-on-bad-exit", "pty", "overlap"])
def test_srun_only_options(name: str) -> None:
    assert meaning(name) == ()
    assert meaning(name, "srun") == name


def test_names_are_case_sensitive_and_know_no_underscore() -> None:
    assert meaning("Nodes") == ()
    assert meaning("ntasks_per_node") == ()


def test_letters_differ_by_command() -> None:
    def letter(text: str, command: str) -> str | None:
        spec = TABLE.find_short(text, command)
        return spec.long if spec else None

    assert letter("K", "srun") == "kill-on-bad-exit"
    assert letter("K", "salloc") == "kill-command"
    assert letter("K", "sbatch") is None
    assert letter("J", "sbatch") == "job-name"


def test_argument_kind_differs_by_command_and_release() -> None:
    assert TABLE.get("wait").argument("sbatch") is Argument.NONE
    assert TABLE.get("wait").argument("srun") is Argument.REQUIRED
    assert TABLE.get("requeue").argument("sbatch", (24, 5)) is Argument.NONE
    assert TABLE.get("requeue").argument("sbatch", (25, 11)) is Argument.OPTIONAL
    assert TABLE.get("requeue").argument("sbatch") is Argument.OPTIONAL
    assert TABLE.get("get-user-env").argument("sbatch", (24, 5)) is Argument.OPTIONAL
    assert TABLE.get("get-user-env").argument("sbatch", (25, 5)) is Argument.NONE


def test_releases_bound_what_is_accepted() -> None:
    assert not TABLE.get("segment").accepted("sbatch", (23, 11))
    assert TABLE.get("segment").accepted("sbatch", (24, 5))
    assert TABLE.get("power").accepted("sbatch", (23, 11))
    assert not TABLE.get("power").accepted("sbatch", (24, 5))


def test_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        TABLE.get("bogus")


def test_every_option_is_of_some_command_and_release() -> None:
    assert len(list(TABLE)) > 170
    for spec in TABLE:
        assert spec.help
        assert any(spec.accepted(command, release) for command in spec.commands for release in KNOWN_RELEASES)
