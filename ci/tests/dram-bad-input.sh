#!/bin/bash
# dram-run turns bad input down: one line on stderr that says what and where,
# nothing on stdout, the documented status, no file left behind.
# ci: area dram
# ci: needs bin/dram-run
. ci/tests/head

run=$bin/dram-run
USAGE=2 INPUT=3 OUTPUT=4 STUCK=5

# refused STATUS PATTERN ARGUMENTS
refused() {
    local status=$1 pattern=$2 got=0
    shift 2
    timeout 20 "$run" "$@" > "$dir/out" 2> "$dir/err" < /dev/null || got=$?
    if [ $got -ne "$status" ] || [ "$(wc -l < "$dir/err")" -ne 1 ] ||
        [ -s "$dir/out" ] || ! grep -qE -e "$pattern" "$dir/err"; then
        echo "FAIL: dram-run $*"
        echo "  status $got, expected $status and one line like: $pattern"
        sed 's/^/  /' "$dir/err"
        failures=$((failures + 1))
    fi
}

good=$dir/good.csv
printf 'id,offer,rw,addr\n0,0,R,0x0\n1,5,W,0x40\n' > "$good"
"$run" ddr4-3200 "$good" > /dev/null || fail "good trace"

# ---- command line
refused $USAGE 'DEVICE is missing'
refused $USAGE 'STREAM is missing' ddr4-3200
refused $USAGE 'one argument too many' ddr4-3200 "$good" "$good"
refused $USAGE "unknown option '--speed'" --speed ddr4-3200 "$good"
refused $USAGE '--cap needs a value' ddr4-3200 "$good" --cap
refused $USAGE '--commands needs a value' ddr4-3200 "$good" --commands
refused $USAGE "no DRAM device 'ddr4-320', did you mean 'ddr4-3200'\?" ddr4-320 "$good"
refused $USAGE "'ddr5', did you mean 'ddr5-3200', 'ddr5-4000' or 'ddr5-4800'\?" ddr5 "$good"
refused $USAGE "'--chanels', did you mean --channels\?" --chanels 2 ddr4-3200 "$good"
refused $USAGE "'--sumary', did you mean --summary\?" --sumary ddr4-3200 "$good"
refused $USAGE "no DRAM device ''" '' "$good"

# ---- settings
refused $USAGE "rules: 'ramulator3' is none of" --rules ramulator3 ddr4-3200 "$good"
refused $USAGE "scheduler: 'fifo' is none of" --scheduler fifo ddr4-3200 "$good"
refused $USAGE 'row_policy: ' --row-policy ajar ddr4-3200 "$good"
refused $USAGE 'refresh: ' --refresh sometimes ddr4-3200 "$good"
refused $USAGE 'cap: 0 is outside 1' --cap 0 ddr4-3200 "$good"
refused $USAGE 'timeout: .*-1' --timeout -1 ddr4-3200 "$good"
refused $USAGE 'read_queue: 0 is outside' --read-queue 0 ddr4-3200 "$good"
refused $USAGE "write_high: 'much' is not a number" --write-high much ddr4-3200 "$good"
refused $USAGE 'write_low' --write-low 900 ddr4-3200 "$good"
refused $USAGE 'channels is 3, must be a power of two' --channels 3 ddr4-3200 "$good"
refused $USAGE "mapping 'RoBaXxCo': 'Xx' is none of" --mapping RoBaXxCo ddr4-3200 "$good"
refused $USAGE "mapping 'RoBaRaCh': 7 bits of Co" --mapping RoBaRaCh ddr4-3200 "$good"
refused $USAGE 'neither REFpb nor REFsb' --refresh bank ddr4-3200 "$good"

# ---- request files
refused $INPUT 'missing.csv: No such file' ddr4-3200 "$dir/missing.csv"
refused $INPUT 'is a directory' ddr4-3200 "$dir"
: > "$dir/bad.csv"
refused $INPUT 'bad.csv: empty' ddr4-3200 "$dir/bad.csv"
bad() {
    # shellcheck disable=SC2059
    printf "$2" > "$dir/bad.csv"
    refused $INPUT "$1" ddr4-3200 "$dir/bad.csv"
}
bad "bad.csv:1: the first line names no column 'rw'" 'offer,addr\n0,0\n'
bad 'bad.csv: no request' 'offer,rw,addr\n'
bad "bad.csv:3: offer has to be a number from 0 on, not '-5'" 'offer,rw,addr\n0,R,0\n-5,R,0\n'
bad "bad.csv:2: offer .* not '1e3'" 'offer,rw,addr\n1e3,R,0\n'
bad "bad.csv:2: offer .* not '99999999999999999999'" 'offer,rw,addr\n99999999999999999999,R,0\n'
bad "bad.csv:2: rw has to be R or W, not 'X'" 'offer,rw,addr\n0,X,0\n'
bad "bad.csv:2: addr has to be a number .* not '0xzz'" 'offer,rw,addr\n0,R,0xzz\n'
bad "bad.csv:2: addr .* not '-64'" 'offer,rw,addr\n0,R,-64\n'
bad "bad.csv:2: addr .* not ''" 'offer,rw,addr\n0,R,\n'
bad 'bad.csv:2: 2 cells, but the first line has 3' 'offer,rw,addr\n0,R\n'
bad 'bad.csv:3: 4 cells, but' 'offer,rw,addr\n0,R,0\n0,R,0,0\n'
bad "bad.csv:3: offers have to be in order; .* '4'" 'offer,rw,addr\n9,R,0\n4,R,0\n'
bad "bad.csv:3: id 1 is expected, not '2'" 'id,offer,rw,addr\n0,0,R,0\n2,0,R,0\n'
bad "bad.csv:3: 1 cells" 'offer,rw,addr\n0,R,0\n\n'
bad "kind has to be H, M, C, F or W, not 'Q'" 'offer,rw,addr,accept,ch,issue,done,kind\n0,R,0,0,0,1,2,Q\n'
head -c 300 /dev/urandom > "$dir/bad.csv"
refused $INPUT 'bad.csv' ddr4-3200 "$dir/bad.csv"
gzip -c "$good" | head -c 30 > "$dir/bad.csv.gz"
refused $INPUT 'bad.csv.gz' ddr4-3200 "$dir/bad.csv.gz"
refused $INPUT 'compare needs the columns accept' --compare ddr4-3200 "$good"

