"""Reports of scripts and rules that do their worst to whoever writes findings down."""

from __future__ import annotations

from hypothesis import strategies as st

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.finding import Finding, Related, Severity
from sbatchlint.lint.scopes import Suppressed
from sbatchlint.lint.suppress import Suppression, Verb
from sbatchlint.report.mask import Mask
from sbatchlint.report.model import FileReport, RunReport, Trouble
from sbatchlint.report.places import Home
from sbatchlint.source import Source, Span

NEVER_SHOWN = "s3cr3t-value-9876"
ROOT = "/repo"

_PIECES = (
    "a", "B7", " ", "  ", "\n", "\r\n", "\t", "\x00", "\x07", "\x1b[31m", "\x1b]0;x\x07", "\x9b1m",
    "\x7f", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff", "\xa0", "\ufffe", "\uffff", "\ud800",
    "\udcff", "\xe9", "\u6a21\u578b", "\U0001f600", "]]>", "<!--", "-->", "<b>", "</details>",
    "<script>", "&lt;", "&", "&#0;", "<![CDATA[", '"', "'", "?>", "::", "::error::", "%0A", "%", ",",
    ":", "=", "##[error]", "|", "||", "`", "``", "```", "\\", "\\n", "*", "_", "**x**", "~~",
    "[x](http://h)", "![x](y)", "<http://h>", "http://h/x", "www.x.org", "@somebody", "#12", "GH-1",
    "1. ", "- ", "# ", "> ", "$(x)", "${X}", "{0}", "{", "}", "/", "..", "./", NEVER_SHOWN,
)  # fmt: skip

texts = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6).map("".join).filter(str.strip)
_open_texts = texts.map(lambda text: text.replace(NEVER_SHOWN, "open"))
_notes = st.lists(texts, max_size=2).map(tuple)
_IN_PATHS = [piece for piece in _PIECES if piece not in (NEVER_SHOWN, "\ud800")]
"""Python knows a path's bytes that are no UTF-8 by other halves than this one."""
_name = st.lists(st.sampled_from(_IN_PATHS), min_size=1, max_size=3)
_paths = st.builds(
    lambda folder, name: folder + name.replace("\0", "").replace("/", "+"),
    st.sampled_from(["jobs/", "a b/", "/repo/jobs/", "/elsewhere/", "./"]),
    _name.map("".join).map(lambda text: f"{text}.sh"),
)


@st.composite
def _findings(draw: st.DrawFn, source: Source) -> Finding:
    offsets = st.integers(0, len(source.text))
    spans = [Span(*sorted((draw(offsets), draw(offsets)))) for _ in range(3)]
    number = draw(st.sampled_from(["101", "102"]))
    edit = Edit(spans[2], draw(texts))
    fix = draw(st.sampled_from([None, Fix.safe(draw(texts), edit), Fix.unsafe(draw(texts), edit)]))
    return Finding(
        code=f"SB{number}",
        name=f"rule-{number}",
        severity=draw(st.sampled_from(list(Severity))),
        message=draw(texts),
        span=spans[0],
        label=draw(st.just("") | texts),
        related=(Related(spans[1], draw(texts)),) if draw(st.booleans()) else (),
        help=draw(st.just("") | texts),
        notes=draw(_notes),
        fix=fix,
    )


@st.composite
def _files(draw: st.DrawFn) -> FileReport:
    source = Source.from_text(draw(texts), draw(_paths))
    findings = draw(st.lists(_findings(source), max_size=3))
    reason = draw(texts)
    comment = Suppression(Span(0, 1), Verb.IGNORE, (), reason, own_line=True)
    by = draw(st.sampled_from([comment, None]))  # None: an exception from a policy
    silent = [Suppressed(one, by, reason) for one in draw(st.lists(_findings(source), max_size=1))]
    return FileReport(source, Mask(source, [NEVER_SHOWN]), tuple(findings), tuple(silent))


runs = st.builds(
    lambda files, troubles: RunReport(tuple(files), troubles=tuple(troubles), home=Home(ROOT)),
    st.lists(_files(), max_size=2, unique_by=lambda file: file.source.path),
    st.lists(st.builds(Trouble, _open_texts, _open_texts), max_size=1),
)
