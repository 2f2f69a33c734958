/* samples/replay with its results, which stand for a frame buffer, in managed
 * memory. That stays until the program ends. */
#include <stdlib.h>
#define raybuffer_results managed_results
#define free(results) ((void)(results))
// NOLINTNEXTLINE(bugprone-suspicious-include): a sample is one file
#include "../../samples/replay/replay.c"

void *managed_results(const char *program, uint32_t count, size_t bytes)
{
    void *results = corbel_managed_alloc(count * bytes);
    if (!results)
        raybuffer_die(program, 1, "no managed memory for the results",
                      strerror(errno));
    return results;
}
