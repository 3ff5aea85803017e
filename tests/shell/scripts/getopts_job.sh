#!/bin/bash
while getopts ":a:bc" opt; do
  case ${opt} in
    a ) A="$OPTARG";;
    b ) B=1
        ;;
    \? ) echo "bad -$OPTARG" 1>&2; exit 1;;
    : ) echo "missing" ;;
  esac
done
shift $((OPTIND -1))
[[ -z "${A}" ]] && { echo "Usage: $0 -a x"; exit 2; }
