/*
 * What the host keeps of checkpoints (struct host).
 */
#ifndef SIM_HOST_STATE_SAVING_H
#define SIM_HOST_STATE_SAVING_H

#include <stdbool.h>

struct undo;

struct saving {
    struct undo *undo[2]; /* of --checkpoint, and of --resume if that is another
                             file; NULL: none is kept */
    int failed;           /* the status that tells of it, 0: none has */
    bool kept;            /* what an earlier run had left there */
    double time; /* host seconds: the last one was written, or none was and the
                    run begun */
};

#endif
