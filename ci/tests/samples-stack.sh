#!/bin/bash
# Kernels of the samples fit into a stack of 1 KiB: the deepest chain of calls
# from each kernel, by the frame sizes that the compiler reports for rv64 and
# rv32, with all three traversals. A call into code without a known frame size,
# a variable frame or recursion fails the test.
# ci: area samples
# ci: needs samples
. ci/tests/head

limit=1024
targets=(rv64 rv32)

# Reads the compiler's call graphs (-fcallgraph-info=su): nodes with
# "NNN bytes (static)", and edges from caller to callee. External functions
# are known by name only; these leaves of the C library, libcorbel and libgcc
# may be called.
deepest='
function field(name,    s) {
    s = $0
    if (!match(s, name ": \"[^\"]*\"")) return ""
    s = substr(s, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", s); sub(/"$/, "", s)
    return s
}
function depth(f,    n, i, d, most, list) {
    if (f in busy) { print "recursion through " f; failed = 1; return 0 }
    if (!(f in size)) {
        if (f ~ /^(memcpy|memset|memmove)$/) return 32
        if (f ~ /^(corbel_harts?|corbel_cycles)$/) return 32
        if (f ~ /^corbel_(lane|groups?|group_(size|sync|memory))(_called)?$/) return 96
        if (f ~ /^__(ctz|udiv|umod)di[23]$/) return 32
        print "no frame size for " f; failed = 1; return 0
    }
    if (f in known) return known[f]
    busy[f] = 1
    n = split(callees[f], list, "\n")
    for (i = 1; i <= n; i++)
        if (list[i] != "") { d = depth(list[i]); if (d > most) most = d }
    delete busy[f]
    return known[f] = size[f] + most
}
/^node:/ {
    label = field("label"); title = field("title")
    if (match(label, /[0-9]+ bytes \(/)) {
        size[title] = substr(label, RSTART) + 0
        if (label !~ /\(static\)/) variable[title] = 1
        if (label ~ kernel && kernel != "" ) entry[title] = 1
    }
}
/^edge:/ { callees[field("sourcename")] = callees[field("sourcename")] "\n" field("targetname") }
END {
    for (f in entry) {
        found++
        d = depth(f)
        printf "%s: %d bytes of stack\n", name, d
        if (d > limit) { print name ": more than " limit; failed = 1 }
        for (v in known) if (v in variable) { print v ": variable frame"; failed = 1 }
    }
    if (found != kernels) { print name ": expected " kernels " kernels, found " found + 0; failed = 1 }
    exit failed
}'

# How many (a new one has to be counted here), and the pattern of their names.
kernels_of() {
    case $1 in
    hello) echo 1 add_numbers ;;
    hello-cpp) echo 1 'square\(void' ;;
    streams) echo 6 '^(set_records|software|rtcores|moving_software|moving_rtcores|sum_up)(\\n|\()' ;;
    gpu) echo 33 '_kernel(\\n|\()' ;;
    uvm) echo 16 '_kernel(\\n|\()' ;;
    replay) echo 21 '(_in_rows|_by_bits|sum_up)(\\n|\()' ;;
    *) echo 1 '(^|::)kernel(\\n|\()' ;;
    esac
}

status=0
for target in "${targets[@]}"; do
    for folder in samples/*/; do
        sample=$(basename "$folder")
        [[ $sample = @(chips|common|rtp) ]] && continue
        read -r kernels kernel <<<"$(kernels_of "$sample" | sed 's/\\/\\\\/g')"
        awk -v limit=$limit -v name="$target/$sample" -v kernels="$kernels" \
            -v kernel="$kernel" "$deepest" \
            "$B/obj/$target/samples/common/"*.ci \
            "$B/obj/$target/samples/$sample/"*.ci || status=1
    done
done
exit $status
