#!/bin/bash
trap 'echo "caught $?"; exit' INT TERM EXIT
trap "rm -rf \"$tmp\"" EXIT
trap - INT
cmd & pid=$!
wait $pid; status=$?
kill -0 $pid 2>/dev/null && echo alive
(sleep 10; kill $$) &
