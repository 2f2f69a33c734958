#!/bin/bash
# docs/guides/adding-a-node-format.md works, followed to the letter on a copy of the tree.
# ci: area guides
exec ci/guide-built docs/guides/adding-a-node-format.md \
    sim corbel-scene build/samples/rv64/primary build/tests/scene/nodes_test
