#!/bin/bash
# docs/guides/adding-a-unit.md and docs/guides/placing-a-unit.md work, followed to the letter on a
# copy of the tree: the unit counts alike natively, in both executors, on any number of
# host threads.
# ci: area guides
exec ci/guide-copy docs/guides/adding-a-unit.md docs/guides/placing-a-unit.md
