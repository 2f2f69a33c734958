#!/bin/bash
# docs/reference/energy.md works, followed to the letter: a table of one's own, and its errors.
# ci: area report
# ci: needs bin/corbel-scene sim sample-primary
. ci/tests/head

ln -s "$root/$B" "$dir/build"
ci/guide docs/reference/energy.md "$dir"
echo "energy-docs: all is as the page says"
