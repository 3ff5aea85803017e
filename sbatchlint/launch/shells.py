"""Shells that a script starts: what they read as code is followed as a script of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.branching import branch, weakly
from sbatchlint.launch.fields import settled
from sbatchlint.launch.folders import file_name
from sbatchlint.launch.modes import modes
from sbatchlint.launch.noting import note, note_leaf
from sbatchlint.launch.options import arg_text
from sbatchlint.launch.outcomes import LIKELY, OPEN, Outcome
from sbatchlint.launch.plan import Arg, Layer, LayerKind, LayerOption
from sbatchlint.launch.session import TOO_DEEP
from sbatchlint.launch.state import State
from sbatchlint.launch.values import EMPTY, Choice, Text, Unknown, Value
from sbatchlint.launch.variable import Variable
from sbatchlint.shell.shebang import POSIX_SHELLS, interpreter_in

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

OWN_NAMES = ("$0", "$BASH_SOURCE", "${BASH_SOURCE[0]}", "${BASH_SOURCE[...]}")
"""What a script calls itself by; sbatch starts a copy of it, whose path nobody knows."""
_MOST_OF_ONE_FILE = 3
_SYNTAX = frozenset("|&;<>()$`\"'\n\\")


def name_itself(state: State, text: Value | None) -> None:
    """Let the names that a script calls itself by stand for *text*; None where it is no file."""
    for name in OWN_NAMES:
        if text is None:
            state.files.pop(name, None)
        else:
            state.files[name] = text


def written_script(machine: Machine, command: Value) -> Value | None:
    """The text of a shell script that the script has written and now starts by its path."""
    text = command.text
    if text is not None and "/" not in text:
        return None
    written = machine.state.files.get(file_name(machine.state, command))
    if written is None or not written.segments or not isinstance(written.segments[0], Text):
        return None
    line = written.segments[0].text.partition("\n")[0]
    return written if not line.startswith("#!") or interpreter_in(line) in POSIX_SHELLS else None


def run_shell(machine: Machine, name: str, args: list[Arg], span: Span) -> Outcome:
    """``bash -c CODE``, ``bash FILE`` and ``bash < CODE``."""
    index = 1
    wants_code = from_stdin = False
    options: list[LayerOption] = []
    while index < len(args):
        text = arg_text(args[index])
        if text[:1] not in ("-", "+") or text == "-":
            break
        letters = "" if text.startswith("--") else text[1:]
        valued = letters.endswith(("o", "O")) or text in ("--rcfile", "--init-file")
        following = args[index + 1] if valued and index + 1 < len(args) else None
        value = None if following is None else following.value
        options.append(LayerOption(text.lstrip("-+"), value, args[index], following))
        wants_code = wants_code or (text[0] == "-" and "c" in letters)
        from_stdin = from_stdin or (text[0] == "-" and "s" in letters)
        index += 2 if valued else 1
        if text == "--":
            break
    layer = Layer(name, LayerKind.SHELL, args[0].place, tuple(options), True)
    given = modes([arg_text(arg) for arg in args[1:index]])
    if wants_code and index < len(args):
        word = args[index]
        code = Value((Unknown(word.value.show()),)) if word.optional else word.value
        return run_code(machine, code, layer, args[index + 1 :], span, given=given)
    if not wants_code and index < len(args) and not from_stdin:
        written = machine.state.files.get(file_name(machine.state, args[index].value))
        if written is not None and may_follow(machine, written, args[index + 1 :]):
            return run_code(machine, written, layer, args[index:], span, file=args[index].value, given=given)
        with machine.within(layer):
            note(machine, args, args[index].value, args[index], False, args[index + 1 :], span)
        machine.print_unknown()
        return LIKELY
    if machine.stdin is not None and not wants_code:
        code, machine.stdin = machine.stdin, EMPTY
        return run_code(machine, code, layer, [args[0], *args[index:]], span, given=given)
    return note_leaf(machine, args, span)


def may_follow(machine: Machine, code: Value, args: Sequence[Arg]) -> bool:
    """Tell whether a file that starts itself again may be followed: not without end."""
    active = machine.session.following
    key = (code, machine.place.in_task, tuple(arg.value.show() for arg in args))
    return key not in active and sum(other == code for other, _, _ in active) < _MOST_OF_ONE_FILE


def run_code(
    machine: Machine,
    code: Value,
    layer: Layer,
    args: Sequence[Arg],
    span: Span,
    *,
    file: Value | None = None,
    given: frozenset[str] = frozenset(),
) -> Outcome:
    """Read *code* as the script of a new shell; what may be one of several scripts is run as each.

    *args* begin with ``$0``.  *file* is the name of the file that holds the code, if it is one; *given* are
    the options that the shell is started with.
    """
    session = machine.session
    machine.place.codes.append(code)
    if session.depth >= session.deepest:
        session.cut(TOO_DEEP, again=session.is_active(code))
        return OPEN
    assumed = file is not None and file.certainty is Certainty.ASSUMED  # ``bash ${MODE:-train}.sh``
    session.by_default |= assumed
    options = code.alternatives(4) if _choice_of_syntax(code) else [code]
    if options is None:
        options = [code]
    session.depth += 1
    session.active.append(code)
    session.following.append((code, machine.place.in_task, tuple(arg.value.show() for arg in args[1:])))
    arguments = settled(args[1:], args[0] if args else None)
    outcome = LIKELY

    def run(text: Value) -> Callable[[], None]:
        def script() -> None:
            nonlocal outcome
            child = machine.nested(text, machine.place.within(layer), arguments)
            child.state.options = given
            if file is None and layer.kind is LayerKind.SHELL:
                _name_after(child, args)
            outcome = _run_script(machine, child, text if file is not None else None)

        return script

    if len(options) == 1:
        weakly(machine, assumed, run(options[0]))
    else:
        branch(machine, [((), run(option)) for option in options])
        outcome = LIKELY
    session.following.pop()
    session.active.pop()
    session.depth -= 1
    return outcome


def _name_after(child: Machine, args: Sequence[Arg]) -> None:
    """Let ``$0`` of a shell that runs no file be the word behind its code, or the shell's own name."""
    if args and not (args[0].optional or args[0].open):
        child.state.variables["0"] = Variable(args[0].value)


def _run_script(machine: Machine, child: Machine, text: Value | None) -> Outcome:
    """Let *child* run its script; *text* is that of the file that it stands in, if it stands in one."""
    own = {name: machine.state.files[name] for name in OWN_NAMES if name in machine.state.files}
    name_itself(child.state, text)
    outcome = child.finished(child.run_code())
    machine.adopt_files(child)
    name_itself(machine.state, None)
    machine.state.files.update(own)
    return outcome if outcome.holds is not None else LIKELY


def _choice_of_syntax(code: Value) -> bool:
    """Tell whether a choice in *code* holds more than plain words, so that it can't stand as one."""
    return any(
        isinstance(segment, Choice)
        and any(
            isinstance(leaf, Text) and set(leaf.text) & _SYNTAX
            for o in segment.options
            for leaf in o.leaves()
        )
        for segment in code.segments
    )
