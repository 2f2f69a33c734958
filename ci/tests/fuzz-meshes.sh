#!/bin/bash
# 100,000 mesh files with random changes: each is read as a sound mesh or refused
# in one line, under AddressSanitizer and UBSan. The inputs are always the same.
# ci: area mesh fuzz
. ci/tests/head
asan=$(ci/variant asan tests/mesh/fuzz)
export UBSAN_OPTIONS=print_stacktrace=1
"$asan/tests/mesh/fuzz" 1 100000
