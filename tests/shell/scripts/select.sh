#!/bin/bash
select x in a b "c d"; do
  case $x in
    a) break ;;
  esac
done
select y; do break; done
select z
do break; done
