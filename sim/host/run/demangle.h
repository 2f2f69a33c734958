/* Names of C++ as they are in the source. */
#ifndef SIM_HOST_RUN_DEMANGLE_H
#define SIM_HOST_RUN_DEMANGLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* "path::trace(Ray const&)" for its symbol, to be freed; NULL: it is no name of
 * C++, one that could be written without end, or there is no memory. */
char *demangle(const char *symbol);

#ifdef __cplusplus
}
#endif
#endif
