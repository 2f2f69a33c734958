/* Of the rays that wait in a treelet, the last one goes first. */
#include "sim/units/streams/raystore_policy.h"

const struct raystore_order raystore_order_lifo = {.put = number_list_push};
