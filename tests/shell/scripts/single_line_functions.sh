#!/bin/bash
log() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
die() { log "error: $*"; exit 1; }
retry() { for i in 1 2 3; do "$@" && return 0; sleep "$i"; done; return 1; }
need() { command -v "$1" >/dev/null 2>&1 || die "$1 missing"; }
