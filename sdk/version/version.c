/* The one object that is compiled anew when the revision changes. */
#include "sdk/version/version.h"
#include <stdio.h>

const char corbel_revision[] = CORBEL_REVISION;

void version_print(const char *tool)
{
    printf("%s (Corbel) %s, revision %s\n", tool, CORBEL_VERSION,
           corbel_revision);
}
