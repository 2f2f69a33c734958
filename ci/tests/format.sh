#!/bin/bash
# ci: quick
# All C and C++ files are formatted.
set -euo pipefail

command -v clang-format >/dev/null || { echo "format: skipped: no clang-format"; exit 77; }
case $(clang-format --version) in
*"version 14."*) ;;
*) echo "format: skipped: not clang-format 14"; exit 77 ;;
esac
make -s format-check
echo "format: ok"
