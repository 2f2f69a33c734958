#!/bin/bash
# Settings from files, chips that include presets and files of other folders,
# lists that are aligned.
# ci: area host
# ci: needs bin/sim-run
. ci/tests/head

# refused STATUS PATTERN ARGUMENTS: one line that matches
refused() {
    local status=$1 pattern=$2 got=0
    shift 2
    "$sim" "$@" >"$dir/out" 2>"$dir/err" || got=$?
    [ $got = "$status" ] && [ "$(wc -l <"$dir/err")" = 1 ] &&
        grep -qE -e "$pattern" "$dir/err" ||
        complain "$*: status $got, $(head -n 3 "$dir/err"); expected $status and: $pattern"
}
describe() { "$sim" --describe "$@" 2>&1; }

# ---- --set @FILE
printf '# of the chip\n\n  chip.tms=3  \r\nl1.size=32k\n#l1.size=1\nl1.ways=8' >"$dir/good.set"
[ "$(describe -s "@$dir/good.set" -s l1.ways=2)" = \
    "$(describe -s chip.tms=3 -s l1.size=32k -s l1.ways=8 -s l1.ways=2)" ] ||
    complain "settings from a file are others"
[ "$(describe -s l1.ways=2 -s "@$dir/good.set")" = \
    "$(describe -s chip.tms=3 -s l1.size=32k -s l1.ways=8)" ] ||
    complain "later settings do not win"
for i in {1..1000}; do echo "l1.ways=$((i % 2 * 4 + 4))"; done >"$dir/many.set"
[ "$(describe -s "@$dir/many.set")" = "$(describe -s l1.ways=4)" ] || complain "many settings"
printf '\n# two\nrtcore.maxrays=8\n' >"$dir/name.set"
refused 200 "@$dir/name.set:3: rtcore.maxrays: .*did you mean 'max_rays'" \
    -s "@$dir/name.set" --describe
printf '\nl1.size=many\n' >"$dir/value.set"
refused 200 "@$dir/value.set:2: l1.size.*number" -s "@$dir/value.set" --describe
printf 'chip.tmss=1\n' >"$dir/option.set"
refused 200 "@$dir/option.set:1: chip.tmss.*did you mean 'tms'" -s "@$dir/option.set" --describe
printf 'nobody.size=1\n' >"$dir/path.set"
refused 200 "@$dir/path.set:1: nobody.size: no unit" -s "@$dir/path.set" --describe
printf 'nothing\n' >"$dir/syntax.set"
refused 200 "@$dir/syntax.set:1: .*expected PATH.PARAMETER=VALUE" -s "@$dir/syntax.set" --describe
printf 'l1.ways=4\nl1.ways=\0004\n' >"$dir/zero.set"
refused 200 "@$dir/zero.set:2: a byte of 0" -s "@$dir/zero.set" --describe
refused 200 "@$dir/none.set: No such file" -s "@$dir/none.set" --describe
refused 200 "--set @.*: is a directory" -s "@$dir" --describe
printf '\177ELF' >"$dir/program"
refused 200 "--set $dir/program: that is a program, expected PATH" -s "$dir/program"

# ---- include
mkdir -p "$dir/a/b" "$dir/c"
echo 'include "tiny"' >"$dir/a/chip.lua"
[ "$(describe -a "$dir/a/chip.lua" | tail -n +2)" = "$(describe -a tiny | tail -n +2)" ] ||
    complain "a preset by its name"
echo 'include "rtx2080.lua"' >"$dir/a/file.lua"
[ "$(describe -a "$dir/a/file.lua" -s chip.tms=2 | tail -n +2)" = \
    "$(describe -a rtx2080 -s chip.tms=2 | tail -n +2)" ] || complain "a preset's file"
# From the folder of the script that includes, however deep, and back.
echo 'include "../../c/second.lua" include "here.lua" include(name)' >"$dir/a/b/first.lua"
echo 'include "third.lua" return include "third.lua"' >"$dir/c/second.lua"
echo 'third = (third or 0) + 1' >"$dir/c/third.lua"
echo 'assert(third == 2) here = true' >"$dir/a/b/here.lua"
echo "name = '$dir/a/chip.lua' include 'b/first.lua' assert(here)" >"$dir/a/top.lua"
[ "$(describe -a "$dir/a/top.lua" | tail -n +2)" = "$(describe -a tiny | tail -n +2)" ] ||
    complain "files of other folders: $(describe -a "$dir/a/top.lua" | head -n 1)"
# A file beside the script goes before a preset's.
echo 'include "tiny.lua"' >"$dir/c/own.lua"
echo 'error("mine")' >"$dir/c/tiny.lua"
refused 201 'tiny.lua:1: mine' -a "$dir/c/own.lua" --describe
echo 'include "nosuch"' >"$dir/c/none.lua"
refused 201 "none.lua:1: include: there is no 'nosuch'" -a "$dir/c/none.lua" --describe
echo 'include "../nosuch.lua"' >"$dir/c/none.lua"
refused 201 "none.lua:1: include: there is no '../nosuch.lua'" -a "$dir/c/none.lua" --describe
echo 'include "loop.lua"' >"$dir/c/loop.lua"
refused 201 'include each other|endless recursion' -a "$dir/c/loop.lua" --describe

# ---- lists
[ "$("$sim" --list-archs | grep -oE '^[^ ]+ +' | awk '{ print length($0) }' | sort -u | wc -l)" = 1 ] ||
    complain "--list-archs is not aligned"
for option in nosuch x none abcdefgh; do
    refused 200 "unknown option --$option, see --help" --$option
done
[ $failures = 0 ] && echo "options, settings and includes are as described"
