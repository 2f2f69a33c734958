#!/bin/bash
# docs/guides/adding-an-instruction.md works, followed to the letter on a copy of the tree.
# ci: area guides
exec ci/guide-copy docs/guides/adding-an-instruction.md
