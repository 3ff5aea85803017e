"""Scripts of every form get back what they were, but for what the fix changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.fix.apply import apply_fixes
from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.fix.write import write_source
from sbatchlint.source import Source, Span
from sbatchlint.writing.trouble import FileChanged

FORMS = {
    "plain": b"#!/bin/bash\necho old\n",
    "crlf": b"#!/bin/bash\r\necho old\r\n",
    "mixed": b"#!/bin/bash\r\n\necho old\r\n\n",
    "no newline": b"#!/bin/bash\necho old",
    "crlf and no newline": b"#!/bin/bash\r\necho old",
    "byte order mark": b"\xef\xbb\xbf#!/bin/bash\necho old\n",
    "not UTF-8": b"#!/bin/bash\n# \xe9\xff\xfe \xed\xa0\x80\necho old \xc3\n",
    "lone carriage returns": b"#!/bin/bash\r# a\r\r\necho\rold\r",
    "other line ends": "#!/bin/bash\x0b\x0c\x85\u2028\u2029\necho old\n".encode(),
    "nothing else": b"old",
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_all_but_the_edit_is_kept_to_the_byte(tmp_path: Path, form: str) -> None:
    path = tmp_path / "job.sh"
    path.write_bytes(FORMS[form])
    source = Source.from_bytes(FORMS[form], "job.sh")
    at = source.text.index("old")
    fixed = apply_fixes(source, [Fix.safe("renew", Edit(Span(at, at + 3), "new and longer"))]).source
    write_source(source, fixed, str(path), str(path))
    assert path.read_bytes() == FORMS[form].replace(b"old", b"new and longer")


@pytest.mark.parametrize(
    ("held", "read"), [("crlf", "plain"), ("plain", "crlf"), ("plain", "byte order mark"), ("mixed", "crlf")]
)
def test_a_file_of_another_form_is_another_file(tmp_path: Path, held: str, read: str) -> None:
    path = tmp_path / "job.sh"
    path.write_bytes(FORMS[held])
    with pytest.raises(FileChanged):
        write_source(Source.from_bytes(FORMS[read], "job.sh"), Source.from_text("new"), str(path))
    assert path.read_bytes() == FORMS[held]


def test_a_file_in_another_place_is_another_file(tmp_path: Path) -> None:
    path, link = tmp_path / "job.sh", tmp_path / "link.sh"
    path.write_bytes(FORMS["plain"])
    link.symlink_to(path)
    source = Source.from_bytes(FORMS["plain"], "link.sh")
    with pytest.raises(FileChanged):
        write_source(source, Source.from_text("new"), str(link), str(link))
    assert path.read_bytes() == FORMS["plain"]
    write_source(source, Source.from_text("new"), str(link), str(path))
    assert path.read_bytes() == b"new"
