/* Of the rays that wait in a treelet, the first one goes first. */
#include "sim/units/streams/raystore_policy.h"

const struct raystore_order raystore_order_fifo = {.put = number_list_add};
