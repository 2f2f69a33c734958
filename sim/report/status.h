/* Exit statuses of the programs of this folder. */
#ifndef SIM_REPORT_STATUS_H
#define SIM_REPORT_STATUS_H

enum status {
    STATUS_DONE = 0,
    STATUS_USAGE = 2,  /* command line or input file */
    STATUS_OUTPUT = 4, /* out of memory, or output cannot be written */
};

#endif
