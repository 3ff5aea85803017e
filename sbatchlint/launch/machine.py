"""The abstract evaluation of a batch script: a shell that starts nothing.

It walks the syntax tree as bash would, keeps what each variable is known to hold, and hands every
command that would start a program to :mod:`sbatchlint.launch.launching`.  A condition that can't be
decided is followed both ways and the two memories are joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import arithmetic, builtins, launching
from sbatchlint.launch.code import Code
from sbatchlint.launch.conditions import (
    LIKELY,
    OPEN,
    SUCCESS,
    Fact,
    Operand,
    Outcome,
    Test,
    variable_name,
)
from sbatchlint.launch.expansion import expand_value, expand_words
from sbatchlint.launch.loops import run_arithmetic_for, run_for, run_while
from sbatchlint.launch.parameters import pattern_of
from sbatchlint.launch.patterns import compile_pattern
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.session import Place, Session
from sbatchlint.launch.state import Flow, State, Variable, exported_copy, merge
from sbatchlint.launch.values import EMPTY, Text, Unknown, Value, text_value, unknown
from sbatchlint.shell import syntax
from sbatchlint.shell.syntax import Body, Command, Parameter, Redirect, Simple, Statement, Word
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.shell.syntax import Arithmetic, Assignment, Case, CommandSubstitution, If

_FUNCTION_DEPTH = 16
_ALWAYS_SET = frozenset(("HOME", "USER", "PWD", "PATH", "SHELL", "LOGNAME", "HOSTNAME", "OLDPWD", "UID", "EUID"))


class Machine:
    """One shell process: the code it reads, its memory, and where it runs."""

    def __init__(self, code: Code, state: State, place: Place, session: Session) -> None:
        self.code = code
        self.state = state
        self.place = place
        self.session = session
        self.sink: list[Value] | None = None
        """What the commands print, while that is being collected."""
        self.stdin: Value | None = None
        self.background = False
        self.conditional = 0
        self.weak = 0
        """Above 0 while a branch is followed whose choice rests on a default."""
        self.loops: list[list[State]] = []
        self.returns: list[list[State]] = []
        self.locals: list[dict[str, Variable | None]] = []

    # --- lists and commands --------------------------------------------------------------------

    def run(self, body: Body) -> Outcome:
        """Run a list; give how its last command ends."""
        outcome = SUCCESS
        for statement in body:
            if self.state.flow is not Flow.NORMAL or not self.session.proceed():
                break
            outcome = self._statement(statement)
        return outcome

    def _statement(self, statement: Statement) -> Outcome:
        if not statement.background:
            return self.command(statement.command)
        before, self.background = self.background, True
        child = self.subshell()
        child.command(statement.command)
        self.background = before
        return SUCCESS

    def subshell(self) -> Machine:
        """A copy of this shell whose changes to memory are lost."""
        child = Machine(self.code, self.state.copy(), self.place, self.session)
        child.sink, child.stdin, child.background = self.sink, self.stdin, self.background
        child.conditional, child.weak = self.conditional, self.weak
        return child

    def nested(self, value: Value, place: Place, arguments: tuple[Value, ...] | None = ()) -> Machine:
        """A new shell process that reads *value* as its script."""
        code = Code(value, in_task=place.in_task, note=self.session.note_early)
        child = Machine(code, exported_copy(self.state), place, self.session)
        child.state.arguments = arguments
        child.background, child.conditional, child.weak = self.background, self.conditional, self.weak
        child.sink = self.sink
        return child

    def command(self, command: Command) -> Outcome:
        """Run any command."""
        run = _COMMANDS.get(type(command))
        outcome: Outcome = run(self, command) if run is not None else OPEN
        return outcome

    def _and_or(self, command: syntax.AndOr) -> Outcome:
        outcome = self.command(command.commands[0])
        for operator, following in zip(command.operators, command.commands[1:], strict=True):
            if self.state.flow is not Flow.NORMAL:
                break
            wanted = operator == "&&"
            if outcome.holds is not None and outcome.holds is not wanted:
                continue
            if outcome.holds is wanted or (wanted and outcome.likely):
                start, blanks = self.state.copy(), outcome.blanks
                outcome = self._weakly(outcome.assumed, lambda c=following: self.command(c))  # type: ignore[misc]
                if self.state.flow is Flow.EXIT and blanks:
                    self._fill_in(start, blanks)
            else:
                outcome = self._maybe(outcome if wanted else outcome.negated(), following)
        return outcome

    def _maybe(self, outcome: Outcome, command: Command) -> Outcome:
        """Run *command* only if *outcome* turns out true; afterwards either may have happened."""
        found: list[Outcome] = []
        self.branch(
            [
                (outcome.if_true, lambda: found.append(self.command(command))),
                (outcome.if_false, lambda: None),
            ]
        )
        return LIKELY if outcome.likely or (found and found[0].likely) else OPEN

    def _weakly(self, assumed: bool, action: Callable[[], Outcome]) -> Outcome:
        self.weak += assumed
        try:
            return action()
        finally:
            self.weak -= assumed

    def branch(self, ways: Sequence[tuple[tuple[Fact, ...], Callable[[], object]]]) -> None:
        """Go every way from here, each with the facts it may take for granted, and join the ends."""
        start = self.state
        ends: list[State] = []
        self.conditional += 1
        for facts, action in ways:
            self.state = start.copy()
            for fact in facts:
                self._learn(fact)
            action()
            ends.append(self.state)
        self.conditional -= 1
        joined = merge(ends)
        if joined is not None:
            for end in ends:
                self._set_aside(end)
            self.state = joined
        else:
            for end in ends[:-1]:
                self._set_aside(end)
            self.state = ends[-1]

    def _fill_in(self, start: State, blanks: Iterable[str]) -> None:
        """Go on from *start* as if the *blanks* had been filled in.

        ``IMAGE=""`` with ``if [ -z "$IMAGE" ]; then exit 1; fi`` below is a form to fill in: what matters
        is what the script starts once that is done.
        """
        self.state = start
        for name in blanks:
            self.note_filled(name)

    def _set_aside(self, state: State) -> None:
        """Keep a memory that leaves a loop or a function, to be joined where that ends."""
        if state.flow in (Flow.BREAK, Flow.CONTINUE) and self.loops:
            self.loops[-1].append(state)
        elif state.flow is Flow.RETURN and self.returns:
            self.returns[-1].append(state)

    def _learn(self, fact: Fact) -> None:
        before = self.state.variables.get(fact.name)
        if fact.value is not None:
            exported = before.exported if before else fact.name not in self.state.variables
            self.state.variables[fact.name] = Variable(fact.value, exported=exported)
        elif before is None or before.maybe_unset:
            self.note_present(fact.name)

    def note_present(self, name: str) -> None:
        """Take for granted that *name* is set from here on, though not to what."""
        before = self.state.variables.get(name)
        if before is None:
            self.state.variables[name] = Variable(unknown(f"${name}"), exported=True)
        else:
            self.state.variables[name] = replace(before, maybe_unset=False)

    def note_filled(self, name: str) -> None:
        """Take for granted that a variable which the script leaves empty will be filled in."""
        if name.isidentifier():
            self.state.set(name, unknown(f"${name}"))

    # --- compounds -------------------------------------------------------------------------------

    def _if(self, command: If) -> Outcome:
        return self._if_from(command, 0)

    def _if_from(self, command: If, index: int) -> Outcome:
        if index == len(command.branches):
            return self.run(command.otherwise)
        condition, body = command.branches[index]
        outcome = self.run(condition)
        if self.state.flow is not Flow.NORMAL:
            return outcome
        if outcome.holds is True:
            start = self.state.copy()
            inside = self._weakly(outcome.assumed, lambda: self.run(body))
            if self.state.flow is not Flow.EXIT or not outcome.blanks:
                return inside
            self._fill_in(start, outcome.blanks)
            return self._if_from(command, index + 1)
        if outcome.holds is False:
            return self._weakly(outcome.assumed, lambda: self._if_from(command, index + 1))
        self.branch(
            [
                (outcome.if_true, lambda: self.run(body)),
                (outcome.if_false, lambda: self._if_from(command, index + 1)),
            ]
        )
        return LIKELY

    def _case(self, command: Case) -> Outcome:
        subject = expand_value(self, command.subject)
        options = subject.alternatives()
        texts = [option.text for option in options] if options else [None]
        name = variable_name(command.subject)
        ways: list[tuple[tuple[Fact, ...], Callable[[], object]]] = []
        left = list(texts)
        for item in command.items:
            verdicts = [self._matches(item.patterns, text) for text in left]
            if any(verdict is not False for verdict in verdicts):
                facts = self._case_facts(name, item.patterns) if len(texts) > 1 or texts[0] is None else ()
                ways.append((facts, lambda body=item.body: self.run(body)))  # type: ignore[misc]
            left = [text for text, verdict in zip(left, verdicts, strict=True) if verdict is not True]
            if not left:
                break
        if left and not any(text is None and ways for text in ()):
            ways.append(((), lambda: None))
        if len(ways) == 1:
            assumed = subject.certainty is Certainty.ASSUMED
            return self._weakly(assumed, lambda: (ways[0][1](), LIKELY)[1])
        self.branch(ways)
        return LIKELY

    def _matches(self, patterns: Iterable[Word], text: str | None) -> bool | None:
        verdict: bool | None = False
        for word in patterns:
            pattern = pattern_of(self, word)
            if pattern == (("*", False),):
                return True
            regex = compile_pattern(pattern) if pattern is not None else None
            if text is None or regex is None:
                verdict = None
            elif regex.fullmatch(text):
                return True
        return verdict

    def _case_facts(self, name: str, patterns: Sequence[Word]) -> tuple[Fact, ...]:
        if not name or len(patterns) != 1:
            return ()
        text = patterns[0].literal
        if text is None or set(text) & set("*?[\\"):
            return ()
        return (Fact(name, text_value(text, self.code.locate(patterns[0].span))),)

    def _group(self, command: syntax.Group) -> Outcome:
        return self.redirected(command.redirects, lambda: self.run(command.body))

    def _subshell(self, command: syntax.Subshell) -> Outcome:
        child = self.subshell()
        return child.redirected(command.redirects, lambda: child.run(command.body))

    def _pipeline(self, command: syntax.Pipeline) -> Outcome:
        if len(command.commands) == 1:
            outcome = self.command(command.commands[0])
            return outcome.negated() if command.negated else outcome
        sink, printed = self.sink, None
        last = len(command.commands) - 1
        for index, member in enumerate(command.commands):
            child = self.subshell()
            child.stdin = printed
            if index < last:
                child.sink = []
            else:
                child.sink = sink
            child.command(member)
            printed = _concatenated(child.sink) if index < last and child.sink is not None else None
        return OPEN if command.negated else LIKELY

    def _function(self, command: syntax.Function) -> Outcome:
        self.state.functions[command.name] = (command, self.code)
        return SUCCESS

    def _test(self, command: syntax.Test) -> Outcome:
        operands = [self._test_operand(word) for word in command.words]
        return Test(self, operands, double=True).decide()

    def _test_operand(self, word: Word) -> Operand:
        return Operand(expand_value(self, word), variable_name(word), word)

    def _arithmetic_command(self, command: syntax.ArithmeticCommand) -> Outcome:
        value = self.value(command.expression)
        number = self.compute(value.text) if value.text is not None else None
        if number is None:
            return OPEN
        return Outcome(number != 0, assumed=self._last_certainty is Certainty.ASSUMED)

    def _unparsed(self, command: syntax.Unparsed) -> Outcome:
        return OPEN

    # --- simple commands -------------------------------------------------------------------------

    def _simple(self, command: Simple) -> Outcome:
        if not command.words:
            for assignment in command.assignments:
                self.assign_from(assignment)
            self.redirected(command.redirects, lambda: SUCCESS)
            return LIKELY if command.assignments else SUCCESS
        name = command.words[0].literal
        if name in builtins.DECLARATIONS:
            return builtins.declare(self, command)
        if name in ("[", "test") and not command.assignments:
            return self.redirected(command.redirects, lambda: self._single_test(command.words))
        args = expand_words(self, command.words)
        span = self.code.locate(command.span) or Span(0, 0)
        if not command.assignments:
            return self.redirected(command.redirects, lambda: self.start(args, span))
        child = self.subshell()
        for assignment in command.assignments:
            child.assign_from(assignment, export=True)
        return child.redirected(command.redirects, lambda: child.start(args, span))

    def _single_test(self, words: Sequence[Word]) -> Outcome:
        """``[ ... ]``: words are kept, so that a test of a variable can teach something of it."""
        inner = words[1:]
        if words[0].literal == "[":
            if not inner or inner[-1].literal != "]":
                return OPEN
            inner = inner[:-1]
        operands: list[Operand] = []
        for word in inner:
            args = expand_words(self, (word,))
            if any(arg.optional for arg in args):
                return OPEN
            name = variable_name(word) if len(args) == 1 else ""
            operands.extend(Operand(arg.value, name, word) for arg in args)
        return Test(self, operands, double=False).decide()

    def start(self, args: list[Arg], span: Span) -> Outcome:
        """Run a command line that is already expanded: function, builtin or program."""
        if not args:
            return LIKELY
        name = args[0].text
        if name is not None:
            if name in self.state.functions:
                return self.call(name, args[1:])
            builtin = builtins.BUILTINS.get(name)
            if builtin is not None:
                return builtin(self, args, span)
        return launching.launch(self, args, span)

    def call(self, name: str, args: Sequence[Arg]) -> Outcome:
        """Call a function of the script."""
        if len(self.returns) >= _FUNCTION_DEPTH:
            return OPEN
        function, code = self.state.functions[name]
        saved_arguments, saved_code = self.state.arguments, self.code
        known = not any(arg.open or arg.optional for arg in args)
        self.state.arguments = tuple(arg.value for arg in args) if known else None
        self.code = code
        self.returns.append([])
        self.locals.append({})
        saved_loops, self.loops = self.loops, []
        outcome = self.command(function.body)
        self.loops = saved_loops
        self._restore(self.returns.pop(), self.locals.pop())
        self.state.arguments, self.code = saved_arguments, saved_code
        return outcome

    def _restore(self, returned: list[State], local: dict[str, Variable | None]) -> None:
        """Join the ways out of a function and put back what its locals hid."""
        ends = [self.state, *returned]
        for end in ends:
            if end.flow is Flow.RETURN:
                end.flow = Flow.NORMAL
        self.state = merge(ends) or self.state
        for name, variable in local.items():
            if variable is None:
                self.state.variables.pop(name, None)
            else:
                self.state.variables[name] = variable

    # --- redirections ----------------------------------------------------------------------------

    def redirected(self, redirects: Sequence[Redirect], action: Callable[[], Outcome]) -> Outcome:
        if not redirects:
            return action()
        stdin, sink = self.stdin, self.sink
        target: Value | None = None
        append = False
        for redirect in redirects:
            if redirect.operator in ("<<", "<<-", "<<<", "<"):
                self.stdin = self._input(redirect)
            elif redirect.operator in (">", ">>", ">|", "&>", "&>>") and redirect.descriptor in ("", "1"):
                target, append = self.value(redirect.target), redirect.operator.endswith(">>")
            elif redirect.operator == ">&" and redirect.descriptor in ("", "1") and self.sink is not None:
                self.sink = []  # what goes to stderr is not collected
        if target is not None:
            self.sink = []
        outcome = action()
        if target is not None:
            self._write(target, _concatenated(self.sink or []), append)
        self.stdin, self.sink = stdin, sink
        return outcome

    def _input(self, redirect: Redirect) -> Value | None:
        if redirect.document is not None:
            document = redirect.document
            text = expand_value(self, document.body)
            if document.strip_tabs:
                text = _without_leading_tabs(text)
            return text
        if redirect.operator == "<<<":
            return self.value(redirect.target) + text_value("\n")
        if redirect.operator == "<":
            return self.state.files.get(self.value(redirect.target).show())
        return None

    def _write(self, target: Value, text: Value, append: bool) -> None:
        path = target.show()
        if path == "/dev/null" or not path:
            return
        before = self.state.files.get(path, EMPTY) if append else EMPTY
        self.state.files[path] = before + text

    def print(self, value: Value) -> None:
        """Note what a command prints, if somebody collects it."""
        if self.sink is not None:
            self.sink.append(value)

    # --- variables -------------------------------------------------------------------------------

    def lookup(self, name: str, span: Span | None) -> tuple[Value | None, bool | None]:
        """A parameter's value, and whether it is set: None where the environment decides."""
        variable = self.state.variables.get(name)
        if variable is not None:
            value = variable.value
            if variable.items is not None:
                value = variable.items[0][1] if variable.items else None
            if value is None:
                return None, False
            return value, None if variable.maybe_unset and value.text is None else True
        if not name.isidentifier():
            return self._special(name, span)
        found = self.place.lookup(name, span)
        if found is not None:
            return found
        return Value((Unknown(f"${name}", span),)), True if name in _ALWAYS_SET else None

    def _special(self, name: str, span: Span | None) -> tuple[Value | None, bool | None]:
        arguments = self.state.arguments
        if name == "#" and arguments is not None:
            return text_value(str(len(arguments)), span), True
        if name.isdigit() and name != "0":
            if arguments is None:
                return Value((Unknown(f"${name}", span),)), None
            index = int(name) - 1
            return (arguments[index], True) if index < len(arguments) else (None, False)
        return Value((Unknown(f"${name}", span),)), True

    def elements(self, name: str | None) -> list[tuple[str, Value]] | None:
        """An array's elements by key (the arguments where *name* is None); None where not known."""
        if name is None:
            arguments = self.state.arguments
            return None if arguments is None else [(str(i), v) for i, v in enumerate(arguments, 1)]
        variable = self.state.variables.get(name)
        if variable is None:
            return None
        if variable.items is not None:
            return list(variable.items)
        return [("0", variable.value)] if variable.value is not None else []

    def subscript(self, name: str, word: Word) -> str | None:
        """The key that a subscript means; None where it is not known."""
        text = self.value(word).text
        variable = self.state.variables.get(name)
        if text is None or (variable is not None and variable.associative):
            return text
        number = self.compute(text)
        return None if number is None else str(number)

    def element(self, name: str, key: str | None, span: Span | None) -> tuple[Value | None, bool | None]:
        """One element of an array, and whether it is set."""
        elements = self.elements(name)
        if elements is None or key is None:
            return Value((Unknown(f"${{{name}[...]}}", span),)), None
        if key.startswith("-") and elements:
            last = int(elements[-1][0]) if elements[-1][0].isdigit() else 0
            key = str(last + 1 + int(key))
        found = dict(elements).get(key)
        return (None, False) if found is None else (found, True)

    def assign(self, name: str, value: Value, span: Span | None, *, export: bool = False) -> None:
        """Give a variable its value."""
        self.state.set(name, self._weakened(value), span=span, export=export)

    def _weakened(self, value: Value) -> Value:
        return value.assumed() if self.weak else value

    def assign_from(self, assignment: Assignment, *, export: bool = False) -> None:
        """Carry out ``name=value`` in all its forms."""
        span = self.code.locate(assignment.span)
        before = self.state.variables.get(assignment.name)
        if assignment.elements is not None:
            self._assign_array(assignment, before, span)
            return
        value = self.value(assignment.value) if assignment.value is not None else EMPTY
        if assignment.subscript is not None:
            self._assign_element(assignment, before, value, span)
            return
        if assignment.append:
            old, _ = self.lookup(assignment.name, span)
            if before is not None and before.items is not None:
                items = before.items or (("0", EMPTY),)
                first = (items[0][0], items[0][1] + value)
                self.state.variables[assignment.name] = replace(before, items=(first, *items[1:]))
                return
            value = (old or EMPTY) + value
        self.assign(assignment.name, value, span, export=export)

    def _assign_array(self, assignment: Assignment, before: Variable | None, span: Span | None) -> None:
        associative = before is not None and before.associative
        items = dict(before.items or ()) if before is not None and assignment.append else {}
        index = 1 + max((int(key) for key in items if key.isdigit()), default=-1)
        for element in assignment.elements or ():
            if element.key is not None:
                key = self.subscript(assignment.name, element.key)
                items[key if key is not None else "?"] = self._weakened(self.value(element.value))
                index = int(key) + 1 if key is not None and key.isdigit() else index
                continue
            for arg in expand_words(self, (element.value,)):
                value = self._weakened(arg.value)
                if arg.optional:
                    value = launching.optional_value(value)
                items[str(index)] = value
                index += 1
        exported = before is not None and before.exported
        self.state.variables[assignment.name] = Variable(
            items=tuple(items.items()), exported=exported, associative=associative, written=span
        )

    def _assign_element(
        self, assignment: Assignment, before: Variable | None, value: Value, span: Span | None
    ) -> None:
        assert assignment.subscript is not None
        key = self.subscript(assignment.name, assignment.subscript)
        items = dict(self.elements(assignment.name) or ())
        key = key if key is not None else "?"
        if assignment.append:
            value = items.get(key, EMPTY) + value
        items[key] = self._weakened(value)
        associative = before is not None and before.associative
        exported = before is not None and before.exported
        self.state.variables[assignment.name] = Variable(
            items=tuple(items.items()), exported=exported, associative=associative, written=span
        )

    # --- values ----------------------------------------------------------------------------------

    def value(self, word: Word) -> Value:
        """Expand *word* without splitting."""
        return expand_value(self, word)

    def shown(self, span: Span) -> str:
        """The text of *span* as a name for what is not known, shortened."""
        text = " ".join(self.code.text[span.start : span.end].split())
        return text if len(text) <= 60 else text[:57] + "..."

    def integer(self, word: Word) -> int | None:
        """Compute *word* as an arithmetic expression."""
        text = self.value(word).text
        return None if text is None else self.compute(text)

    def compute(self, text: str) -> int | None:
        """Compute an arithmetic expression; the certainty of its variables is kept aside."""
        self._last_certainty = Certainty.KNOWN
        return arithmetic.evaluate(text, self._number_of, self._set_number)

    _last_certainty = Certainty.KNOWN

    def _number_of(self, name: str) -> int | None:
        base, bracket, rest = name.partition("[")
        if bracket:
            inner = self.compute(rest[:-1])
            value, is_set = self.element(base, None if inner is None else str(inner), None)
        else:
            value, is_set = self.lookup(base, None)
        if value is None:
            return 0
        text = value.text
        if text is None:
            return None
        self._last_certainty = max(self._last_certainty, value.certainty)
        text = text.strip()
        if not text:
            return 0
        if text.isidentifier():
            return self._number_of(text) if text != base else None
        return arithmetic.evaluate(text, lambda _: None)

    def _set_number(self, name: str, number: int | None) -> None:
        if name.isidentifier():
            value = unknown(f"${name}") if number is None else text_value(str(number))
            self.assign(name, value.weakened(self._last_certainty), None)

    def arithmetic_value(self, part: Arithmetic) -> Value:
        """The value of ``$((...))``."""
        span = self.code.locate(part.span)
        value = self.value(part.expression)
        text = value.text
        number = self.compute(text) if text is not None else None
        if number is None:
            return Value((Unknown(self.shown(part.span), span),))
        certainty = max(self._last_certainty, value.certainty)
        return Value((Text(str(number), span, certainty),))

    def substitute(self, part: CommandSubstitution) -> Value:
        """What ``$(...)`` prints, as far as that can be known without running it."""
        span = self.code.locate(part.span)
        name = self.shown(part.span)
        if self.session.depth > self.session.deepest:
            return unknown(name, span)
        child = self.subshell()
        child.sink, child.stdin = [], None
        self.session.depth += 1
        if part.backquoted:
            text = self.code.text[part.body.start : part.body.end].replace("\\`", "`").replace("\\$", "$")
            child.code = Code(text_value(text, self.code.locate(part.body)), in_task=self.place.in_task)
            child.run(child.code.script.body)
        else:
            child.run(self.code.part(part.body).body)
        self.session.depth -= 1
        printed = _concatenated(child.sink or [])
        if any(segment.name == launching.OUTPUT for segment in printed.unknowns()):
            return unknown(name, span)
        return _without_last_newlines(printed)

    def leave(self) -> None:
        """End this shell process."""
        self.state.flow = Flow.EXIT


