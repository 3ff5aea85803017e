"""From a command to what its batch script says; `report/convert_script.py` writes it down."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sbatchlint.convert.command_words import Line, line_of
from sbatchlint.convert.container import with_image, with_workdir
from sbatchlint.convert.environment import Variables, of_one_node, only_in_body, variables_of
from sbatchlint.convert.keeping import DECLARING, of_the_host, sets
from sbatchlint.convert.quoting import quoted
from sbatchlint.convert.reading import Given, read_command
from sbatchlint.convert.refusal import Note, Refused
from sbatchlint.convert.shape import Choice, choose
from sbatchlint.convert.site import Site
from sbatchlint.convert.size import Size, size_of
from sbatchlint.convert.telling import SAID_BY_JOB, launch_notes, word_notes
from sbatchlint.convert.words import variables_in
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Command, Simple
from sbatchlint.source import Source
from sbatchlint.training.size.models import find_recipe

_NO_NAME = regex(r"[^A-Za-z0-9_.-]+")
_NOT_FOR_LIGHTNING = ("bash", "interactive")
"""Names of jobs that Lightning takes for a shell, in which it starts one rank."""
_RECIPE = "--recipe"


@dataclass(frozen=True, slots=True)
class Conversion:
    """Everything that a batch script says."""

    site: Site
    size: Size
    choice: Choice
    line: Line
    variables: Variables
    setup: tuple[str, ...]
    """Statements of the file that come first, as they were written."""
    secrets: tuple[str, ...]
    """Variables that must be there when the job is submitted: those of tokens that were taken out."""
    needed: tuple[str, ...]
    """Other variables that words of the command are made of, and that no line is seen to set."""
    notes: tuple[Note, ...]

    @property
    def with_container(self) -> bool:
        """Whether the tasks run in a container."""
        return bool(self.site.image)

    @property
    def meets(self) -> bool:
        """Whether launchers have to find each other."""
        return self.line.launch is not None


def convert(
    source: Source, site: Site, *, mode: str = "auto", folder: str = ".", uv: bool = False
) -> Conversion:
    """Return what a batch script says that runs the command *source* with the values of *site*.

    *folder* is where the command would be typed: the Python file is looked for from there.  Raises Refused
    where the command can't be converted.
    """
    given = read_command(source, folder)
    choice = choose(given, mode, folder)
    size = size_of(given, choice, site)
    site, of_image = with_image(given, site)
    site, setup, notes = _placed(given, site, folder)
    site, of_workdir = with_workdir(given, site)
    uses_uv = uv or given.uv is not None
    line = line_of(given, choice.shape, size.gpus, uv=uv)
    variables = variables_of(given, site, uv=uses_uv)
    site = _named(given, site, choice)
    here = quoted(os.path.abspath(folder))
    written = [f"{name}={here}" for name in given.around.homes]
    written += [given.source.slice(command.span) for command in setup]
    gone = sorted({name for one in setup for name in sets(one) if _tells_one_node(name, given)})
    if gone:
        written.append(f"unset {' '.join(gone)}")
    held = {*given.secrets, *given.around.homes, *(name for command in setup for name in sets(command))}
    words = [*line.options, *line.program, *(value for _, value in variables.exports)]
    _refuse_shadowed((*line.options, *line.program), variables)
    needed = tuple(dict.fromkeys(name for name in variables_in(words) if name not in held))
    given_by_shell = [name for name in _of_assignments(setup, given) if name not in held]
    return Conversion(
        site,
        size,
        choice,
        line,
        variables,
        tuple(text for text in written if not _is_own_value(text, given.secrets)),
        given.secrets,
        needed,
        (
            *given.notes,
            *size.notes,
            *launch_notes(given, choice),
            *notes,
            *of_image,
            *of_workdir,
            *word_notes(given, (*needed, *given_by_shell), [*words, *written]),
        ),
    )


def _refuse_shadowed(words: Sequence[str], variables: Variables) -> None:
    """Raise Refused where a word is made of what a variable was before the command itself sets it."""
    set_here = {name for name, _ in (*variables.exports, *variables.in_body)}
    for name in variables_in(words):
        if name in set_here:
            raise Refused(
                f"${name}", f"a shell works it out before {name}=... of the same command; write the word out"
            )


def _is_own_value(text: str, secrets: tuple[str, ...]) -> bool:
    """Tell whether a statement gives a variable nothing but what it holds: its token was taken out."""
    match = re.fullmatch(r"(?:export\s+)?(\w+)=['\"]*\$\{(\w+)\}['\"]*", text)
    return match is not None and match[1] == match[2] and match[1] in secrets


def _placed(given: Given, site: Site, folder: str) -> tuple[Site, tuple[Command, ...], tuple[Note, ...]]:
    """Return the site with its folder, the statements that are kept, and what is told of the others."""
    setup: list[Command] = []
    notes: list[Note] = []
    for command in given.setup:
        text = given.source.slice(command.span)
        if isinstance(command, Simple) and command.name == "cd" and (site.image or site.workdir):
            target = command.words[1].literal if len(command.words) > 1 else None
            if not site.workdir and target is not None and target.startswith("/"):
                site = replace(site, workdir=target)
                notes.append(Note(text, "becomes the folder that the container starts in"))
            else:
                notes.append(Note(text, "left out: the tasks start in --workdir"))
        elif site.image and of_the_host(command):
            notes.append(Note(text, "left out: the container has programs of its own"))
        elif _only_of_one_node(command, given):
            notes.append(Note(text, SAID_BY_JOB))
        elif not (site.image and only_in_body(command)):
            setup.append(command)
    if given.around.goes_home and not site.workdir and not site.image:
        site = replace(site, workdir=os.path.abspath(folder))
        notes.append(Note(f"--workdir={site.workdir}", "the folder of the file, which the file goes to"))
    return site, tuple(setup), tuple(notes)


def _of_assignments(setup: tuple[Command, ...], given: Given) -> Iterator[str]:
    """Yield the variables that assignments of *setup* need."""
    for command in setup:
        if isinstance(command, Simple) and (not command.words or command.name in DECLARING):
            yield from variables_in([given.source.slice(command.span).partition("=")[2]])


def _only_of_one_node(command: Command, given: Given) -> bool:
    """Tell whether *command* sets nothing but what tells the program of one node."""
    names = list(sets(command))
    return isinstance(command, Simple) and bool(names) and all(_tells_one_node(name, given) for name in names)


def _tells_one_node(name: str, given: Given) -> bool:
    return of_one_node(name) and name in given.program.environment


def _named(given: Given, site: Site, choice: Choice) -> Site:
    name = site.job_name or _NO_NAME.sub("-", _stem(given)).strip("-.") or "training"
    if choice.lightning and name in _NOT_FOR_LIGHTNING:
        if site.job_name:
            raise Refused(
                f"--job-name={name}", "Lightning takes such a job for a shell, and starts one rank in it"
            )
        name = f"{name}-job"
    return replace(site, job_name=name)


def _stem(given: Given) -> str:
    words = [arg.text for arg in given.program.arguments]
    for index, word in enumerate(words[:-1]):
        recipe = words[index + 1] or ""
        if word == _RECIPE and find_recipe(recipe) is not None:
            return recipe.removesuffix("_config")
    name = given.program.name or "training"
    if given.program.is_module:
        return name.rpartition(".")[2]
    return name.removesuffix(".py").removesuffix(".sh") if name != "-c" else "training"
