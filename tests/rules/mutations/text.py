"""Broken text: continuations, characters, the folder of the script."""

from __future__ import annotations

from tests.rules.mutations.mutation import Mutation, command, each

MUTATIONS = (
    Mutation("blank behind a backslash", "SB411", each(r"\\$", r"\\ ")),
    Mutation("comment behind a backslash", "SB411", each(r"\\$", r"\\ # note")),
    Mutation("backslash dropped", "SB412 SB413 SB001", each(r" \\$(?=\n\s*--)", "")),
    Mutation(
        "long dash in a command", "SB410", each(r"(?<=[^H] )--(?=[a-z])(?=.*(?:\\|\")$)", "\N{EN DASH}")
    ),
    Mutation(
        "curly quotes in a command",
        "SB410",
        each(
            r'"(\$\w+)"', "\N{LEFT DOUBLE QUOTATION MARK}\\1\N{RIGHT DOUBLE QUOTATION MARK}", unless=r"\A\Z"
        ),
    ),
    Mutation("folder of the script", "SB414", command('cd "$(dirname "$0")"')),
    Mutation("file beside the script", "SB414", command('source "$(dirname "${BASH_SOURCE[0]}")/common.sh"')),
)