# ---- device folders
refused $INPUT 'nowhere/organisation.csv: No such file' "$dir/nowhere" "$good"
folder=$dir/folder
mkdir "$folder"
refused $INPUT 'organisation.csv: No such file' "$folder" "$good"
printf 'item,value\nchannel_width_bits,64\nprefetch,8\nrow,1024\ncolumn,1024\n' > "$folder/organisation.csv"
printf 'parameter,value\nnBL,4\n' > "$folder/timing.csv"
printf 'level,preceding,following,cycles,window,sibling\nbank,ACT,JUMP,3,1,0\n' > "$folder/constraints.csv"
refused $INPUT "constraints.csv:2: unknown command 'JUMP'" "$folder" "$good"
printf 'parameter,value\nnBL,four\n' > "$folder/timing.csv"
refused $INPUT "timing.csv:2: 'four' is not a number" "$folder" "$good"

printf 'item,value\0,3\nranks,1\n' > "$folder/organisation.csv"
refused $INPUT 'organisation.csv:1: the first line has to be' "$folder" "$good"
printf 'item,value\nranks\0s,1\n' > "$folder/organisation.csv"
refused $INPUT 'organisation.csv:2: ' "$folder" "$good"

# A device that may open a row so long after each refresh that the next one comes before.
part() { awk -v RS=@ -v ORS= "NR == $1" ci/fuzz/found/dram-refresh-without-end; }
part 1 > "$folder/organisation.csv"
part 2 > "$folder/timing.csv"
printf 'level,preceding,following,cycles,window,sibling\n' > "$folder/constraints.csv"
printf '%s,1,0\n' rank,RD,WR,26 bank,ACT,RD,26 bank,ACT,WR,25 bank,PRE,ACT,26 rank,REFab,ACT,15000 \
    >> "$folder/constraints.csv"
"$run" "$folder" "$good" > /dev/null 2>&1 || { echo "FAIL: the device with time to open rows"; failures=1; }
sed -i 's/15000/15600/' "$folder/constraints.csv"
"$run" --refresh off "$folder" "$good" > /dev/null 2>&1 ||
    { echo "FAIL: the device without refresh"; failures=1; }
printf 'id,offer,rw,addr\n0,20000,R,0x0\n1,20005,W,0x40\n' > "$dir/late.csv"
status=0
timeout 20 "$run" "$folder" "$dir/late.csv" > "$dir/out" 2> "$dir/err" || status=$?
[ $status -eq $STUCK ] && [ ! -s "$dir/out" ] &&
    grep -q '^dram-run: stuck at clock [0-9]*: none of 2 requests that wait' "$dir/err" ||
    { echo "FAIL: a device stuck in refreshes: status $status"; cat "$dir/err"; failures=1; }

# ---- bytes of 0, and pauses
printf 'id,offer,rw,addr\n0,0,R,0x0\n1,5,W,0x40\0\n2,6,R,0x0\n' > "$dir/zero.csv"
refused $INPUT 'zero.csv:3: a byte of 0' ddr4-3200 "$dir/zero.csv"
printf '\0' > "$dir/zero.csv"
refused $INPUT 'zero.csv:1: a byte of 0' ddr4-3200 "$dir/zero.csv"
printf 'offer,rw,addr\n0,R,0x0\n1000000000000,W,0x40\n' > "$dir/apart.csv"
refused $USAGE 'commands: request 1 is offered 1000000000000 clocks' \
    --commands "$dir/commands" ddr4-3200 "$dir/apart.csv"
"$run" --stats ddr4-3200 "$dir/apart.csv" > "$dir/out" ||
    { echo "FAIL: requests far apart"; failures=1; }
awk '/refreshes/ { found = $2 >= 1e12 / 12481 - 2 && $2 <= 1e12 / 12479 + 2 } END { exit !found }' "$dir/out" ||
    { echo "FAIL: refreshes between requests far apart"; grep refreshes "$dir/out"; failures=1; }

# ---- files to write
refused $OUTPUT 'nowhere/commands: No such file' --commands "$dir/nowhere/commands" ddr4-3200 "$good"
mkdir "$dir/taken"
refused $OUTPUT 'taken: Is a directory' --commands "$dir/taken" ddr4-3200 "$good"
! compgen -G "$dir/taken.*" || { echo "FAIL: that was left behind"; failures=1; }
mkfifo "$dir/pipe"
timeout 20 cat "$dir/pipe" > "$dir/piped" &
"$run" --commands "$dir/pipe" ddr4-3200 "$good" > /dev/null
wait
[ -p "$dir/pipe" ] && [ -s "$dir/piped" ] ||
    { echo "FAIL: a pipe is not written to, or no longer one"; failures=1; }
if [ -w /dev/full ]; then
    status=0
    "$run" ddr4-3200 "$good" > /dev/full 2> "$dir/err" || status=$?
    [ $status -eq $OUTPUT ] && grep -q 'standard output: No space' "$dir/err" ||
        { echo "FAIL: a full disk gives status $status"; failures=1; }
fi
