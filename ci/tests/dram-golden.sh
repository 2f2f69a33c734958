#!/bin/bash
# The DRAM model equals the reference: for every trace of the reference data
# accept, issue, done and kind of each request, all commands, and the totals.
# One result line for each trace; where one differs, the first difference in
# time with the commands to its bank.
# ci: area dram
# ci: needs bin/dram-run
. ci/tests/head

golden=$shared/dram-golden
run=$bin/dram-run
[ -d "$golden" ] || skip "no reference data in $golden"
traces=0

# Totals, but for the last digit of the bus utilisation: the reference rounds
# that of a channel before it divides by pseudo-channels. Commands are counted
# in the order of the device there.
same_totals() {
    awk -F, '
        function same_words(a, b,   words, n, i) {
            n = split(a, words, " ")
            for (i = 1; i <= n; i++)
                if (index(" " b " ", " " words[i] " ") == 0)
                    return 0
            return length(a) == length(b)
        }
        function off(a, b) { return a > b ? a - b : b - a }
        NR == FNR { if ($1 == stream) for (i = 1; i <= NF; i++) expected[i] = $i; next }
        FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        FNR == 2 {
            for (i = 1; i <= NF; i++) {
                same = $i == expected[i]
                if (name[i] == "bus_utilisation")
                    same = off($i, expected[i]) < 0.00011
                if (name[i] == "commands")
                    same = same_words($i, expected[i])
                if (!same) {
                    print name[i] " is " $i ", expected " expected[i]
                    bad = 1
                }
            }
        }
        END { exit bad }' stream="$3" "$1" "$2"
}

trace() {
    local folder=$1 stream=$2 name
    name=$(basename "$folder")/$stream
    traces=$((traces + 1))
    if ! "$run" --compare --commands "$dir/commands" "$folder" \
        "$folder/$stream.req.csv.gz" > "$dir/compared" 2>&1; then
        complain "$name: $(<"$dir/compared")"
    elif ! zcat "$folder/$stream.cmd.csv.gz" |
        diff - "$dir/commands" > "$dir/difference"; then
        head -5 "$dir/difference" > "$dir/first"
        complain "$name: commands: $(<"$dir/first")"
    elif "$run" --summary "$folder" "$folder/$stream.req.csv.gz" \
        > "$dir/summary" &&
        ! same_totals "$folder/summary.csv" "$dir/summary" "$stream" \
            > "$dir/totals"; then
        complain "$name: totals: $(<"$dir/totals")"
    else
        echo "ok   $(basename "$folder")/$(cat "$dir/compared")"
    fi
}

for folder in "$golden"/*/; do
    for file in "$folder"*.req.csv.gz; do
        trace "${folder%/}" "$(basename "$file" .req.csv.gz)"
    done
done

# The same devices by name, without the folder.
for folder in "$golden"/*/; do
    name=$(basename "$folder")
    if "$run" --compare "$name" "$folder/mix7030.req.csv.gz" > "$dir/compared" 2>&1
    then
        echo "ok   by name: $name"
    else
        complain "by name: $name: $(<"$dir/compared")"
    fi
done

# Folders under unknown names: device, spelling and words in the name
# say how they are set up; options say the rest.
unknown() {
    local folder=$1 name=$2
    shift 2
    ln -s "$(realpath "$golden/$folder")" "$dir/$name"
    if "$run" --compare "$@" "$dir/$name" "$dir/$name/mix7030.req.csv.gz" \
        > "$dir/compared" 2> "$dir/how" && grep -q 'not known by name' "$dir/how"
    then
        echo "ok   as $name${*:+ $*}"
    else
        cat "$dir/how" >> "$dir/compared"
        complain "$folder as $name: $(<"$dir/compared")"
    fi
}
unknown gddr6-arches-14000 a
unknown gddr6-stock b
unknown ddr4-3200-2rank-mop two-rank-mop
unknown ddr4-3200-norefresh c --mapping ChRaBaRoCo
unknown ddr4-3200-closedrow my-closedrow
unknown ddr4-3200-closedrow d --row-policy closed --cap 4
unknown ddr5-3200 e
unknown hbm2 f
unknown v21-ddr4-3200 g
unknown v21-ddr4-3200 h --rules ramulator21
unknown v21-ddr4-3200-closedcap-norefresh v21-closedcap-norefresh
unknown v21-gddr6-14000-rowhit i --scheduler row_hit
unknown v21-hbm2 j
unknown v21-lpddr5-6400 k

echo "$traces traces, $failures differences"
[ "$traces" -gt 0 ] && [ "$failures" -eq 0 ]
