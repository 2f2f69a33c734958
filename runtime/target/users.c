/* There is one user, without a name or a home: for newlib's glob, and to ask.
 */
#include <pwd.h>
#include <unistd.h>

int issetugid(void);

uid_t getuid(void)
{
    return 0;
}

uid_t geteuid(void)
{
    return 0;
}

gid_t getgid(void)
{
    return 0;
}

gid_t getegid(void)
{
    return 0;
}

int issetugid(void)
{
    return 0;
}

char *getlogin(void)
{
    return NULL;
}

struct passwd *getpwnam(const char *name)
{
    return NULL;
}

struct passwd *getpwuid(uid_t user)
{
    return NULL;
}
