#!/bin/bash
# All C and C++ files are formatted.
# ci: area house
# ci: quick
. ci/tests/head

tools clang-format
case $(clang-format --version) in
*"version 14."*) ;;
*) skip "not clang-format 14" ;;
esac
make -s format-check
echo "format: ok"
