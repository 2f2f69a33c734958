/* Only the pages that were asked for. */
#include "sim/uvm/policies.h"
#include "sim/uvm/uvm_private.h"

const struct uvm_prefetcher uvm_prefetcher_none = {.choose = NULL};
