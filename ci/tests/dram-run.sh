#!/bin/bash
# dram-run without reference data: a trace whose clocks are derived by hand, in
# all the ways to print it, compressed or not.
# ci: area dram
# ci: quick
# ci: needs bin/dram-run
. ci/tests/head

run=$bin/dram-run

check() {
    if ! diff "$2" "$3" > "$dir/difference"; then
        echo "FAIL: $1"
        sed 's/^/  /' "$dir/difference"
        failures=$((failures + 1))
    fi
}

# DDR4-3200, in clocks: tRCD = tRP = 22, tRAS 52, CL 22, CWL 16, burst 4,
# tCCD_L 8, tRTP 12.
# 0: ACT 1, RD 23, data by 49. 1: the row is open, RD 8 later. 2: another row:
# PRE 52 after the ACT, ACT, RD. 3: a write to that row, issued at once as no
# read waits. 4: a read of it when the write is gone, from the row. 5: a write
# to the first row: PRE, ACT, WR. 6: a read of what is queued to be written
# waits for no command.
cat > "$dir/small.req.csv" << 'END'
id,offer,accept,rw,addr,ch,issue,done,kind
0,0,0,R,0x0,0,23,49,M
1,0,1,R,0x40,0,31,57,H
2,0,2,R,0x20000,0,97,123,C
3,200,200,W,0x20040,0,201,201,H
4,300,300,R,0x20040,0,301,327,H
5,400,400,W,0x0,0,445,445,C
END
cat > "$dir/commands" << 'END'
cycle,cmd,channel,rank,bankgroup,bank,row,column,id
1,ACT,0,0,0,0,0,0,0
23,RD,0,0,0,0,0,0,0
31,RD,0,0,0,0,0,1,1
53,PRE,0,0,0,0,1,0,2
75,ACT,0,0,0,0,1,0,2
97,RD,0,0,0,0,1,0,2
201,WR,0,0,0,0,1,1,3
301,RD,0,0,0,0,1,1,4
401,PRE,0,0,0,0,0,0,5
423,ACT,0,0,0,0,0,0,5
445,WR,0,0,0,0,0,0,5
END
cat > "$dir/summary" << 'END'
stream,requests,reads,writes,cycles,read_hit,read_miss,read_conflict,read_forwarded,write_hit,write_miss,write_conflict,write_merged,avg_read_latency,max_read_latency,avg_read_latency_from_offer,max_read_latency_from_offer,bus_utilisation,bytes_per_cycle,commands
small,6,4,2,445,2,1,1,0,1,0,1,0,63.250,121,64.000,123,0.0539,0.8629,ACT:3 PRE:2 RD:4 WR:2
END

"$run" --refresh off --commands "$dir/got-commands" ddr4-3200 \
    "$dir/small.req.csv" > "$dir/got"
check "requests" "$dir/small.req.csv" "$dir/got"
check "commands" "$dir/commands" "$dir/got-commands"
! compgen -G "$dir/got-commands.*" > /dev/null || fail "temporary file left"
"$run" --summary ddr4-3200 "$dir/small.req.csv" > "$dir/got"
check "summary" "$dir/summary" "$dir/got"

"$run" --stats ddr4-3200 "$dir/small.req.csv" > "$dir/got"
for line in 'clocks 445' 'read_hits 2' 'read_misses 1' 'read_conflicts 1' \
    'write_hits 1' 'write_conflicts 1' 'bytes_read 256' 'bytes_written 128' \
    'data_busy 24' 'read_latency_sum 253' 'read_latency_max 121' \
    'read_latency_p50 49' 'read_latency_p99 121' 'ACT 3' 'PRE 2' 'REFab 0'; do
    awk '{ print $1, $2 }' "$dir/got" | grep -qx "$line" ||
        { echo "FAIL: no '$line' in --stats"; failures=$((failures + 1)); }
done

gzip -k "$dir/small.req.csv"
"$run" ddr4-3200 "$dir/small.req.csv.gz" > "$dir/got"
check "compressed" "$dir/small.req.csv" "$dir/got"

