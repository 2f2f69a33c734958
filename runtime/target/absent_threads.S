#include "absent.inc"

    absent Corbel_harts_are_neither_made_nor_ended, pthread_create, \
        pthread_join, pthread_detach, pthread_exit, pthread_cancel, \
        thrd_create, thrd_join, thrd_detach, thrd_exit
