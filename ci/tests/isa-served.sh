#!/bin/bash
# A row of the tables of instructions that a unit serves (sdk/isa/served.def) is
# either served or refused when the simulator is built, with one line of error.
# ci: area isa
. ci/tests/head

mkdir -p "$dir/sdk/isa"

# The tables with rows of two instructions more: rows XTRAV SERVED.
rows() {
    cp sdk/isa/xtrav.def sdk/isa/served.def "$dir/sdk/isa"
    echo "$1" >>"$dir/sdk/isa/xtrav.def"
    echo "$2" >>"$dir/sdk/isa/served.def"
}
# Do the files that hold the rules compile with them?
compiles() {
    : >"$dir/errors"
    for file in sim/isa/served.c sim/units/tp/tp_served.c $core; do
        gcc -std=c17 -D_GNU_SOURCE -fsyntax-only "$@" -I"$dir" -I. -Iruntime/include \
            "$file" 2>>"$dir/errors" || true
    done
    ! grep -q 'error:' "$dir/errors"
}
core= # more files of the core to compile
# refused TEXT: they do not, with one error that says so.
refused() {
    compiles -Dcorbel_serve_peek=corbel_serve_fchthrd && fail "accepted: $1"
    [ "$(grep -c 'error:' "$dir/errors")" = 1 ] && grep -q "error:.*$1" "$dir/errors" ||
        fail "not refused in one line with '$1': $(grep 'error:' "$dir/errors")"
}

next='XTRAV(peek, "trav.peek", 0x0000600B, 0xFFFFF07F, "d", NEXT, "rd = what fchthrd would give")'
trace='XTRAV(peek, "trav.peek", 0x0000600B, 0x0000707F, "D,S,j", TRACE, "as traceray")'
plain='XTRAV(peek, "trav.peek", 0x0000600B, 0xFE00707F, "d,s,t", X_XX, "rd = something")'
# served SENDS RECEIVES [FLOW BUCKET WHEN ANSWER REQUEST]
served() {
    echo "XTRAV_SERVED(peek, scheduler, \"scheduler\", ${7:-NEXT}, ${6:-INDEX}, $1, $2," \
        "${3:-GOES_ON}, ${4:-wait_index}, ${5:-AHEAD}, NO_SCENE)"
}

rows "" ""
compiles || fail "the tables as they are: $(cat "$dir/errors")"

# Served: a copy of trav.fchthrd, and shapes that no unit has yet: a ray and an
# address that are stored, a record of 12 words that is loaded.
rows "$next" "$(served "" "W(rd, 1)")"
compiles -Dcorbel_serve_peek=corbel_serve_fchthrd || fail "a copy of fchthrd: $(cat "$dir/errors")"
rows "$trace" "$(served "F(rs1, 8) X(rs2, 1)" "" BLOCKS wait_rtcore IN_CYCLE)"
compiles -Dcorbel_serve_peek=corbel_serve_fchthrd || fail "a store: $(cat "$dir/errors")"
rows "$trace" "$(served "X(rs1, 1)" "F(rd, 12) W(10, 1)" GOES_ON wait_sfu)"
compiles -Dcorbel_serve_peek=corbel_serve_fchthrd || fail "a load: $(cat "$dir/errors")"

rows "$next" ""
refused 'served.def, peek: there is no row, and a unit serves shape NEXT'
rows "$trace" ""
refused 'served.def, peek: there is no row, and a unit serves shape TRACE'
rows "$plain" "$(served "" "W(rd, 1)")"
refused 'served.def, peek: no unit serves shape X_XX'
rows "$next" "$(served "" "F(17, 4) F(20, 2)")"
refused 'peek: registers that it receives overlap'
rows "$next" "$(served "" "W(rd, 1) X(11, 1)")"
refused 'peek: registers that it receives overlap'
rows "$next" "$(served "X(rs1, 1) X(rs2, 1) F(17, 4) F(20, 1)" "" GOES_ON wait_index IN_CYCLE)"
refused 'peek: it sends a register twice'
rows "$next" "$(served "F(rs1, 15) X(rs2, 1)" "" GOES_ON wait_index IN_CYCLE)"
refused 'peek: it sends more than 16 words'
rows "$next" "$(served "" "F(rd, 17)")"
refused 'peek: it receives more than 16 words'
rows "$next" "$(served "F(rs1, 3)" "W(rd, 1)")"
refused 'peek: a request of more than 2 words cannot leave ahead of its cycle'
rows "$next" "$(served "" "W(rd, 1)" BLOCKS)"
refused 'peek: what blocks cannot leave ahead of its cycle'
rows "$next" "$(served "W(rd, 1)" "")"
refused 'peek: rd is not sent'
rows "$next" "$(served "" "W(rs1, 1)")"
refused 'peek: rs1, rs2 and rs3 are not received'
rows "$next" "$(served "" "W(rd, 1)" GOES_ON wait_index AHEAD HIT)"
refused 'peek: port NEXT is not answered at HIT'
rows "$next" "$(served "" "W(rd, 1)" GOES_ON wait_nothing)"
refused 'wait_nothing'

rows "$next" "$(served "" "W(rd, 1)" GOES_ON wait_index AHEAD DATA MEM)"
refused 'peek: port MEM leads to memory, not to a unit that serves'
rows "$next" "$(served "" "W(rd, 1)" GOES_ON wait_index AHEAD ECHO CALL)"
compiles -Dcorbel_serve_peek=corbel_serve_fchthrd && fail "accepted: ports that there are not"

# Any pair of ports to units will do, also one that the core has not had yet.
core='sim/units/tp/tp.c sim/units/tp/tp_build.c sim/units/tp/tp_results.c'
for pair in "INDEX NEXT" "HIT RAY" "DONE OP" "ECHO CALL"; do
    rows "$next" "$(served "" "W(rd, 1)" GOES_ON wait_index AHEAD $pair)"
    mkdir -p "$dir/sim/units/tp"
    sed '/^#define TP_PAIRS(X)/i #define TP_PAIR_CALL(X, id) \\\
    X(CALL, "call", ECHO, "echo", UNITS, ONE, "calls", "echoes", id)
        s/^    TP_PAIR_FETCH(X, )/    TP_PAIR_CALL(X, ) TP_PAIR_FETCH(X, )/' \
        sim/units/tp/tp_ports.h >"$dir/sim/units/tp/tp_ports.h"
    compiles -Dcorbel_serve_peek=corbel_serve_fchthrd ||
        fail "ports $pair: $(cat "$dir/errors")"
done
core=

# Without a meaning.
rows "$next" "$(served "" "W(rd, 1)")"
compiles && fail "a row without a meaning compiles"
[ "$(grep -c 'error:' "$dir/errors")" = 1 ] && grep -q 'error:.*corbel_serve_peek' "$dir/errors" ||
    fail "a row without a meaning: $(grep 'error:' "$dir/errors")"
