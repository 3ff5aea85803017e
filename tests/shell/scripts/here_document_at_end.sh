#!/bin/bash
cat <<EOF
never closed
 EOF
