#include "absent.inc"

    absent Corbel_has_no_shared_libraries, dlopen, dlsym, dlclose, dlerror, \
        dladdr
