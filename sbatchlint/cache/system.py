"""The functions that look at files, as Python brings them: ``witness.py`` puts others in their places."""

from __future__ import annotations

import io
import os

open_text = io.open
open_file = os.open
read = os.read
close = os.close
stat = os.stat
lstat = os.lstat
readlink = os.readlink
listdir = os.listdir
scandir = os.scandir
access = os.access
chdir = os.chdir
mkdir = os.mkdir
replace = os.replace
unlink = os.unlink
utime = os.utime
