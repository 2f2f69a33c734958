#!/bin/bash
# The simulated rtp chip and the model of it in ci/rtp, which knows nothing of the
# simulator, come to the same on random programs: state, results and the cycle of
# every event. The model comes to what the reference data say. SEED, CORES and
# CHIPS in the environment choose the programs, EVERY takes each EVERYth ray only.
# ci: area rtp
# ci: needs bin/rtp-run
. ci/tests/head

seed=${SEED:-1} cores=${CORES:-760} chips=${CHIPS:-240}

# ---- the simulator against the model ----
ci/rtp/generate --seed "$seed" --cores "$cores" --chips "$chips" "$dir" |
    tee "$dir/generated"
grep -q '^core: .* without trace$' "$dir/generated" || fail "no program has these"
grep -q '^chip: .* without nothing$' "$dir/generated" || fail "no program has these"
"$B/bin/rtp-run" "$dir/core.jsonl" "$dir/chip.jsonl" || fail "seed $seed"

# A chip that is one cycle slower is told from it.
if "$B/bin/rtp-run" -s intersector.cycles=52 "$dir/chip.jsonl" >"$dir/slower"; then
    fail "a slower chip is found equal"
fi
grep -q ': ic_done in cycle ' "$dir/slower" || fail "$(head -n 3 "$dir/slower")"

# ---- the same seed gives the same programs ----
ci/rtp/generate --seed "$seed" --cores 5 --chips 2 "$dir/again" >/dev/null
for kind in core chip; do
    cmp "$dir/again/$kind.jsonl" \
        <(head -n "$(wc -l <"$dir/again/$kind.jsonl")" "$dir/$kind.jsonl") ||
        fail "another program from the same seed"
done

# ---- the model against the reference data ----
golden=$shared/rtp-golden
[ -d "$golden" ] || skip "no reference data in $golden"
ci/rtp/check --every "${EVERY:-10}" "$golden"/*.jsonl.gz "$golden/intersect.csv.gz"
