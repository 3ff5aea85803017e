#!/bin/bash
host=`hostname -s`
nested=`echo \`hostname\` | cut -d. -f1`
quoted="`echo "inner quotes"`"
single=`echo 'a b' | tr ' ' _`
comment=`echo a # not b`
echo `date`: `whoami`@`hostname`
x=`if true; then echo yes; fi`
cd `dirname $0` && pwd
