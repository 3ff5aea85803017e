"""Writing XML."""

from __future__ import annotations

from xml.etree.ElementTree import Element, indent, tostring

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def document(root: Element) -> str:
    """Return *root* as a document, one element a line.

    Its texts have to be free of what XML 1.0 cannot hold (control characters, lone surrogates), as all are
    that went through :func:`sbatchlint.report.cells.shown`.
    """
    indent(root)
    return f"{_DECLARATION}{tostring(root, encoding='unicode')}\n"
