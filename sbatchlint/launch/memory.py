"""A shell's variables as they are looked up and given values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch import nodes
from sbatchlint.launch.combining import bounded, first_lacking, join, without_absent
from sbatchlint.launch.fields import DEFAULT_SEPARATORS
from sbatchlint.launch.session import Place
from sbatchlint.launch.state import State
from sbatchlint.launch.transforms import in_letters
from sbatchlint.launch.values import Unknown, Value, text_value, unknown
from sbatchlint.launch.variable import Variable
from sbatchlint.source import Span

_ALWAYS_SET = frozenset(("HOME", "USER", "PWD", "PATH", "SHELL", "LOGNAME", "HOSTNAME", "OLDPWD"))
_MOVING = frozenset(
    "BASHPID BASH_COMMAND BASH_SUBSHELL EPOCHREALTIME EPOCHSECONDS EUID HISTCMD LINENO PPID RANDOM SECONDS "
    "SRANDOM UID".split()
)
"""Variables that bash gives a value of its own whenever they are read, whatever they are set to."""
_INHERITED = frozenset(("HOME", "USER", "PWD", "PATH", "SHELL", "LOGNAME"))
_MOST_REFERENCES = 8
Found = tuple["Value | None", "bool | None"]
"""A value, and whether it is set: None where the environment decides."""


def _any_missing(values: Iterable[Value]) -> bool:
    return any(without_absent(value)[1] for value in values)


def _node(key: str, more: Value, known: int, span: Span | None) -> Value | None:
    """The node of the job that an array of them has at *key*, behind its *known* elements."""
    index = whole_number(key)
    return None if index is None else nodes.element(more, index - known, span)


class Memory:
    """What one shell process remembers, and what its surroundings set."""

    def __init__(self, state: State, place: Place) -> None:
        self.state = state
        self.place = place
        self.weak = 0
        """Above 0 while a branch is followed whose choice rests on a default."""

    # --- names -------------------------------------------------------------------------------------

    def reference(self, name: str) -> str | None:
        """The name that a ``declare -n`` variable stands for; None for any other variable."""
        variable = self.state.variables.get(name)
        return None if variable is None else variable.reference

    def real_name(self, name: str) -> str:
        """Follow references to the variable that *name* means."""
        for _ in range(_MOST_REFERENCES):
            target = self.reference(name)
            if target is None:
                break
            name = target
        return name

    def is_given(self, name: str) -> bool:
        """Tell whether the script itself gives *name* a value on some way to here."""
        if name.isidentifier():
            return self.real_name(name) in self.state.variables
        return self.state.given

    def is_associative(self, name: str) -> bool:
        """Tell whether *name* is an associative array."""
        variable = self.state.variables.get(self.real_name(name))
        return variable is not None and variable.associative

    def separators(self) -> str | None:
        """The characters of IFS; None where they are not known."""
        variable = self.state.variables.get("IFS")
        if variable is None or variable.value is None:
            return DEFAULT_SEPARATORS
        return variable.value.text if not variable.maybe_unset else None

    # --- parameters --------------------------------------------------------------------------------

    def lookup(self, name: str, span: Span | None) -> Found:
        """A parameter's value, and whether it is set: None where the environment decides."""
        name = self.real_name(name)
        variable = self.state.variables.get(name)
        if variable is not None:
            value = variable.first
            if value is not None and variable.items is not None and not variable.opaque:
                return self.element(name, "0", span)
            if value is None:
                return None, False
            value, maybe_missing = without_absent(value)
            return value, None if variable.maybe_unset or maybe_missing else True
        if not name.isidentifier():
            return self._special(name, span)
        if name == "IFS":
            return text_value(DEFAULT_SEPARATORS, span), True
        found = self.place.lookup(name, span)
        if found is not None:
            return found
        return Value((Unknown(f"${name}", span),)), True if name in _ALWAYS_SET | _MOVING else None

    def _special(self, name: str, span: Span | None) -> Found:
        arguments = self.state.arguments
        if name == "#" and arguments is not None and not _any_missing(arguments):
            last = arguments[-1].certainty if arguments else Certainty.KNOWN
            sure = Certainty.ASSUMED if last is Certainty.ASSUMED else Certainty.KNOWN
            return text_value(str(len(arguments)), span, sure), True
        number = whole_number(name)
        if number:
            index = number - 1
            if arguments is None or _any_missing(arguments[: index + 1]):
                return Value((Unknown(f"${name}", span),)), None
            return (arguments[index], True) if index < len(arguments) else (None, False)
        if name == "?":
            return self._last_status(span), True
        return Value((Unknown(f"${name}", span),)), True

    def _last_status(self, span: Span | None) -> Value:
        """``$?``; where any decision has rested on a default, another command may have been the last."""
        last = self.state.last
        text = last.exit_status
        if text is None:
            return Value((Unknown("$?", span),))
        assumed = last.assumed or self.weak > 0 or self.place.session.by_default
        return text_value(text, span, Certainty.ASSUMED if assumed else Certainty.KNOWN)

    def more_of(self, name: str) -> Value | None:
        """What stands for the elements behind the known ones of an array; None where there are no others."""
        variable = self.state.variables.get(self.real_name(name))
        return None if variable is None else variable.more

    def elements(self, name: str | None, *, first: bool = False) -> list[tuple[str, Value]] | None:
        """An array's elements by key (the arguments where *name* is None); None where not known.

        With *first* those are given that are known of an array of unknown length.
        """
        if name is None:
            arguments = self.state.arguments
            return None if arguments is None else [(str(i), v) for i, v in enumerate(arguments, 1)]
        variable = self.state.variables.get(self.real_name(name))
        if (
            variable is None
            or variable.opaque
            or variable.maybe_unset
            or (variable.more is not None and not first)
        ):
            return None
        if variable.items is not None:
            return list(variable.items)
        return [("0", variable.value)] if variable.value is not None else []

    def element(self, name: str, key: str | None, span: Span | None) -> Found:
        """One element of an array, and whether it is set."""
        elements = self.elements(name, first=True)
        if elements is None or key is None:
            return Value((Unknown(f"${{{name}[...]}}", span),)), None
        more = self.more_of(name)
        if more is not None and key not in dict(elements):
            known = _node(key, more, len(elements), span)
            if known is not None:
                return known, True if key == "0" else None
            return Value((Unknown(f"${{{name}[{key}]}}", span),)), None
        if key.startswith("-") and not self.is_associative(name):
            if self._lacking(name, elements) < len(elements):
                return Value((Unknown(f"${{{name}[{key}]}}", span),)), None
            key = str(1 + max((int(held) for held, _ in elements), default=-1) + int(key))
        found = dict(elements).get(key)
        if found is None:
            return None, False
        if self._may_move(name, key, elements):
            return Value((Unknown(f"${{{name}[{key}]}}", span),)), None
        value, maybe_missing = without_absent(found)
        return value, None if maybe_missing else True

    def _may_move(self, name: str, key: str, elements: list[tuple[str, Value]]) -> bool:
        """Tell whether another element stands at *key* if one before it or at it is missing."""
        if self.is_associative(name):
            return False
        place = [held for held, _ in elements].index(key)
        lacking = self._lacking(name, elements)
        return lacking < place or (lacking == place and place + 1 < len(elements))

    def _lacking(self, name: str, elements: list[tuple[str, Value]]) -> int:
        """The index of the first of *name*'s *elements* that may be missing; their number where none may."""
        variable = self.state.variables.get(self.real_name(name))
        if variable is not None and variable.items is not None:
            return variable.lacking
        return first_lacking([value for _, value in elements])

    # --- giving values -----------------------------------------------------------------------------

    def assign(self, name: str, value: Value, span: Span | None, *, export: bool = False) -> None:
        """Give a variable its value; an array's element 0."""
        name = self.real_name(name)
        if name in _MOVING:
            value = unknown(f"${name}", span)
        before = self.state.variables.get(name)
        if before is not None and before.reference is not None:
            self.refer(name, value)
            return
        if before is not None and before.fixed and not export:
            return
        if before is not None and before.items is not None:
            self.assign_element(name, "0", value, span)
            return
        if before is not None and before.opaque:
            # Whatever it is: this is what its name gives from here on.
            self.state.variables[name] = replace(before, value=self.weakened(value), maybe_unset=False)
            return
        if before is not None and before.letters:
            value = in_letters(value, before.letters)
        export = export or (before is None and self._comes_exported(name))
        self.state.set(name, self.weakened(bounded(value, f"${name}")), span=span, export=export)

    def refer(self, name: str, target: Value | None) -> None:
        """Make *name* stand for another variable (``declare -n name=target``)."""
        text = None if target is None else target.text
        if text is not None and re.fullmatch(r"[A-Za-z_]\w*", text, re.A) and self.real_name(text) != name:
            self.state.variables[name] = Variable(None, reference=text)
        else:
            base = (text or "").partition("[")[0]
            if base != text and base.isidentifier():
                self.forget(base, opaque=True)  # its elements are changed by another name from here on
            self.state.variables[name] = Variable(unknown(f"${name}"), opaque=True)

    def _comes_exported(self, name: str) -> bool:
        """Tell whether the environment brings *name*, so that what it is set to reaches programs."""
        found = self.place.lookup(name, None)
        return name in _INHERITED or (found is not None and found[1] is True)

    def assign_element(self, name: str, key: str, value: Value, span: Span | None) -> None:
        """Give one element of an array its value."""
        name = self.real_name(name)
        before = self.state.variables.get(name)
        elements = self.elements(name, first=True)
        if before is not None and before.fixed:
            return
        if elements is None and before is not None:
            self.forget(name, opaque=True)
            return
        if before is not None and before.more is not None and key not in dict(elements or ()):
            return  # one of those that nobody knows
        if elements and self._lacking(name, elements) < len(elements):
            self.forget(name, opaque=True)
            return
        items = dict(elements or ())
        items[key] = self.weakened(bounded(value, f"${name}"))
        self.set_items(name, items, span, more=None if before is None else before.more)

    def set_items(
        self, name: str, items: dict[str, Value], span: Span | None, *, more: Value | None = None
    ) -> None:
        """Make *name* an array of *items*; an indexed one is kept in the order of its keys."""
        name = self.real_name(name)
        before = self.state.variables.get(name) or Variable()
        if before.fixed:
            return
        pairs = list(items.items())
        keys = [] if before.associative else [*map(int, items)]
        if keys != sorted(keys):
            pairs.sort(key=lambda item: int(item[0]))
        self.state.variables[name] = replace(
            before,
            value=None,
            items=tuple(pairs),
            more=more,
            opaque=False,
            maybe_unset=False,
            written=span,
            filled=False,
        )

    def forget(self, name: str, *, opaque: bool = False) -> None:
        """Take it that a variable's value is not known any more; *opaque*: it may be an array, too."""
        name = self.real_name(name)
        before = self.state.variables.get(name) or Variable(None)
        self.state.variables[name] = replace(
            before,
            value=unknown(f"${name}"),
            items=None,
            more=None,
            opaque=opaque or before.opaque or before.items is not None,
            maybe_unset=before.maybe_unset or before.first is None,
            filled=False,
        )

    def weakened(self, value: Value) -> Value:
        """The value as it is remembered here: assumed where the way here is."""
        return value.assumed() if self.weak else value

    def note_present(self, name: str, *, filled: bool = False) -> None:
        """Take for granted that *name* is set from here on, though not to what; *filled*: not to nothing."""
        name = self.real_name(name)
        before = self.state.variables.get(name)
        if before is None:
            if not self.is_filled(name) and name.isidentifier():
                self.state.variables[name] = Variable(unknown(f"${name}"), exported=True, filled=filled)
            return
        value = before.value
        if filled and value is not None and before.items is None:
            left = [option for option in value.alternatives() or [value] if option.text != ""]
            value = join(left, f"${name}") if left else value
        filled = filled and before.items is None and not before.opaque
        self.state.variables[name] = replace(
            before, value=value, maybe_unset=False, filled=before.filled or filled
        )

    def is_filled(self, name: str) -> bool:
        """Tell whether *name* is sure not to be empty although its value may not be known.

        What Slurm sets is never empty.
        """
        name = self.real_name(name)
        variable = self.state.variables.get(name)
        if variable is not None:
            return variable.filled
        found = self.place.lookup(name, None)
        return found is not None and found[1] is True

    def note_filled(self, name: str) -> None:
        """Take for granted that a variable which the script leaves empty will be filled in."""
        if name.isidentifier():
            self.state.set(name, unknown(f"${name}"))
            self.note_present(name, filled=True)
