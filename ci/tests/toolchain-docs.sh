#!/bin/bash
# docs/reference/instructions.md is what the instruction table says.
# ci: area toolchain docs isa
# ci: needs sdk/instructions
. ci/tests/head

build/sdk/instructions | diff -u docs/reference/instructions.md - >&2 || {
    echo "toolchain-docs: docs/reference/instructions.md is out of date: make docs" >&2
    exit 1
}
echo "toolchain-docs: ok"