def _concatenated(values: Iterable[Value]) -> Value:
    result = EMPTY
    for value in values:
        result += value
    return result


def _without_last_newlines(value: Value) -> Value:
    segments = list(value.segments)
    while segments and isinstance(segments[-1], Text):
        last = segments.pop()
        text = last.text.rstrip("\n")
        if text:
            segments.append(last.slice(0, len(text)))
            break
    return Value(tuple(segments))


def _without_leading_tabs(value: Value) -> Value:
    """Drop the tabs at the beginning of each line, as ``<<-`` does."""
    segments: list[object] = []
    at_line_start = True
    for segment in value.segments:
        if not isinstance(segment, Text):
            segments.append(segment)
            at_line_start = False
            continue
        at = 0
        for line in segment.text.splitlines(keepends=True):
            skip = len(line) - len(line.lstrip("\t")) if at_line_start else 0
            segments.append(segment.slice(at + skip, at + len(line)))
            at += len(line)
            at_line_start = line.endswith("\n")
    return Value(tuple(segments))  # type: ignore[arg-type]


_COMMANDS: dict[type, Callable[[Machine, object], Outcome]] = {
    syntax.Simple: Machine._simple,
    syntax.AndOr: Machine._and_or,
    syntax.Pipeline: Machine._pipeline,
    syntax.If: Machine._if,
    syntax.Case: Machine._case,
    syntax.For: run_for,
    syntax.ArithmeticFor: run_arithmetic_for,
    syntax.While: run_while,
    syntax.Group: Machine._group,
    syntax.Subshell: Machine._subshell,
    syntax.Function: Machine._function,
    syntax.Test: Machine._test,
    syntax.ArithmeticCommand: Machine._arithmetic_command,
    syntax.Unparsed: Machine._unparsed,
}  # type: ignore[dict-item]

__all__ = ["Machine", "Parameter"]
