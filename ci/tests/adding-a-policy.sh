#!/bin/bash
# docs/guides/adding-a-policy.md works, followed to the letter on a copy of the tree: a policy is
# one file and one row, from which the parameter's choices and the tests follow.
# ci: area guides
exec ci/guide-built docs/guides/adding-a-policy.md sim build/tests/units/cache/cache_victims_test
