#include "absent.inc"

    absent Corbel_has_no_processes, popen, pclose, fork, vfork, execv, execve, \
        execvp, execl, execlp, execle, waitpid, posix_spawn, posix_spawnp, \
        pipe, wordexp
