"""``sbatchlint cluster``: get the profile of a cluster, and show one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.status import FAILURE, OK

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Profile
    from sbatchlint.cluster.records import Records

PROFILE = "cluster.toml"
"""The file that is shown where none is named."""

_EPILOG = """\
sbatchlint cluster import                        ask the Slurm of this machine
sbatchlint cluster import --from-conf FILE...    read slurm.conf and, if named, gres.conf
sbatchlint cluster import --from-dump FOLDER     read saved outputs of scontrol show and others
sbatchlint cluster show [FILE]                   show a profile (default: cluster.toml)

exit status: 0 done, 2 wrong use, a mistake in the file, or nothing found
"""


def run(arguments: Sequence[str]) -> int:
    """Do what *arguments* say; return the exit status."""
    read = _parser().parse_args(list(arguments))
    console = Console()
    return _import(read, console) if read.what == "import" else _show(read, console)


# --- import ----------------------------------------------------------------------------------------


def _import(read: argparse.Namespace, console: Console) -> int:
    if read.output is not None and read.output.exists() and not read.force:
        console.complain(str(read.output), "there is such a file already; --force replaces it")
        return FAILURE
    records = _records(read, console)
    if records is None:
        return FAILURE
    if records.empty():
        console.complain(_where(read), "nothing that tells of a cluster was found there")
        return FAILURE
    profile = _profile(records, read, console)
    if profile is None:
        return FAILURE
    return _put(profile, read.output, console)


def _where(read: argparse.Namespace) -> str:
    if read.from_conf:
        return " ".join(read.from_conf)
    return str(read.from_dump) if read.from_dump is not None else "scontrol"


def _records(read: argparse.Namespace, console: Console) -> Records | None:
    """Gather what is told of the cluster; None, and a complaint, where the source cannot be read."""
    from sbatchlint.cluster.commands import ask_live
    from sbatchlint.cluster.configuration import UnreadableFile, read_configuration
    from sbatchlint.cluster.outputs import read_dump

    if read.from_conf:
        try:
            return read_configuration(*map(Path, read.from_conf))
        except UnreadableFile as error:
            path, _, reason = str(error).partition(": ")
            console.complain(path, reason)
            return None
    if read.from_dump is not None:
        try:
            return read_dump(read.from_dump)
        except OSError as error:
            console.complain(str(error.filename or read.from_dump), (error.strerror or str(error)).lower())
            return None
    return ask_live(console.remark)


def _profile(records: Records, read: argparse.Namespace, console: Console) -> Profile | None:
    from pydantic import ValidationError

    from sbatchlint.cluster.assemble import profile_from

    try:
        return profile_from(records, name=read.name, release=read.release)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            place = ".".join(map(str, details["loc"])) or "profile"
            console.complain(place, str(details["msg"]))
        return None


def _put(profile: Profile, output: Path | None, console: Console) -> int:
    """Write the profile to a file or to standard output."""
    from sbatchlint.cli.saving import save
    from sbatchlint.cluster.write import profile_toml

    text = profile_toml(profile)
    if output is None:
        write(sys.stdout, text)
        return OK
    try:
        save(str(output), text.encode())
    except OSError as error:
        console.complain(str(output), f"cannot be written ({(error.strerror or str(error)).lower()})")
        return FAILURE
    return OK


# --- show ------------------------------------------------------------------------------------------


def _show(read: argparse.Namespace, console: Console) -> int:
    from sbatchlint.cluster.load import load_profile
    from sbatchlint.toml.read import TomlError

    try:
        profile = load_profile(read.file)
    except OSError as error:
        hint = "; `sbatchlint cluster import` writes one" if isinstance(error, FileNotFoundError) else ""
        console.complain(read.file, f"{(error.strerror or str(error)).lower()}{hint}")
        return FAILURE
    except TomlError as error:
        from sbatchlint.report.mistakes import mistakes_text

        write(sys.stderr, mistakes_text(error, style_for(sys.stderr, read.color)))
        return FAILURE
    if read.output_format == "json":
        from sbatchlint.report.cluster_json import cluster_json

        write(sys.stdout, cluster_json(profile))
    else:
        from sbatchlint.report.cluster_text import cluster_text

        write(sys.stdout, cluster_text(profile, style_for(sys.stdout, read.color)))
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint cluster",
        description="Get the profile of a cluster, and show one.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="what", required=True, metavar="{import,show}")
    get = commands.add_parser("import", help="write a profile", allow_abbrev=False)
    source = get.add_mutually_exclusive_group()
    source.add_argument(
        "--from-conf",
        nargs="+",
        action=_OneOrTwo,
        metavar="FILE",
        help="read slurm.conf, and gres.conf (else the one beside it)",
    )
    source.add_argument(
        "--from-dump", type=Path, metavar="FOLDER", help="read saved outputs of scontrol show"
    )
    get.add_argument("--name", help="what the cluster is to be called")
    get.add_argument("--release", help="the release of Slurm, such as 24.05, where the source does not tell")
    get.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    get.add_argument("--force", action="store_true", help="replace FILE if it is there")
    show = commands.add_parser("show", help="show a profile", allow_abbrev=False)
    show.add_argument("file", nargs="?", default=PROFILE, metavar="FILE", help=f"default: {PROFILE}")
    show.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    show.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal")
    return parser


class _OneOrTwo(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        if values is None or len(values) > 2:
            parser.error("--from-conf takes slurm.conf and perhaps gres.conf")
        setattr(namespace, self.dest, values)
