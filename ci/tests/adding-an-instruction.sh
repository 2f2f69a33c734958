#!/bin/bash
# docs/adding-an-instruction.md works, followed to the letter on a copy of the tree.
exec ci/guide-copy docs/adding-an-instruction.md
