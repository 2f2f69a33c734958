#include "sim/host/whole.h"
#include <errno.h>
#include <unistd.h>

bool whole_open(struct whole *w, const char *folder, const char *name)
{
    int path = folder ? snprintf(w->path, WHOLE_NAME, "%s/%s", folder, name)
                      : snprintf(w->path, WHOLE_NAME, "%s", name);
    int temporary =
        snprintf(w->temporary, WHOLE_NAME, "%s.%ld", w->path, (long)getpid());
    w->file = NULL;
    errno = ENAMETOOLONG;
    if (path < WHOLE_NAME && temporary < WHOLE_NAME)
        w->file = fopen(w->temporary, "w");
    return w->file;
}

bool whole_finish(struct whole *w)
{
    bool good = !ferror(w->file);
    good = !fclose(w->file) && good && !rename(w->temporary, w->path);
    w->file = NULL;
    if (good)
        return true;
    int why = errno;
    unlink(w->temporary);
    errno = why;
    return false;
}

void whole_drop(struct whole *w)
{
    fclose(w->file);
    unlink(w->temporary);
    w->file = NULL;
}
