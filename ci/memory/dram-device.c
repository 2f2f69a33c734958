/*
 * Prints what a DRAM device is made of, one "name value" a line:
 *
 *     dram-device NAME
 *
 * sizes (units of each level, rows, columns, bytes of a transaction), then
 * clocks: data on the bus, RD to the end of its data, ACT to RD, PRE to ACT, a
 * refresh and from one to the next. Exit status 1: no such device.
 */
#include "sim/dram/device.h"
#include <stdio.h>

static void print_sizes(const struct dram_device *d)
{
    static const char *const letters[DRAM_LEVELS] = {"Ch", "Pc", "Ra", "Bg",
                                                     "Ba"};
    for (unsigned i = 0; i < DRAM_LEVELS; i++)
        printf("%s %u\n", letters[i], d->units[i]);
    printf("Ro %u\nCo %u\ntransaction %u\n", d->rows, d->columns,
           d->transaction);
}

/* How long a bank needs between two commands. */
static int32_t bank_rule(const struct dram_device *d, enum dram_command first,
                         enum dram_command second)
{
    for (unsigned i = 0; i < d->rule_count; i++) {
        const struct dram_rule *r = &d->rules[i];
        if (r->level == DRAM_BANK && r->preceding == first &&
            r->following == second && !r->sibling)
            return r->cycles;
    }
    return 0;
}

static void print_clocks(const struct dram_device *d)
{
    printf("burst %u\nread_latency %u\n", d->burst, d->read_latency);
    printf("row_to_column %d\n", bank_rule(d, DRAM_ACT, DRAM_RD));
    printf("precharge %d\n", bank_rule(d, DRAM_PRE, DRAM_ACT));
    printf("refresh_cycles %u\nrefresh_interval %u\n", d->refresh_cycles,
           d->refresh_interval);
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct dram_device *device =
        argc == 2 ? dram_device_new(argv[1], &error) : NULL;
    if (!device) {
        fprintf(stderr, "dram-device: %s\n",
                argc == 2 ? error.text : "expected the name of a device");
        return 1;
    }
    print_sizes(device);
    print_clocks(device);
    dram_device_free(device);
    return 0;
}
