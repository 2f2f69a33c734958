#include "generate.h"
#include "report.h"
void generate_mesh(const char *name, unsigned triangles, struct mesh *mesh)
{
    fail(STATUS_USAGE, "generate: '%s', expected arcade or cornell", name);
}
