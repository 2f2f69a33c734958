#!/bin/bash
# Operands are read from banks of registers, and results written back in slots, in as many
# cycles as formulas say; without banks and slots nothing waits. What programs compute, and
# whether it is saved, does not depend on them.
# ci: area simt
# ci: needs toolchain bin/sim-run sample-gpu
. ci/tests/head

"$B/bin/corbel-gcc" -march=rv64imafdc -mabi=lp64d -O2 -Wall ci/tests/simt/operands.c \
    -o "$dir/operands" || fail operands

cat >"$dir/check.py" <<'END'
import sys
import rounds

program = rounds.Program(sys.argv[1], f"{sys.argv[2]}/operands", "chip.warp=32",
                         "tp.branch_latency=1", "tp.alu_latency=3")


def expect(way, settings, operands, results, cycles):
    """What a round takes: reading beyond the first cycle, waiting for a slot, and all
    cycles together beyond those without banks and slots."""
    settings = [f"tp.{setting}" for setting in settings]
    plain, c = (program.a_round((way,), of, 1000, 5000) for of in ([], settings))
    for name, counted, right in (("operand_cycles", c["operand_cycles"], operands),
                                 ("result_cycles", c["result_cycles"], results),
                                 ("cycles", c["cycles"] - plain["cycles"], cycles)):
        rounds.expect(f"{way}, {settings}: {name}", counted, right, within=0.1)


# An instruction of a warp of 32 takes 2 cycles of a unit with 16 lanes; what it reads beyond
# the first cycle is added.
expect("apart", ["register_banks=2"], 0, 0, 0)
expect("apart", ["register_banks=1"], 16, 0, 16)
expect("same", ["register_banks=2"], 16, 0, 16)
expect("three", ["register_banks=2"], 32, 0, 32)
expect("three", ["register_banks=3"], 0, 0, 0)
# The unit waits for operands, whether or not a collector holds the instruction.
expect("same", ["register_banks=2", "operand_collectors=4"], 16, 0, 16)
# A sum is there after 3 cycles, and a product that was issued before it after 4.
expect("pairs", ["result_slots=1"], 0, 16, 16)
expect("pairs", ["result_slots=2"], 0, 0, 0)
sys.exit(rounds.wrong > 0)
END
PYTHONPATH=ci/tests/simt python3 "$dir/check.py" "$sim" "$dir" >"$dir/log" 2>&1 || fail formulas

settings=(-s tp.register_banks=2 -s tp.operand_collectors=3 -s tp.result_slots=2)
said=$("$B/samples/native/gpu" lud)
for with in "" "${settings[*]}" "-s tp.register_banks=4 -s tp.result_slots=1"; do
    # shellcheck disable=SC2086
    "$sim" --quiet -a tiny-simt $with "$B/samples/rv64/gpu" lud >"$dir/digest" 2>/dev/null
    [ "$(<"$dir/digest")" = "$said" ] || fail "$with: other results"
done
hash_of() { "$sim" "$@" "$B/samples/rv64/gpu" lud 2>&1 >/dev/null | grep '^results hash'; }
whole=$(hash_of -a tiny-simt "${settings[@]}")
"$sim" --quiet -a tiny-simt "${settings[@]}" --checkpoint "$dir/lud.ck" --checkpoint-every 7777 \
    --max-cycles 40000 "$B/samples/rv64/gpu" lud >/dev/null 2>&1 && fail "it ends before it is saved"
[ "$(hash_of -a tiny-simt "${settings[@]}" --resume "$dir/lud.ck")" = "$whole" ] ||
    fail "resumed: another hash"
echo "operands and results take what formulas say"
