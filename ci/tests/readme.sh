#!/bin/bash
# The first kernel of the README compiles and runs, natively and simulated; so do the first day
# (docs/guides/first-day.md), the way from a mesh to a figure (docs/guides/first-study.md), a
# program for ray streams (docs/guides/streams-program.md), and groups (docs/guides/groups.md).
# ci: area guides
# ci: needs sim samples/rv64/hello lib/libcorbel-native.a runtime
. ci/tests/head

ln -s "$PWD/build" "$PWD/runtime" "$dir"
ci/guide README.md "$dir"
ci/guide docs/guides/first-day.md "$dir"
ci/guide docs/guides/first-study.md "$dir"
ci/guide docs/guides/streams-program.md "$dir"
ci/guide docs/guides/groups.md "$dir"
