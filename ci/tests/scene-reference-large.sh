#!/bin/bash
# scene-reference.sh for the scenes above a million triangles: minutes.
# ci: area scene
. ci/tests/head

here=$(dirname "$0")
"$here/scene-reference.sh" hairball-proc 0,0,10 0,0,0 53.1301023542
"$here/scene-reference.sh" san-miguel-part 7.448,1.014,12.357 \
    8.056,1.04,11.563 90
