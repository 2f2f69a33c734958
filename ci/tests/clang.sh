#!/bin/bash
# clang compiles the host's programs without a warning.
set -euo pipefail

ci/tests/variant clang sim unit-tests samples-native
echo "clang: no warnings"
