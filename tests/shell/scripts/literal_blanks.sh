#!/bin/bash
echo	tab	separated
   echo   many    blanks   
echo a b
echo ünïcode 日本 😀 "ü" 'é' $ü ${x:-é}
é=1
echo naïve; caf\é
