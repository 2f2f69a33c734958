#!/bin/bash
# docs/guides/adding-a-statistic.md works, followed to the letter on a copy of the tree: a
# counter or a bucket is two files, a chart is one and a word.
# ci: area guides
exec ci/guide-built docs/guides/adding-a-statistic.md sim build/tests/units/tp/sfu_test