# Only what is needed, other order, decimal addresses, CR LF, no last newline.
printf 'addr,rw,offer\r\n0,R,0\r\n64,R,0\r\n131072,R,0\r\n131136,W,200\r\n131136,R,300\r\n0,W,400' \
    > "$dir/least.csv"
"$run" ddr4-3200 "$dir/least.csv" > "$dir/got"
check "least columns" "$dir/small.req.csv" "$dir/got"

"$run" --compare ddr4-3200 "$dir/small.req.csv" > "$dir/got"
echo "small: 6 requests equal, 445 cycles" > "$dir/expected"
check "equal" "$dir/expected" "$dir/got"

sed 's/,97,123,C/,96,122,C/' "$dir/small.req.csv" > "$dir/other.req.csv"
status=0
"$run" --compare ddr4-3200 "$dir/other.req.csv" > "$dir/got" || status=$?
[ $status -eq 1 ] || fail "status $status of a difference"
cat > "$dir/expected" << 'END'
other: 1 of 6 requests differ; the first in time, at clock 96:
  request 2, offer 0, read 0x20000: accept 2 ch 0 issue 97 (expected 96) done 123 (expected 122) kind C
  last commands to channel 0, rank 0, bankgroup 0, bank 0 up to clock 96:
           1  ACT     row 0 column 0  for request 0 at 0x0
          23  RD      row 0 column 0  for request 0 at 0x0
          31  RD      row 0 column 1  for request 1 at 0x40
          53  PRE     row 1 column 0  for request 2 at 0x20000
          75  ACT     row 1 column 0  for request 2 at 0x20000
END
check "different" "$dir/expected" "$dir/got"

# A read of a queued write, and a second write to its address. One bank: the
# first request opens a row, the write waits for it and the other reads.
printf 'offer,rw,addr\n0,R,0\n0,R,64\n0,W,131072\n0,R,131072\n0,W,131072\n' \
    > "$dir/queued.csv"
kinds() {
    "$run" "$@" "$dir/queued.csv" | tail -n +2 | cut -d, -f9 | tr -d '\n'
}
echo "$(kinds ddr4-3200) $(kinds --rules arches ddr4-3200)" \
    "$(kinds --rules ramulator21 ddr4-3200)" > "$dir/got"
echo 'MHCFH MHCFW MHCFW' > "$dir/expected"
check "forwarding and merging" "$dir/expected" "$dir/got"

# Settings: a row closed after each access; the channel bit above the row.
printf 'offer,rw,addr\n0,R,0\n100,R,0\n' > "$dir/two.csv"
"$run" --row-policy closed --cap 1 ddr4-3200 "$dir/two.csv" | cut -d, -f9 |
    tr '\n' ' ' > "$dir/got"
echo -n 'kind M M ' > "$dir/expected"
check "closed rows" "$dir/expected" "$dir/got"
printf 'offer,rw,addr\n0,R,0x200000000\n' > "$dir/high.csv"
"$run" --channels 2 --mapping ChRoBaRaCo ddr4-3200 "$dir/high.csv" |
    tail -1 | cut -d, -f6 > "$dir/got"
echo 1 > "$dir/expected"
check "channel by mapping" "$dir/expected" "$dir/got"

# Each name in the list can be used. docs/reference/dram.md has the devices' names, but
# in rows only the ends of those after the first.
while read -r name what; do
    [[ $what == device* ]] || grep -qE -- "($name|, -${name#*-})[ ,]" docs/reference/dram.md ||
        { echo "FAIL: $name is not in docs/reference/dram.md"; failures=$((failures + 1)); }
    "$run" "$name" "$dir/two.csv" > "$dir/got" 2>&1 ||
        { echo "FAIL: $name: $(cat "$dir/got")"; failures=$((failures + 1)); }
done < <("$run" --list)
"$run" --help > "$dir/got"
grep -q -- '--row-policy' "$dir/got"
