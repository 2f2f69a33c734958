#include "absent.inc"

    absent Corbel_has_no_network, socket, socketpair, connect, bind, listen, \
        accept, send, recv, sendto, recvfrom, setsockopt, getsockopt, \
        shutdown, getaddrinfo, freeaddrinfo, gethostbyname, gethostname
