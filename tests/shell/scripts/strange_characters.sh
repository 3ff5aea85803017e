#!/bin/bash
echo a b c
echo zero​width
echo aprivateb "" ''
echo “curly” ‘quotes’ – dash
echo _=x -e --opt=val +x
