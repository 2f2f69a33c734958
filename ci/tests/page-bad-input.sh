#!/bin/bash
# page-run turns bad input down: one line on stderr that says what and where,
# nothing on stdout, status 2. What is odd but right is replayed.
# ci: area paging uvm
# ci: quick
# ci: needs bin/page-run
. ci/tests/head

run=$bin/page-run

# refused PATTERN ARGUMENTS
refused() {
    local pattern=$1 got=0
    shift
    timeout 20 "$run" "$@" > "$dir/out" 2> "$dir/err" < /dev/null || got=$?
    if [ $got -ne 2 ] || [ "$(wc -l < "$dir/err")" -ne 1 ] ||
        [ -s "$dir/out" ] || ! grep -qE -e "$pattern" "$dir/err"; then
        echo "FAIL: page-run $*"
        echo "  status $got, expected 2 and one line like: $pattern"
        sed 's/^/  /' "$dir/err"
        failures=$((failures + 1))
    fi
}
# bad PATTERN LINE...: a file of these lines is refused.
bad() {
    local pattern=$1
    shift
    printf '%s\n' "$@" > "$dir/bad.csv"
    refused "$pattern" "$dir/bad.csv"
}
# good LINE...: a file of these lines is printed as it is.
good() {
    printf '%s\n' "$@" > "$dir/good.csv"
    if ! "$run" "$dir/good.csv" > "$dir/out" 2> "$dir/err" || ! cmp -s "$dir/good.csv" "$dir/out"; then
        echo "FAIL: not printed as it is:"
        diff "$dir/good.csv" "$dir/out" | sed 's/^/  /' || true
        cat "$dir/err"
        failures=$((failures + 1))
    fi
}
T=case,prefetcher,allocation_bytes,turn,faulting_bytes,order,start,bytes,ends_with_fault,channel_cycles_1481MHz
E='case,root_bytes,valid_leaves_before,victim_leaf,write_backs_start:bytes,valid_leaves_after'
C=transfer_bytes,f_core_MHz,a,cycles

# ---- command line
refused 'VECTORS is missing'
refused "'b' is one argument too many" a b
refused "unknown option '--fast'; see --help" --fast a
refused "unknown option '--compar', did you mean --compare\?" --compar a
refused '--seed needs a value' a --seed
refused "--seed has to be a whole number, not '1.5'" a --seed 1.5
refused "--a has to be a number above 0 .*, not '-12'" --a -12 a
refused 'missing.csv: No such file' "$dir/missing.csv"
refused 'is a directory' "$dir"

# ---- first lines
: > "$dir/bad.csv"
refused 'bad.csv: empty' "$dir/bad.csv"
bad "bad.csv:1: the first line has to be that of .*, not 'case'" case,root_bytes
bad "bad.csv:1: the first line .*, not ''" ''
bad "bad.csv:1: the first line" "$T,more"
bad "bad.csv:1: the first line" "${T/turn/turns}"
bad "bad.csv:1: the first line" "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t"
bad "bad.csv:1: 'channel_cycles_MHz' has to name a clock" "${T/1481/}" a,none,4096,0,0,0,0,4096,1,1
bad "bad.csv:1: 'channel_cycles_fastMHz' has to" "${T/1481/fast}" a,none,4096,0,0,0,0,4096,1,1
bad "bad.csv:1: 'channel_cycles_0MHz' has to" "${T/1481/0}" a,none,4096,0,0,0,0,4096,1,1

# ---- transfers
bad 'bad.csv:2: 9 cells, but the first line has 10; it begins with' "$T" a,none,4096,0,0,0,0,4096,1
bad 'bad.csv:2: 1 cells' "$T" ''
bad "bad.csv:2: prefetcher has to be one of none tbn sl random, not 'tree'" "$T" a,tree,4096,0,0,0,0,4096,1,1
bad "bad.csv:2: prefetcher .* not ''" "$T" a,,4096,0,0,0,0,4096,1,1
bad "allocation_bytes has to be a number from 1 to 68719476736, not '0'" "$T" a,sl,0,0,0,0,0,4096,1,1
bad "allocation_bytes .* not '-4096'" "$T" a,sl,-4096,0,0,0,0,4096,1,1
bad "allocation_bytes .* not '99999999999999999999999'" "$T" a,sl,99999999999999999999999,0,0,0,0,4096,1,1
bad "turn has to be a number .* not '1e3'" "$T" a,sl,4096,1e3,0,0,0,4096,1,1
bad "bad.csv:2: faulting_bytes has to be numbers up to 65535 .* not '0x10000'" "$T" a,sl,4096,0,0x10000,0,0,4096,1,1
bad "faulting_bytes has to be one address or more, not ''" "$T" a,sl,4096,0,,0,0,4096,1,1
bad "faulting_bytes .* not '0 zz'" "$T" 'a,sl,4096,0,0 zz,0,0,4096,1,1'
bad "bytes has to be a number .* not 'much'" "$T" a,none,4096,0,0,0,0,much,1,1
bad "start has to be empty, as order is, not '0'" "$T" a,none,4096,0,0,,0,4096,1,1
bad "bad.csv:3: faulting_bytes has to be those of the turn's first line, not '1'" "$T" \
    a,none,8192,0,0,0,0,4096,1,1 a,none,8192,0,1,0,0,4096,1,1
