#!/bin/bash
# docs/guides/adding-an-observer.md works, followed to the letter on a copy of the tree: an
# observer with an option is one file and one line.
# ci: area guides
exec ci/guide-built docs/guides/adding-an-observer.md sim toolchain
