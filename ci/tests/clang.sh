#!/bin/bash
# clang compiles the host's programs without a warning; unit tests in the build
# with sanitizers, of which sanitize-memory.sh runs them. Warnings are errors.
set -euo pipefail

ci/tests/variant clang sim samples-native
ci/tests/variant asan unit-tests
echo "clang: no warnings"