bad "bad.csv:3: turn has to be no earlier than in the line above, not '1'" "$T" \
    a,none,8192,2,0,0,0,4096,1,1 a,none,8192,1,0,0,0,4096,1,1
bad "bad.csv:4: case has to be a case whose lines are not further above, not 'a'" "$T" \
    a,none,8192,0,0,0,0,4096,1,1 b,none,8192,0,0,0,0,4096,1,1 a,none,8192,1,0,0,0,4096,1,1
# A fault that comes back is no fault; turns may begin anywhere; the clock is the column's; a
# case may have the name of one with another prefetcher; addresses need no order.
good "${T/1481/1200}" 'a,none,12288,7,5000 0x0,0,0x0,4096,1,2111' \
    'a,none,12288,7,5000 0x0,1,0x1000,4096,1,2111' 'a,none,12288,9,5001 4097,,,,,' \
    a,tbn,12288,0,0,0,0x0,4096,1,2111 a,tbn,12288,0,0,1,0x1000,61440,0,6677

# ---- evictions
bad "root_bytes has to be a number from 65536 to 2097152, not '4194304'" "$E" a,4194304,0,0,,
bad "root_bytes has to be 65536 times a power of two, not '196608'" "$E" a,196608,0,0,,
bad "valid_leaves_before has to be numbers up to 7 .* not '0 8'" "$E" 'a,524288,0 8,0,,'
bad "valid_leaves_before has to be a list without the same leaf twice" "$E" 'a,524288,0 1 0,0,,'
bad "victim_leaf has to be one of the valid leaves, not '1'" "$E" a,524288,0,1,,
bad "victim_leaf has to be a number from 0 to 7, not ''" "$E" a,524288,0,,,
good "$E" 'a,131072,0 1,1,0x10000:65536,0' a,65536,0,0,0x0:65536,

# ---- curve
bad "transfer_bytes has to be a number from 1 .* not '0'" "$C" 0,1481,12,1
bad "f_core_MHz has to be a number above 0 .* not 'nan'" "$C" 4096,nan,12,1
bad "a has to be a number above 0 .* not '0x1p3'" "$C" 4096,1481,0x1p3,1
bad "a has to be a number above 0 .* not '.'" "$C" 4096,1481,.,1
bad "cycles has to be a number .* not '2605.5'" "$C" 4096,1481,12,2605.5
good "$C" 4096,1481,12,2605 65536,1312.0,12.,7709

# ---- files
printf '%s\n4096,1481,12,2605' "$C" > "$dir/cut.csv"
"$run" "$dir/cut.csv" > "$dir/out" || { echo "FAIL: a last line without its end"; failures=1; }
printf '%s\n4096,1481,1\0002,2605\n' "$C" > "$dir/bad.csv"
refused 'bad.csv:2: a byte of 0' "$dir/bad.csv"
gzip -c "$dir/good.csv" > "$dir/whole.csv.gz"
"$run" "$dir/whole.csv.gz" | cmp - "$dir/good.csv" || { echo "FAIL: gzip"; failures=1; }
head -c 40 "$dir/whole.csv.gz" > "$dir/bad.csv.gz"
refused 'bad.csv.gz' "$dir/bad.csv.gz"
head -c 300 /dev/urandom > "$dir/bad.csv"
refused 'bad.csv' "$dir/bad.csv"
printf '%s\r\n4096,1481,12,2605\r\n' "$C" > "$dir/crlf.csv"
"$run" "$dir/crlf.csv" | cmp - "$dir/crlf.csv" || { echo "FAIL: lines that end as a file's do"; failures=1; }

# ---- random: the seed chooses, and equal ones choose alike
{ echo "$T"; for i in $(seq 0 31); do echo "r,random,2097152,$i,$((i * 8192)),,,,,"; done; } > "$dir/random.csv"
"$run" "$dir/random.csv" > "$dir/one" && "$run" --seed 1 "$dir/random.csv" > "$dir/two" &&
    "$run" --seed 2 "$dir/random.csv" > "$dir/three"
cmp -s "$dir/one" "$dir/two" && ! cmp -s "$dir/one" "$dir/three" ||
    { echo "FAIL: the seed of random"; failures=1; }

status=0
"$run" "$dir/good.csv" > /dev/full 2> "$dir/err" || status=$?
[ $status -eq 4 ] || { echo "FAIL: a full disk: status $status"; failures=1; }

echo "$failures failures"
