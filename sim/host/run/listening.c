/* Sockets that listen, with addresses as numbers only. */
#include "sim/host/run/listening.h"
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

/* Address and port of the text. */
static bool split(const char *where, char address[NAME_BYTES],
                  char port[NAME_BYTES])
{
    const char *colon = strrchr(where, ':');
    const char *number = colon ? colon + 1 : where;
    size_t length = colon ? (size_t)(colon - where) : 0;
    bool bracket = length > 1 && *where == '[' && where[length - 1] == ']';
    if (length >= NAME_BYTES || strlen(number) >= NAME_BYTES || !*number ||
        number[strspn(number, "0123456789")] || atol(number) > 65535)
        return false;
    snprintf(address, NAME_BYTES, "%.*s", (int)(length - (bracket ? 2 : 0)),
             where + bracket);
    if (!colon)
        snprintf(address, NAME_BYTES, "127.0.0.1");
    snprintf(port, NAME_BYTES, "%s", number);
    return *address;
}

bool listening_possible(const char *where)
{
    char address[NAME_BYTES], port[NAME_BYTES];
    return split(where, address, port);
}

int listening_at(const char *option, const char *where, int clients,
                 struct error *error)
{
    char address[NAME_BYTES], port[NAME_BYTES];
    struct addrinfo *to, hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                  .ai_socktype = SOCK_STREAM};
    if (!split(where, address, port) ||
        getaddrinfo(address, port, &hints, &to)) {
        error_set(error,
                  "--%s %.80s: expected PORT or ADDRESS:PORT, as in "
                  "127.0.0.1:8000",
                  option, where);
        return -1;
    }
    int one = 1, s = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = s >= 0 &&
                !setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) &&
                !bind(s, to->ai_addr, to->ai_addrlen) && !listen(s, clients);
    freeaddrinfo(to);
    if (good)
        return s;
    error_set(error, "cannot serve at %.80s: %s", where, strerror(errno));
    if (s >= 0)
        close(s);
    return -1;
}

bool listening_address(int socket, char *text, size_t size)
{
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    char address[NAME_BYTES], port[16];
    if (getsockname(socket, (struct sockaddr *)&at, &length) ||
        getnameinfo((struct sockaddr *)&at, length, address, sizeof address,
                    port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
        return false;
    bool six = strchr(address, ':');
    snprintf(text, size, "%s%s%s:%s", six ? "[" : "", address, six ? "]" : "",
             port);
    return true;
}
