"""The statements of a file around the command that is converted: which of them go along, which do not."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.convert.keeping import QUIET, Keeper, may_set
from sbatchlint.convert.refusal import Note, Refused
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import AndOr, Body, Command, Group, Pipeline, Redirect, Script, Simple, Subshell
from sbatchlint.source import Source, Span

_ITSELF = r'"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?'
_LINKED = rf'(?:{_ITSELF}|"?\$\((?:realpath|readlink -f) (?:-- )?{_ITSELF}\)"?)'
_FOLDER = rf'"?\$\(dirname (?:-- )?{_LINKED}\)"?'
_GOES_HOME = regex(rf"cd (?:-- )?{_FOLDER}")
_NAMES_HOME = regex(
    rf'(?:(?:export|readonly) )?(?P<name>\w+)=(?:{_FOLDER}|"?\$\( ?cd (?:-- )?{_FOLDER}'
    r'(?: *&?>/dev/null(?: 2>&1)?)? *&& *pwd(?: -P)? ?\)"?)'
)
"""``HERE="$(cd "$(dirname "$0")" && pwd)"`` and its like."""
_BLANK = regex(r"(?<!<)<[A-Za-z][^<>\n;|&\"']*>(?!\()")
"""What stands for a value in a manual; the shell takes its angles for redirections."""
_LOGGED = "the job's log holds what the tasks print"
_INPUT = ("<", "<<", "<<-", "<<<", "<>")


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around the command."""

    before: tuple[Command, ...]
    """Statements that come before it and go along, in order."""
    command: Command
    """The command itself, without what it is piped to."""
    notes: tuple[Note, ...]
    goes_home: bool = False
    """Whether the file first goes to the folder that it stands in."""
    homes: tuple[str, ...] = ()
    """Variables that the file gives the name of that folder."""
    lost: frozenset[str] = frozenset()
    """Variables that statements before the command may set which do not go along."""


def around(source: Source, script: Script, place: Span) -> Around:
    """Return the command at *place* of *script* and what goes along with it.

    Raises Refused where something else than the order of the lines decides whether it is started.
    """
    before: list[Command] = []
    notes: list[Note] = []
    lost: set[str] = set()
    homes: list[str] = []
    found: Command | None = None
    keeper, goes_home = Keeper(source), False
    for command, joined in _flattened(source, script.body, place, notes):
        if found is not None:
            if not (isinstance(command, Simple) and command.name in QUIET):
                notes.append(_left_out(source, command, "comes after the command"))
        elif place in command.span and not _is_assignment(command):
            found = _itself(source, command, place, notes)
        elif _GOES_HOME.fullmatch(source.slice(command.span)):
            goes_home = True
        elif (match := _NAMES_HOME.fullmatch(source.slice(command.span))) is not None:
            homes.append(match["name"])
        elif (why := keeper.why_not(command)) is None:
            before.append(command)
        elif joined and why:
            raise Refused(
                _shown(source, command), f"{why}, and the command depends on it; give the command alone"
            )
        else:
            lost.update(may_set(command))
            if why:
                notes.append(_left_out(source, command, why))
    if found is None:
        raise Refused(
            f"line {source.position(place.start).line}",
            "what is started is put together elsewhere, or in a function, a loop or a condition; "
            "give the command itself",
        )
    return Around(tuple(before), found, tuple(notes), goes_home, tuple(homes), frozenset(lost))


def _flattened(source: Source, body: Body, place: Span, notes: list[Note]) -> Iterator[tuple[Command, bool]]:
    """Yield the commands of *body* in order, and whether the one at *place* waits for their success.

    What becomes of the output of a group that holds it is added to *notes*.
    """
    for statement in body:
        command = statement.command
        group = _piped_group(command, place)
        if group is not None and isinstance(command, Pipeline):
            yield from _opened(source, group, place, notes)
            notes += [_left_out(source, part, _LOGGED) for part in command.commands[1:]]
        elif place not in command.span or isinstance(command, (Simple, Pipeline)):
            yield command, False
        elif isinstance(command, AndOr):
            yield from _of_list(source, command, place, notes)
        elif isinstance(command, (Group, Subshell)):
            yield from _opened(source, command, place, notes)
        # anything else that holds it decides whether it is started: it is not found then


def _piped_group(command: Command, place: Span) -> Group | Subshell | None:
    """Return the group that holds *place* and that *command* pipes to something."""
    if not isinstance(command, Pipeline) or command.negated:
        return None
    first = command.commands[0]
    return first if isinstance(first, (Group, Subshell)) and place in first.span else None


def _opened(
    source: Source, group: Group | Subshell, place: Span, notes: list[Note]
) -> Iterator[tuple[Command, bool]]:
    """Yield the commands of *group*; none where it gives them something to read."""
    if all(redirect.operator not in _INPUT for redirect in group.redirects):
        notes += [_left_out_redirect(source, redirect) for redirect in group.redirects]
        yield from _flattened(source, group.body, place, notes)


def _of_list(
    source: Source, command: AndOr, place: Span, notes: list[Note]
) -> Iterator[tuple[Command, bool]]:
    at = next((index for index, part in enumerate(command.commands) if place in part.span), 0)
    if any(operator != "&&" for operator in command.operators[:at]):
        return
    yield from ((part, True) for part in command.commands[:at])
    part = command.commands[at]
    group = part if isinstance(part, (Group, Subshell)) else _piped_group(part, place)
    if group is not None:
        yield from _opened(source, group, place, notes)
        pipe = part.commands[1:] if isinstance(part, Pipeline) else ()
        notes += [_left_out(source, one, _LOGGED) for one in pipe]
    else:
        yield part, False
    behind = zip(command.operators[at:], command.commands[at + 1 :], strict=True)
    yield from (
        (part, False) for operator, part in behind if operator == "&&"
    )  # else: where it fails, all ends


def _itself(source: Source, command: Command, place: Span, notes: list[Note]) -> Command:
    if isinstance(command, Pipeline):
        first, *rest = command.commands
        if command.negated:
            raise Refused(_shown(source, command), "a job's status can't be turned round; leave out the !")
        if place not in first.span:
            raise Refused(
                _shown(source, command), "the command reads from a pipe, which the tasks of a job can't"
            )
        notes += [_left_out(source, part, _LOGGED) for part in rest]
        command = first
    redirects = command.redirects if isinstance(command, Simple) else ()
    for redirect in redirects:
        if redirect.operator in _INPUT:
            refuse_blanks(source)
            raise Refused(
                source.slice(redirect.span).partition("\n")[0],
                "the command reads standard input, which tasks can't share; give it a file's name",
            )
        notes.append(_left_out_redirect(source, redirect))
    return command


def refuse_blanks(source: Source) -> None:
    """Raise Refused for the first ``<path to data>`` of a text that a shell can't read as it is meant."""
    blank = _BLANK.search(source.text)
    if blank is not None:
        raise Refused(blank[0], "it is still to be filled in")


def _is_assignment(command: Command) -> bool:
    return isinstance(command, Simple) and not command.words


def _left_out(source: Source, command: Command, why: str) -> Note:
    return Note(_shown(source, command), f"left out: {why}")


def _left_out_redirect(source: Source, redirect: Redirect) -> Note:
    return Note(source.slice(redirect.span), f"left out: {_LOGGED} (--output)")


def _shown(source: Source, command: Command) -> str:
    first, more, _ = source.slice(command.span).partition("\n")
    return first + (" ..." if more else "")
