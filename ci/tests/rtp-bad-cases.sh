#!/bin/bash
# rtp-run and cases that are none: each ends with one line that says what was
# expected and with the documented status, and the ones behind it are still run.
# ci: area rtp
# ci: needs bin/rtp-run
. ci/tests/head

run=$(realpath "${RUN:-$B/bin/rtp-run}")
cd "$dir"

# refused STATUS TEXT FILE: one line that has the text
refused() {
    local status=0
    timeout 60 "$run" "$3" >said 2>&1 || status=$?
    grep -v ' cases, ' said >lines || true
    [ "$status" -eq "$1" ] && [ "$(wc -l <lines)" -eq 1 ] && grep -qF -- "$2" lines ||
        { head -c 400 said; fail "status $status; expected $1 and one line with '$2'"; }
}

# differs TEXT MEMBERS: a case on a chip with these members
differs() {
    echo "{\"name\": \"bad\", \"n_rt\": 4, \"n_ic\": 4, $2}" >case.jsonl
    refused 1 "bad: $1" case.jsonl
}
# on_core TEXT MEMBERS: a case on one core, of one fin
on_core() {
    echo "{\"name\": \"bad\", \"words\": [\"34000000\", \"ec000000\"], $2}" >case.jsonl
    refused 1 "bad: $1" case.jsonl
}
# many COUNT ELEMENT: the elements of a list
many() {
    yes "$2" | head -n "$1" | paste -sd,
}

: >empty.jsonl
refused 2 "unknown option '--quirk', did you mean --quirks?" --quirk
refused 3 "empty.jsonl: empty, expected a case a line" empty.jsonl
differs "npix is 4294967265, expected 16777216 at most" '"npix": 4294967265'
differs "npix is 4294967297, expected 16777216 at most" '"npix": 4294967297'
differs "npix is -1, expected a number from 0 on" '"npix": -1'
differs "npix is 1e+300, expected a number from 0 on" '"npix": 1e300'
differs "cycle is -5, expected a number from 0 on" '"fin_state": [{"cycle": -5}]'
differs "4097 words, expected 4096 at most" "\"words\": [$(many 4097 '"ec000000"')]"
differs "8193 const, expected 8192 at most" "\"const\": [$(many 8193 '"0"')]"
differs "513 triangles, expected 512 at most" "\"triangles\": [$(many 513 '[]')]"
differs "mem: expected an object" '"mem": [1]'
differs "mem of 0: expected an object or a word" '"mem": {"0": ["1"]}'
on_core "init_s: expected an object" '"init_s": ["1"]'
on_core "init_v: expected an object" '"init_s": {}, "init_v": [["1"]]'
on_core "init_mem: expected an object" '"init_s": {}, "init_mem": ["1"]'
on_core "mem: expected an object" '"init_s": {}, "mem": ["1"]'
on_core "thread is 32, expected 31 at most" '"init_s": {}, "thread": 32'
on_core "0 stores, expected more" '"init_s": {}, "stores": [[]]'
for text in '[1]' 5 '{"name"'; do
    echo "$text" >case.jsonl
    refused 3 "case.jsonl:1: expected an object of JSON" case.jsonl
done

rays() { # COUNT: a ray against COUNT triangles
    printf 'case,origin,direction\nbad,0,0,0,0,0,0,%s,%s\n' "$1" "$(many 10 0)" >rays.csv
}
rays 18446744073709551615
refused 1 "bad: 18446744073709551615 triangles, expected 512 at most" rays.csv
rays 1
"$run" rays.csv >said || fail "a ray that misses: $(cat said)"

# What stands behind a bad case is still run.
{ echo '{"name": "bad", "npix": -1}'; echo '{"name": "next", "mem": []}'; } >case.jsonl
"$run" case.jsonl >said 2>&1 && fail "bad cases are equal"
grep -q '^case.jsonl: 2 cases, 2 different$' said || fail "the second case is not run"

# ---- files ----
printf 'case,\0x\n' >zero.csv
refused 3 "zero.csv:1: a byte of 0, expected text" zero.csv
refused 3 ".: is a directory" .
refused 3 "nowhere.jsonl: No such file" nowhere.jsonl
rays 1
gzip -c rays.csv | head -c 30 >cut.csv.gz
refused 3 "cut.csv.gz: unexpected end of file" cut.csv.gz
mkdir case_events.csv
refused 3 "case_events.csv: is a directory" case.jsonl
echo "bad cases are refused"
