"""What an option of Slurm is: for people, and as data for programs."""

from __future__ import annotations

import textwrap
from typing import Any

from sbatchlint.report.style import PLAIN, Style
from sbatchlint.slurm.grammar.base import Grammar
from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import KNOWN_RELEASES, Acceptance, Argument, OptionSpec, Release, spell_release
from sbatchlint.slurm.submit_environment import SUBMIT_VARIABLES

_WIDTH = 88
_EXAMPLES = 5
_ARGUMENT = {Argument.NONE: "", Argument.REQUIRED: "=VALUE", Argument.OPTIONAL: "[=VALUE]"}


def option_page(spec: OptionSpec, aliases: tuple[str, ...] = (), style: Style = PLAIN) -> str:
    """Return the page of *spec*, whose other long names are *aliases*."""
    lines = [style.strong(", ".join(_spellings(spec, aliases))), f"  {spec.help}", ""]
    lines += [f"  {command:<8} {_taken(acceptance)}" for command, acceptance in sorted(spec.commands.items())]
    lines += [f"  {note}" for note in _notes(spec)]
    grammar = grammar_of(spec)
    if grammar is not None:
        lines += ["", *_grammar(grammar, style)]
    return "\n".join(lines) + "\n"


def option_data(spec: OptionSpec, aliases: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what :func:`option_page` says in parts, for JSON."""
    grammar = grammar_of(spec)
    return {
        "long": spec.long,
        "short": spec.short,
        "aliases": list(aliases),
        "help": spec.help,
        "plugin": spec.plugin,
        "argument": next(iter(spec.commands.values())).argument.value,
        "commands": {
            command: {"since": _named(one.since), "until": _named(one.until)}
            for command, one in sorted(spec.commands.items())
        },
        "variables": _variables(spec),
        "grammar": None
        if grammar is None
        else {
            "name": grammar.name,
            "summary": grammar.summary,
            "forms": [{"form": form, "meaning": meaning} for form, meaning in grammar.forms],
            "good": list(grammar.good),
            "bad": list(grammar.bad),
            "notes": list(grammar.notes),
        },
    }


def _spellings(spec: OptionSpec, aliases: tuple[str, ...]) -> list[str]:
    value = _ARGUMENT[next(iter(spec.commands.values())).argument]
    short = [f"-{spec.short}{value.replace('=', '')}"] if spec.short else []
    return [*short, *(f"--{name}{value}" for name in (spec.long, *aliases))]


def _taken(acceptance: Acceptance) -> str:
    since, until = _named(acceptance.since), _named(acceptance.until)
    if until is None:
        return f"since {since}" if since else "all releases"
    return f"from {since} until {until}" if since else f"until {until}"


def _named(release: Release | None) -> str | None:
    return None if release is None else spell_release(release)


def _notes(spec: OptionSpec) -> list[str]:
    notes = []
    if spec.plugin:
        notes.append(f"added by the plugin {spec.plugin.capitalize()}")
    if spec.change is not None:
        before = {Argument.NONE: "took no value", Argument.OPTIONAL: "took a value"}.get(spec.change.before)
        notes.append(f"before {spell_release(spec.change.release)} it {before or 'needed a value'}")
    if spec.first_pass_only:
        notes.append("in a directive sbatch accepts it and ignores it")
    variables = _variables(spec)
    if variables:
        notes.append(f"sbatch reads it from {' and '.join(variables)} too")
    oldest, newest = KNOWN_RELEASES[0], KNOWN_RELEASES[-1]
    return [*notes, f"(releases looked at: {spell_release(oldest)} to {spell_release(newest)})"]


def _variables(spec: OptionSpec) -> list[str]:
    return [one.name for one in SUBMIT_VARIABLES if one.option == spec.long]


def _grammar(grammar: Grammar, style: Style) -> list[str]:
    width = max((len(form) for form, _ in grammar.forms), default=0)
    forms = [f"  {form:<{width}}  {meaning}" for form, meaning in grammar.forms]
    lines = [style.strong("VALUE") + f": {grammar.summary}", *forms]
    refused = [text for text in grammar.bad if text.strip()][:_EXAMPLES]
    if refused:
        lines.append("  refused: " + "  ".join(map(_shown, refused)))
    for note in grammar.notes:
        lines += textwrap.wrap(note, _WIDTH, initial_indent="  - ", subsequent_indent="    ")
    return lines


def _shown(text: str) -> str:
    return text if text and " " not in text else f'"{text}"'
