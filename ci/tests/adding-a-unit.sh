#!/bin/bash
# docs/adding-a-unit.md works, followed to the letter on a copy of the tree: the
# unit counts alike natively, in both executors, on any number of host threads.
exec ci/guide-copy docs/adding-a-unit.md
