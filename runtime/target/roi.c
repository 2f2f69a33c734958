/*
 * Regions of interest. They have a file of their own, so that they are only in
 * programs that call them: by that sim-run --timing roi knows what is timed.
 */
#include <corbel/corbel.h>

#include "target.h"

void corbel_roi_begin(void)
{
    corbel_syscall(CORBEL_SYS_ROI, 1, 0, 0, 0);
}

void corbel_roi_end(void)
{
    corbel_syscall(CORBEL_SYS_ROI, 0, 0, 0, 0);
}
